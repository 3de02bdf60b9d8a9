// Paths of the admin's pages below the base path. Routes and links use the same table.

import { linkPath } from '../identity/one-time-link.ts'
import type { Request } from '../http/request.ts'

export const adminPaths = {
  home: '/admin/',
  /** What was found for the words in `q`. */
  search: '/admin/search',
  /** Entries: the list, and what is done with one of them. `id` names the entry. */
  content: '/admin/content',
  newEntry: '/admin/content/new',
  editEntry: '/admin/content/edit',
  entryRevisions: '/admin/content/revisions',
  autosaveEntry: '/admin/content/autosave',
  previewEntry: '/admin/content/preview',
  uploadImage: '/admin/content/upload',
  findLinks: '/admin/content/links',
  /** What the check of all entries found; `job` names a check. */
  checks: '/admin/checks',
  signIn: '/admin/sign-in',
  secondStep: '/admin/sign-in/second-step',
  signOut: '/admin/sign-out',
  /** Every action with a form; `action` chooses one. */
  console: '/admin/console',
  setUp: '/admin/set-up',
  /** The form that a one-time link opens. */
  newPassword: linkPath,
  account: '/admin/account',
  password: '/admin/account/password',
  profile: '/admin/account/profile',
  authenticator: '/admin/account/authenticator',
  passkeys: '/admin/account/passkeys',
  /** Where somebody proves that they are there. */
  confirm: '/admin/account/confirm',
  recoveryCodes: '/admin/account/recovery-codes',
  removeFactor: '/admin/account/remove-factor',
  endSessions: '/admin/account/sessions',
  people: '/admin/people',
  person: '/admin/people/person',
  resetPerson: '/admin/people/reset',
  deletePerson: '/admin/people/delete',
  apps: '/admin/apps',
  /** The address for assistants, and how each connects. */
  connect: '/admin/connect',
  arrivals: '/admin/connect/arrivals',
  /** The documents; `doc` names one. */
  documents: '/admin/documents',
  app: '/admin/apps/app',
  token: '/admin/tokens/token',
  rotateToken: '/admin/tokens/rotate',
  removeApp: '/admin/apps/remove',
  tokens: '/admin/tokens',
  revokeToken: '/admin/tokens/revoke',
  activity: '/admin/activity',
  takeBack: '/admin/activity/take-back',
  approvals: '/admin/approvals',
  health: '/admin/health',
  backups: '/admin/backups',
  backupSchedule: '/admin/backups/schedule',
  verifyBackup: '/admin/backups/verify',
  deleteBackup: '/admin/backups/delete',
  updates: '/admin/updates',
  jobs: '/admin/jobs',
  cancelJob: '/admin/jobs/cancel',
  retryJob: '/admin/jobs/retry',
  media: '/admin/media',
  /** One file; `id` names it. */
  mediaFile: '/admin/media/file',
  uploadMedia: '/admin/media/upload',
  uploadMediaFile: '/admin/media/upload-file',
  replaceMedia: '/admin/media/replace',
  menus: '/admin/menus',
  /** One menu; `id` names it. */
  menu: '/admin/menus/edit',
  terms: '/admin/terms',
  /** One term; `id` names it. */
  term: '/admin/terms/edit',
  redirects: '/admin/redirects',
  previews: '/admin/previews',
  types: '/admin/types',
  /** One type of entries; `id` names it. */
  type: '/admin/types/edit',
  themes: '/admin/themes',
  /** One theme; `id` names it, and `file` one of its files. */
  theme: '/admin/themes/edit',
  skills: '/admin/skills',
  deleteSkill: '/admin/skills/delete',
  settings: '/admin/settings',
  plugins: '/admin/plugins',
  activatePlugin: '/admin/plugins/activate',
  deactivatePlugin: '/admin/plugins/deactivate',
  configurePlugin: '/admin/plugins/settings',
  deletePlugin: '/admin/plugins/delete',
  maintenance: '/admin/maintenance',
  logs: '/admin/logs',
  /** The answer to an app's question. */
  consent: '/oauth/consent',
  authorize: '/oauth/authorize',
} as const

/** The path of a file of the admin's pages: a style sheet or a script. */
export const assetPath = (file: string): string => `/admin/assets/${file}`

/** A path of this site with the base path in front. */
export function linkTo({ basePath }: Pick<Request, 'basePath'>, path: string): string {
  return basePath + path
}

const maxNextLength = 16 * 1024
const adminPage = /^\/admin\/(?:[a-z-]+(?:\/[a-z-]+)*\/?)?(?:\?[\x21-\x7e]*)?$/
/** Whether a text is the path of a page of the admin, with or without a query. */
export const isAdminPage = (text: string): boolean => adminPage.test(text)

const authorizePage = /^\/oauth\/authorize\?[\x21-\x7e]+$/

/**
 * Where to go after signing in: a page of the admin with its query, or back to the consent question of an app. Anything else becomes the admin's home page,
 * such as the address of another site in any spelling (attacks 47, 131).
 */
export function safeNext(text: string | null | undefined): string {
  const next = text ?? ''
  const good = next.length <= maxNextLength && !next.includes('\\') && (isAdminPage(next) || authorizePage.test(next))
  return good ? next : adminPaths.home
}
