// The pages of the admin that a visitor may open, and the position of a request among them.

import { type Action, callName } from '../actions/call/action.ts'
import { isVisible } from '../actions/call/registry.ts'
import { adminPaths } from './paths.ts'
import { type NavPage, type NavSection, sections } from './sections.ts'
import type { Visit } from './visit.ts'

/** Returns true if this visitor may run an action. Pages show only what the visitor may run. */
export function mayRun({ site, caller }: Visit, handle: Action): boolean {
  const action = site.registry.find(callName(handle))
  return action !== undefined && isVisible(action, caller)
}

/** The sections with the pages that a visitor may open. */
export function sectionsFor(visit: Visit): readonly NavSection[] {
  const open = ({ needs }: NavPage) => needs === undefined || mayRun(visit, needs)
  return sections.map((section) => ({ ...section, pages: section.pages.filter(open) })).filter(({ pages }) => pages.length > 0)
}

/** Returns true if a page is at this path, or above it. */
export const isAt = ({ path }: NavPage, here: string): boolean =>
  path === adminPaths.home ? here === path : here === path || here.startsWith(`${path}/`)

/** The path of a request, as the table of pages spells it. */
export const hereOf = ({ request }: Visit): string =>
  request.path.length > 1 && request.path !== adminPaths.home ? request.path.replace(/\/$/, '') : adminPaths.home
