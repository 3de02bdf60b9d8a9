// The navigation of the admin as one table: sections by what people do, and the pages of each with their addresses. `pages.ts` has the handlers of a page
// by its name here.

import type { Action } from '../actions/action.ts'
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
import { type AddressRow, shown, shownAndSent } from './address-row.ts'
import type { IconName } from './parts/icons.ts'
import type { MessageKey } from './words.ts'

/** A page that the navigation leads to. */
export interface NavPage extends AddressRow {
  readonly label: MessageKey
  /** The page is shown to those who may run this action. */
  readonly needs?: Action
}

export interface NavSection {
  readonly label: MessageKey
  readonly icon: IconName
  /** The section's link leads to the first of its pages that the visitor may open. */
  readonly pages: readonly NavPage[]
}

const homePages = {
  home: { ...shown('/admin/'), slash: 'redirect', label: 'shell.home' },
} as const satisfies Record<string, NavPage>

const contentPages = {
  /** Entries: the list, and what is done with one of them. `id` names the entry. */
  content: { ...shownAndSent('/admin/content'), label: 'shell.pages_and_posts', needs: revisions },
  terms: { ...shownAndSent('/admin/terms'), label: 'shell.terms', needs: termCreate },
  types: { ...shownAndSent('/admin/types'), label: 'shell.types', needs: createType },
  redirects: { ...shownAndSent('/admin/redirects'), label: 'shell.redirects', needs: redirectList },
  previews: { ...shownAndSent('/admin/previews'), label: 'shell.previews', needs: previews },
  /** What the check of all entries found; `job` names a check. */
  checks: { ...shownAndSent('/admin/checks'), label: 'shell.checks', needs: check },
} as const satisfies Record<string, NavPage>

const mediaPages = {
  media: { ...shownAndSent('/admin/media'), label: 'shell.media', needs: mediaList },
} as const satisfies Record<string, NavPage>

const appearancePages = {
  menus: { ...shownAndSent('/admin/menus'), label: 'shell.menus', needs: menus.create },
  themes: { ...shownAndSent('/admin/themes'), label: 'shell.themes', needs: activateTheme },
} as const satisfies Record<string, NavPage>

const activityPages = {
  activity: { ...shown('/admin/activity'), label: 'shell.activity', needs: activityList },
  approvals: { ...shownAndSent('/admin/approvals'), label: 'shell.approvals', needs: proposalsList },
} as const satisfies Record<string, NavPage>

const connectionsPages = {
  /** The address for assistants, and how each connects. */
  connect: { ...shownAndSent('/admin/connect'), label: 'shell.connect' },
  apps: { ...shown('/admin/apps'), label: 'shell.apps', needs: appsList },
  tokens: { ...shownAndSent('/admin/tokens'), label: 'shell.tokens', needs: tokensList },
  skills: { ...shownAndSent('/admin/skills'), label: 'shell.skills', needs: skillsList },
  /** Every action with a form; `action` chooses one. */
  console: { ...shownAndSent('/admin/console'), label: 'shell.console' },
} as const satisfies Record<string, NavPage>

const settingsPages = {
  settings: { ...shownAndSent('/admin/settings'), label: 'shell.site_settings', needs: settingsUpdate },
  people: { ...shownAndSent('/admin/people'), label: 'shell.people', needs: accountsList },
  plugins: { ...shownAndSent('/admin/plugins'), label: 'shell.plugins', needs: pluginsList },
  health: { ...shownAndSent('/admin/health'), label: 'shell.health', needs: healthCheck },
  backups: { ...shownAndSent('/admin/backups'), label: 'shell.backups', needs: backups.list },
  updates: { ...shown('/admin/updates'), label: 'shell.updates', needs: settingsUpdate },
  jobs: { ...shown('/admin/jobs'), label: 'shell.jobs', needs: jobsList },
  logs: { ...shown('/admin/logs'), label: 'shell.logs', needs: logsList },
  maintenance: { ...shownAndSent('/admin/maintenance'), label: 'shell.maintenance', needs: settingsMaintenance },
} as const satisfies Record<string, NavPage>

const ownPage = {
  account: { ...shown('/admin/account'), label: 'shell.account' },
} as const satisfies Record<string, NavPage>

/** Every page of the navigation by its name. */
export const navPages = {
  ...homePages,
  ...contentPages,
  ...mediaPages,
  ...appearancePages,
  ...activityPages,
  ...connectionsPages,
  ...settingsPages,
  ...ownPage,
}

export const sections: readonly NavSection[] = [
  { label: 'shell.home', icon: 'home', pages: Object.values(homePages) },
  { label: 'shell.content', icon: 'content', pages: Object.values(contentPages) },
  { label: 'shell.media', icon: 'media', pages: Object.values(mediaPages) },
  { label: 'shell.appearance', icon: 'appearance', pages: Object.values(appearancePages) },
  { label: 'shell.activity', icon: 'activity', pages: Object.values(activityPages) },
  { label: 'shell.connections', icon: 'connections', pages: Object.values(connectionsPages) },
  { label: 'shell.settings', icon: 'settings', pages: Object.values(settingsPages) },
]

/** Pages that stand beside the sections. */
export const ownPages: readonly NavPage[] = Object.values(ownPage)
