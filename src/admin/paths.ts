// Paths of the admin's pages below the base path. Routes and links use the same table.

import { decidePath } from '../actions/comments/mailed-link.ts'
import { decisionPages } from '../actions/call/waits.ts'
import { linkPath } from '../identity/one-time-link.ts'
import type { Request } from '../http/request.ts'
import { type AddressRow, asked, sent, shown, shownAndSent } from './address-row.ts'
import { navPages } from './sections.ts'

/** The addresses that are not in the navigation. */
const otherRows = {
  /** The results for the words in `q`. */
  search: shown('/admin/search'),
  /** The first hour; `step` names a step. */
  start: shownAndSent('/admin/start'),
  newEntry: shownAndSent('/admin/content/new'),
  editEntry: shownAndSent(decisionPages.entry),
  entryRevisions: shownAndSent('/admin/content/revisions'),
  autosaveEntry: asked(sent('/admin/content/autosave')),
  previewEntry: asked(sent('/admin/content/preview')),
  uploadImage: asked(sent('/admin/content/upload')),
  framePicture: asked(sent('/admin/content/picture')),
  pasteHtml: asked(sent('/admin/content/paste')),
  lookTheme: asked(sent('/admin/themes/look')),
  findLinks: asked(shown('/admin/content/links')),
  sectionKinds: asked(shown('/admin/content/sections')),
  undo: shownAndSent('/admin/activity/take-back'),
  backupsElsewhere: shownAndSent('/admin/backups/elsewhere'),
  backupSchedule: sent('/admin/backups/schedule'),
  verifyBackup: sent('/admin/backups/verify'),
  deleteBackup: sent('/admin/backups/delete'),
  cancelJob: sent('/admin/jobs/cancel'),
  retryJob: sent('/admin/jobs/retry'),
  /** One file; `id` names it. */
  mediaFile: shownAndSent('/admin/media/file'),
  uploadMedia: sent('/admin/media/upload'),
  uploadMediaFile: asked(sent('/admin/media/upload-file')),
  replaceMedia: sent('/admin/media/replace'),
  /** One menu; `id` names it. */
  menu: shownAndSent('/admin/menus/edit'),
  /** One term; `id` names it. */
  term: shownAndSent('/admin/terms/edit'),
  /** One type of entries; `id` names it. */
  type: shownAndSent('/admin/types/edit'),
  /** One theme; `id` names it, and `file` one of its files. */
  theme: shownAndSent('/admin/themes/edit'),
  /** The files of a theme; `id` names it. */
  themeFiles: shown('/admin/themes/files'),
  setUp: sent('/admin/set-up'),
  signIn: shownAndSent('/admin/sign-in'),
  secondStep: sent('/admin/sign-in/second-step'),
  signOut: sent('/admin/sign-out'),
  /** The answer to the consent question of an app. */
  consent: sent('/oauth/consent'),
  /** The form that a one-time link opens. */
  newPassword: shownAndSent(linkPath),
  password: sent('/admin/account/password'),
  profile: sent('/admin/account/profile'),
  writing: sent('/admin/account/writing'),
  authenticator: shownAndSent('/admin/account/authenticator'),
  passkeys: sent('/admin/account/passkeys'),
  ownMails: sent('/admin/account/mails'),
  /** The page for re-authentication. */
  confirm: shownAndSent('/admin/account/confirm'),
  recoveryCodes: sent('/admin/account/recovery-codes'),
  removeFactor: sent('/admin/account/remove-factor'),
  endSessions: sent('/admin/account/sessions'),
  person: shownAndSent('/admin/people/person'),
  resetPerson: sent('/admin/people/reset'),
  deletePerson: sent('/admin/people/delete'),
  /** The documents; `doc` names one. */
  documents: shown('/admin/documents'),
  arrivals: asked(shown('/admin/connect/arrivals')),
  app: shownAndSent('/admin/apps/app'),
  token: shownAndSent('/admin/tokens/token'),
  receiveMails: shownAndSent('/admin/receive-mails'),
  form: shownAndSent('/admin/forms/form'),
  formCsv: shown('/admin/forms/csv'),
  sendNewsletter: shownAndSent('/admin/newsletter/send'),
  /** The mail by itself. */
  newsletterMail: shown('/admin/newsletter/mail'),
  newsletterCsv: shown('/admin/newsletter/csv'),
  importSubscribers: sent('/admin/newsletter/import'),
  formFile: shown('/admin/forms/file'),
  forgot: shownAndSent('/admin/forgot-password'),
  comment: shownAndSent('/admin/comments/comment'),
  /** The page behind the link of a mail about a comment. */
  decideComment: shownAndSent(decidePath),
  webhook: shownAndSent('/admin/webhooks/webhook'),
  rotateToken: sent('/admin/tokens/rotate'),
  removeApp: sent('/admin/apps/remove'),
  revokeToken: sent('/admin/tokens/revoke'),
  uploadRootFile: sent('/admin/root-files/upload'),
  deleteRootFile: sent('/admin/root-files/delete'),
  deleteSkill: sent('/admin/skills/delete'),
  activatePlugin: shownAndSent('/admin/plugins/activate'),
  deactivatePlugin: sent('/admin/plugins/deactivate'),
  configurePlugin: shownAndSent('/admin/plugins/settings'),
  deletePlugin: sent('/admin/plugins/delete'),
  sendImport: sent('/admin/import/send'),
} as const satisfies Record<string, AddressRow>

/** Every page and form of the admin by its name. `pages.ts` has the handlers by the same names. */
export const adminRows = { ...navPages, ...otherRows }

type Paths = { readonly [N in keyof typeof adminRows]: (typeof adminRows)[N]['path'] } & {
  readonly authorize: '/oauth/authorize'
}

/** The paths of the rows, and of the consent question. */
export const adminPaths = {
  ...Object.fromEntries(Object.entries(adminRows).map(([name, { path }]) => [name, path])),
  authorize: '/oauth/authorize',
} as Paths

/** The path of a file of the admin's pages: a style sheet or a script. */
export const assetPath = (file: string): string => `/admin/assets/${file}`

/** A path of this site with the base path in front. */
export function linkTo({ basePath }: Pick<Request, 'basePath'>, path: string): string {
  return basePath + path
}

const maxNextLength = 16 * 1024
const adminPage = /^\/admin\/(?:[a-z-]+(?:\/[a-z-]+)*\/?)?(?:\?[\x21-\x7e]*)?$/
/** Returns true if a text is the path of a page of the admin, with or without a query. */
export const isAdminPage = (text: string): boolean => adminPage.test(text)

const authorizePage = /^\/oauth\/authorize\?[\x21-\x7e]+$/

/**
 * Returns the page to open after sign-in: a page of the admin with its query, or the consent question of an app. Anything else,
 * such as the address of another site in any spelling, becomes the home page of the admin (attacks 47, 131).
 */
export function safeNext(text: string | null | undefined): string {
  const next = text ?? ''
  const good = next.length <= maxNextLength && !next.includes('\\') && (isAdminPage(next) || authorizePage.test(next))
  return good ? next : adminPaths.home
}

/** Adds a parameter to the query of a path, which may have one. */
export const withParameter = (path: string, name: string, value: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
