// The navigation of the admin as one table: the sections, and the pages of each with their addresses. `pages.ts` has the handlers
// of the pages, by the same names.

import type { Action } from '../actions/call/action.ts'
import { decisionPages } from '../actions/call/waits.ts'
import { accounts } from '../actions/accounts/index.ts'
import { activity } from '../actions/activity/index.ts'
import { apps } from '../actions/apps/index.ts'
import { commentActions } from '../actions/comments/index.ts'
import { content } from '../actions/content/index.ts'
import { forms } from '../actions/forms/index.ts'
import { subscribers } from '../actions/subscribers/index.ts'
import { health } from '../actions/health/index.ts'
import { importActions } from '../actions/imports/index.ts'
import { jobs } from '../actions/jobs/index.ts'
import { logs } from '../actions/logs/index.ts'
import { mailActions } from '../actions/mail/index.ts'
import { media } from '../actions/media/index.ts'
import { plugins } from '../actions/plugins/index.ts'
import { redirects } from '../actions/redirects/index.ts'
import { settings } from '../actions/settings/index.ts'
import { siteActions } from '../actions/site/index.ts'
import { skills } from '../actions/skills/index.ts'
import { stats } from '../actions/stats/index.ts'
import { terms } from '../actions/terms/index.ts'
import { themes } from '../actions/themes/index.ts'
import { tokens } from '../actions/tokens/index.ts'
import { types } from '../actions/types/index.ts'
import { webhooks } from '../actions/webhooks/index.ts'
import { backups } from '../actions/backup/index.ts'
import { menus } from '../actions/menus/index.ts'
import { proposals } from '../actions/proposals/index.ts'
import { type AddressRow, shown, shownAndSent } from './address-row.ts'
import type { IconName } from './parts/icons.ts'
import type { MessageKey } from './words.ts'

/** A page in the navigation. */
export interface NavPage extends AddressRow {
  readonly label: MessageKey
  /** The action that a visitor must be allowed to run to see the page. */
  readonly needs?: Action
}

export interface NavSection {
  readonly label: MessageKey
  readonly icon: IconName
  /** The section's link leads to the first of its pages that the visitor may open. */
  readonly pages: readonly NavPage[]
}

const homePages = {
  home: { ...shownAndSent('/admin/'), slash: 'redirect', label: 'shell.home' },
} as const satisfies Record<string, NavPage>

const contentPages = {
  /** Entries: the list, and the actions on one of them. `id` names the entry. */
  content: { ...shownAndSent(decisionPages.entries), label: 'shell.pages_and_posts', needs: content.revisions },
  forms: { ...shownAndSent('/admin/forms'), label: 'shell.forms', needs: forms.create },
  comments: { ...shownAndSent('/admin/comments'), label: 'shell.comments', needs: commentActions.moderate },
  newsletter: { ...shownAndSent('/admin/newsletter'), label: 'shell.newsletter', needs: subscribers.list },
  terms: { ...shownAndSent('/admin/terms'), label: 'shell.terms', needs: terms.create },
  types: { ...shownAndSent('/admin/types'), label: 'shell.types', needs: types.create },
  redirects: { ...shownAndSent('/admin/redirects'), label: 'shell.redirects', needs: redirects.list },
  previews: { ...shownAndSent('/admin/previews'), label: 'shell.previews', needs: content.previews },
  /** The findings of the check of all entries; `job` names a check. */
  checks: { ...shownAndSent('/admin/checks'), label: 'shell.checks', needs: content.check },
} as const satisfies Record<string, NavPage>

const mediaPages = {
  media: { ...shownAndSent('/admin/media'), label: 'shell.media', needs: media.list },
} as const satisfies Record<string, NavPage>

const appearancePages = {
  themes: { ...shownAndSent('/admin/themes'), label: 'shell.themes', needs: themes.activate },
  menus: { ...shownAndSent('/admin/menus'), label: 'shell.menus', needs: menus.create },
} as const satisfies Record<string, NavPage>

const activityPages = {
  activity: { ...shown('/admin/activity'), label: 'shell.activity', needs: activity.list },
  approvals: { ...shownAndSent(decisionPages.approvals), label: 'shell.approvals', needs: proposals.list },
} as const satisfies Record<string, NavPage>

const statisticsPages = {
  /** `days` chooses the span. */
  statistics: { ...shown('/admin/statistics'), label: 'shell.statistics', needs: stats.visits },
} as const satisfies Record<string, NavPage>

const connectionsPages = {
  /** The address for assistants, and how each connects. */
  connect: { ...shownAndSent('/admin/connect'), label: 'shell.connect' },
  apps: { ...shown('/admin/apps'), label: 'shell.apps', needs: apps.list },
  tokens: { ...shownAndSent('/admin/tokens'), label: 'shell.tokens', needs: tokens.list },
  skills: { ...shownAndSent('/admin/skills'), label: 'shell.skills', needs: skills.list },
  webhooks: { ...shownAndSent('/admin/webhooks'), label: 'shell.webhooks', needs: webhooks.list },
  /** Every action with a form; `action` chooses one. */
  console: { ...shownAndSent('/admin/console'), label: 'shell.console' },
} as const satisfies Record<string, NavPage>

const settingsPages = {
  settings: { ...shownAndSent('/admin/settings'), label: 'shell.site_settings', needs: settings.update },
  rootFiles: { ...shownAndSent('/admin/root-files'), label: 'shell.root_files', needs: siteActions.files },
  people: { ...shownAndSent('/admin/people'), label: 'shell.people', needs: accounts.list },
  plugins: { ...shownAndSent('/admin/plugins'), label: 'shell.plugins', needs: plugins.list },
  health: { ...shownAndSent('/admin/health'), label: 'shell.health', needs: health.check },
  mail: { ...shownAndSent('/admin/mail'), label: 'shell.mail', needs: mailActions.list },
  import: { ...shownAndSent('/admin/import'), label: 'shell.import', needs: importActions.run },
  backups: { ...shownAndSent('/admin/backups'), label: 'shell.backups', needs: backups.list },
  updates: { ...shown('/admin/updates'), label: 'shell.updates', needs: settings.update },
  jobs: { ...shown('/admin/jobs'), label: 'shell.jobs', needs: jobs.list },
  logs: { ...shown('/admin/logs'), label: 'shell.logs', needs: logs.list },
  maintenance: { ...shownAndSent('/admin/maintenance'), label: 'shell.maintenance', needs: settings.maintenance },
} as const satisfies Record<string, NavPage>

const ownPage = {
  account: { ...shown('/admin/account'), label: 'shell.account' },
} as const satisfies Record<string, NavPage>

export const navPages = {
  ...homePages,
  ...contentPages,
  ...mediaPages,
  ...appearancePages,
  ...activityPages,
  ...statisticsPages,
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
  { label: 'shell.statistics', icon: 'statistics', pages: Object.values(statisticsPages) },
  { label: 'shell.connections', icon: 'connections', pages: Object.values(connectionsPages) },
  { label: 'shell.settings', icon: 'settings', pages: Object.values(settingsPages) },
]

/** The pages outside the sections. */
export const ownPages: readonly NavPage[] = Object.values(ownPage)
