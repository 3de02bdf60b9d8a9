// The places at which sections may stand. Anywhere else their lines are text.

import { didYouMean, nearest } from '../../base/nearest.ts'
import { calloutKinds } from '../markdown/markdown-callouts.ts'
import { shown } from '../markdown/markdown-state.ts'
import { sectionKind, sectionKinds } from './kinds.ts'
import { plainColons, type SectionLines } from './section-lines.ts'

/** The reason why a section is text, in one sentence; undefined for a section of a known kind at a place that takes it. */
export function faultOfPlace({ kind, depth, parent }: SectionLines): string | undefined {
  const row = sectionKind(kind)
  if (!row && (calloutKinds as readonly string[]).includes(kind))
    return depth === 0 ? undefined : `The callout “${kind}” stands by itself: within a section it appears as text.`
  if (!row) {
    const near = didYouMean(nearest(kind, Object.keys(sectionKinds))) || ' SVC_Content.sections lists the kinds.'
    return `There is no section “${shown(kind)}”, so it appears as text.${near}`
  }
  const { within } = row
  if (within && (parent === undefined || !within.includes(parent)))
    return `A section “${kind}” stands within ${within.map((one) => `“${one}”`).join(' or ')}: here it appears as text.`
  if (!within && depth > 0) return `Sections nest one level: “${kind}” within “${shown(parent ?? '')}” appears as text.`
  return undefined
}

/** The lines of a text, from 1, that begin with `:::` and are no closed section of a known kind. */
export const plainColonLines = (text: string): readonly number[] =>
  plainColons(text, (section) => faultOfPlace(section) === undefined)
