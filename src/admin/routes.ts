// The admin's addresses as one table: path, methods, and the kind of address. The pages are loaded at the first request for one of them.

import type { ProgramServices, Services, SettingsServices } from '../actions/services.ts'
import { downloadPath } from '../backup/download-link.ts'
import type { HttpFailure } from '../http/failure.ts'
import type { AddressKind } from '../http/fetch-metadata.ts'
import type { Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Handler, Method, Methods, Route } from '../http/route.ts'
import { createLate } from '../late.ts'
import type { AskOwner } from '../oauth/endpoints.ts'
import { type Soon, whenThere } from '../soon.ts'
import { adminPaths, assetPath } from './paths.ts'

interface Row<M extends Method> {
  readonly path: string
  readonly takes: readonly M[]
  readonly kind: AddressKind
  readonly slash: Route['slash']
  readonly letterCase: Route['letterCase']
}

const page = { kind: 'window', slash: 'either', letterCase: 'exact' } as const
const shown = (path: string): Row<'GET'> => ({ ...page, path, takes: ['GET'] })
const sent = (path: string): Row<'POST'> => ({ ...page, path, takes: ['POST'] })
const shownAndSent = (path: string): Row<'GET' | 'POST'> => ({ ...page, path, takes: ['GET', 'POST'] })
/** A row of the admin's own scripts. They ask nothing else. */
const asked = <M extends Method>(row: Row<M>): Row<M> => ({ ...row, kind: 'script' })

/** Every address of the admin, by the name of its handlers in `pages.ts`. Of two rows that match a path, the first is taken. */
const rows = {
  home: { ...shown(adminPaths.home), slash: 'redirect' },
  search: shown(adminPaths.search),
  content: shownAndSent(adminPaths.content),
  newEntry: shownAndSent(adminPaths.newEntry),
  editEntry: shownAndSent(adminPaths.editEntry),
  entryRevisions: shownAndSent(adminPaths.entryRevisions),
  autosaveEntry: asked(sent(adminPaths.autosaveEntry)),
  previewEntry: asked(sent(adminPaths.previewEntry)),
  uploadImage: asked(sent(adminPaths.uploadImage)),
  findLinks: asked(shown(adminPaths.findLinks)),
  checks: shownAndSent(adminPaths.checks),
  activity: shown(adminPaths.activity),
  takeBack: shownAndSent(adminPaths.takeBack),
  health: shownAndSent(adminPaths.health),
  backups: shownAndSent(adminPaths.backups),
  backupSchedule: sent(adminPaths.backupSchedule),
  verifyBackup: sent(adminPaths.verifyBackup),
  deleteBackup: sent(adminPaths.deleteBackup),
  updates: shown(adminPaths.updates),
  jobs: shown(adminPaths.jobs),
  cancelJob: sent(adminPaths.cancelJob),
  retryJob: sent(adminPaths.retryJob),
  approvals: shownAndSent(adminPaths.approvals),
  media: shownAndSent(adminPaths.media),
  mediaFile: shownAndSent(adminPaths.mediaFile),
  uploadMedia: sent(adminPaths.uploadMedia),
  uploadMediaFile: asked(sent(adminPaths.uploadMediaFile)),
  replaceMedia: sent(adminPaths.replaceMedia),
  menus: shownAndSent(adminPaths.menus),
  menu: shownAndSent(adminPaths.menu),
  terms: shownAndSent(adminPaths.terms),
  term: shownAndSent(adminPaths.term),
  previews: shownAndSent(adminPaths.previews),
  redirects: shownAndSent(adminPaths.redirects),
  types: shownAndSent(adminPaths.types),
  type: shownAndSent(adminPaths.type),
  themes: shownAndSent(adminPaths.themes),
  theme: shownAndSent(adminPaths.theme),
  console: shownAndSent(adminPaths.console),
  setUp: sent(adminPaths.setUp),
  signIn: shownAndSent(adminPaths.signIn),
  secondStep: sent(adminPaths.secondStep),
  signOut: sent(adminPaths.signOut),
  consent: sent(adminPaths.consent),
  newPassword: shownAndSent(adminPaths.newPassword),
  account: shown(adminPaths.account),
  password: sent(adminPaths.password),
  profile: sent(adminPaths.profile),
  authenticator: shownAndSent(adminPaths.authenticator),
  passkeys: sent(adminPaths.passkeys),
  confirm: shownAndSent(adminPaths.confirm),
  recoveryCodes: sent(adminPaths.recoveryCodes),
  removeFactor: sent(adminPaths.removeFactor),
  endSessions: sent(adminPaths.endSessions),
  people: shownAndSent(adminPaths.people),
  person: shownAndSent(adminPaths.person),
  resetPerson: sent(adminPaths.resetPerson),
  deletePerson: sent(adminPaths.deletePerson),
  apps: shown(adminPaths.apps),
  connect: shownAndSent(adminPaths.connect),
  documents: shown(adminPaths.documents),
  arrivals: asked(shown(adminPaths.arrivals)),
  app: shownAndSent(adminPaths.app),
  token: shownAndSent(adminPaths.token),
  rotateToken: sent(adminPaths.rotateToken),
  removeApp: sent(adminPaths.removeApp),
  tokens: shownAndSent(adminPaths.tokens),
  revokeToken: sent(adminPaths.revokeToken),
  skills: shownAndSent(adminPaths.skills),
  deleteSkill: sent(adminPaths.deleteSkill),
  settings: shownAndSent(adminPaths.settings),
  logs: shown(adminPaths.logs),
  maintenance: shownAndSent(adminPaths.maintenance),
  plugins: shownAndSent(adminPaths.plugins),
  activatePlugin: shownAndSent(adminPaths.activatePlugin),
  deactivatePlugin: sent(adminPaths.deactivatePlugin),
  configurePlugin: shownAndSent(adminPaths.configurePlugin),
  deletePlugin: sent(adminPaths.deletePlugin),
  backup: { ...shown(downloadPath(':id')), kind: 'download', slash: 'exact' },
  asset: { ...shown(assetPath(':file')), kind: 'asset', slash: 'exact' },
  missing: {
    ...page,
    path: '/admin/*',
    takes: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    slash: 'exact',
    letterCase: 'any',
  },
} as const satisfies Record<string, Row<Method>>

/** The handlers of all rows. */
export type AdminHandlers = {
  readonly [N in keyof typeof rows]: Readonly<Record<(typeof rows)[N]['takes'][number], Handler>>
}

/** The module with all pages, which is most of the program. */
const pages = createLate(() => import('./pages.ts'))

/** The rows of this door. */
export function adminRoutes(site: Services): readonly Route[] {
  let handlers: AdminHandlers | undefined
  const answer = (name: keyof AdminHandlers, method: Method): Handler => {
    return (request, params) =>
      whenThere(pages(), ({ adminHandlers }) => {
        const open: Methods = (handlers ??= adminHandlers(site))[name]
        return (open[method] ?? handlers.missing.GET)(request, params)
      })
  }
  const methodsOf = (name: keyof AdminHandlers, takes: readonly Method[]): Methods =>
    Object.fromEntries(takes.map((method) => [method, answer(name, method)]))
  return Object.entries(rows).map(([name, { takes, ...row }]) => ({
    ...row,
    methods: methodsOf(name as keyof AdminHandlers, takes),
    door: 'admin',
  }))
}

/** Asks the owner about an app's request, on a page of the admin. */
export function createAskOwner(site: Services): AskOwner {
  return (request, asked) => whenThere(pages(), ({ askOwner }) => askOwner(site, request, asked))
}

/** The answer to a failure that no page of the admin has handled. */
export function adminFailure(
  site: ProgramServices & SettingsServices,
  failure: HttpFailure,
  request: Request | undefined,
  kind?: AddressKind,
): Soon<Reply> {
  return whenThere(pages(), (loaded) => loaded.adminFailure(site, failure, request, kind))
}
