// The navigation of the admin as one table: sections by what people do, and the pages of each. A visitor sees the pages whose action they may run.

import { type Action, callName } from '../actions/action.ts'
import { accountsList } from '../actions/classes/svc-accounts.ts'
import { activityList } from '../actions/classes/svc-activity.ts'
import { appsList } from '../actions/classes/svc-apps.ts'
import { backups } from '../actions/classes/svc-backup/index.ts'
import { healthCheck } from '../actions/classes/svc-health.ts'
import { jobsList } from '../actions/classes/svc-jobs.ts'
import { check } from '../actions/classes/svc-content/check.ts'
import { previews } from '../actions/classes/svc-content/previews.ts'
import { revisions } from '../actions/classes/svc-content/revisions.ts'
import { logsList } from '../actions/classes/svc-logs.ts'
import { menus } from '../actions/classes/svc-menus/index.ts'
import { list as mediaList } from '../actions/classes/svc-media/reading.ts'
import { pluginsList } from '../actions/classes/svc-plugins/reading.ts'
import { proposalsList } from '../actions/classes/svc-proposals.ts'
import { list as redirectList } from '../actions/classes/svc-redirects/reading.ts'
import { settingsMaintenance } from '../actions/classes/svc-settings-maintenance.ts'
import { settingsUpdate } from '../actions/classes/svc-settings.ts'
import { skillsList } from '../actions/classes/svc-skills.ts'
import { activate as activateTheme } from '../actions/classes/svc-themes/settings.ts'
import { createType } from '../actions/classes/svc-types/create.ts'
import { create as termCreate } from '../actions/classes/svc-terms/writing.ts'
import { tokensList } from '../actions/classes/svc-tokens.ts'
import { isVisible } from '../actions/registry.ts'
import type { IconName } from './parts/icons.ts'
import { adminPaths } from './paths.ts'
import type { Visit } from './visit.ts'
import type { MessageKey } from './words.ts'

export interface NavPage {
  readonly label: MessageKey
  readonly path: string
  /** The page is shown to those who may run this action. */
  readonly needs?: Action
}

export interface NavSection {
  readonly label: MessageKey
  readonly icon: IconName
  /** The section's link leads to the first of its pages that the visitor may open. */
  readonly pages: readonly NavPage[]
}

const sections: readonly NavSection[] = [
  { label: 'shell.home', icon: 'home', pages: [{ label: 'shell.home', path: adminPaths.home }] },
  {
    label: 'shell.content',
    icon: 'content',
    pages: [
      { label: 'shell.pages_and_posts', path: adminPaths.content, needs: revisions },
      { label: 'shell.terms', path: adminPaths.terms, needs: termCreate },
      { label: 'shell.types', path: adminPaths.types, needs: createType },
      { label: 'shell.redirects', path: adminPaths.redirects, needs: redirectList },
      { label: 'shell.previews', path: adminPaths.previews, needs: previews },
      { label: 'shell.checks', path: adminPaths.checks, needs: check },
    ],
  },
  { label: 'shell.media', icon: 'media', pages: [{ label: 'shell.media', path: adminPaths.media, needs: mediaList }] },
  {
    label: 'shell.appearance',
    icon: 'appearance',
    pages: [
      { label: 'shell.menus', path: adminPaths.menus, needs: menus.create },
      { label: 'shell.themes', path: adminPaths.themes, needs: activateTheme },
    ],
  },
  {
    label: 'shell.activity',
    icon: 'activity',
    pages: [
      { label: 'shell.activity', path: adminPaths.activity, needs: activityList },
      { label: 'shell.approvals', path: adminPaths.approvals, needs: proposalsList },
    ],
  },
  {
    label: 'shell.connections',
    icon: 'connections',
    pages: [
      { label: 'shell.connect', path: adminPaths.connect },
      { label: 'shell.apps', path: adminPaths.apps, needs: appsList },
      { label: 'shell.tokens', path: adminPaths.tokens, needs: tokensList },
      { label: 'shell.skills', path: adminPaths.skills, needs: skillsList },
      { label: 'shell.console', path: adminPaths.console },
    ],
  },
  {
    label: 'shell.settings',
    icon: 'settings',
    pages: [
      { label: 'shell.site_settings', path: adminPaths.settings, needs: settingsUpdate },
      { label: 'shell.people', path: adminPaths.people, needs: accountsList },
      { label: 'shell.plugins', path: adminPaths.plugins, needs: pluginsList },
      { label: 'shell.health', path: adminPaths.health, needs: healthCheck },
      { label: 'shell.backups', path: adminPaths.backups, needs: backups.list },
      { label: 'shell.updates', path: adminPaths.updates, needs: settingsUpdate },
      { label: 'shell.jobs', path: adminPaths.jobs, needs: jobsList },
      { label: 'shell.logs', path: adminPaths.logs, needs: logsList },
      { label: 'shell.maintenance', path: adminPaths.maintenance, needs: settingsMaintenance },
    ],
  },
]

/** Pages that stand beside the sections. */
export const ownPages: readonly NavPage[] = [{ label: 'shell.account', path: adminPaths.account }]

/** Whether this visitor may run an action. Pages offer nothing else. */
export function mayRun({ site, caller }: Visit, handle: Action): boolean {
  const action = site.registry.find(callName(handle))
  return action !== undefined && isVisible(action, caller)
}

/** The sections with the pages that a visitor may open. */
export function sectionsFor(visit: Visit): readonly NavSection[] {
  const open = ({ needs }: NavPage) => needs === undefined || mayRun(visit, needs)
  return sections.map((section) => ({ ...section, pages: section.pages.filter(open) })).filter(({ pages }) => pages.length > 0)
}

/** Whether a page is the one at a path, or stands above it. */
export const isAt = ({ path }: NavPage, here: string): boolean =>
  path === adminPaths.home ? here === path : here === path || here.startsWith(`${path}/`)

/** The path of a request as the table has it. */
export const hereOf = ({ request }: Visit): string =>
  request.path.length > 1 && request.path !== adminPaths.home ? request.path.replace(/\/$/, '') : adminPaths.home
