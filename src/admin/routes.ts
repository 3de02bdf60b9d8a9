// The admin's addresses as one table: path, methods, and the kind of address. The module with the pages is loaded at the first
// request for one of them.

import type { ProgramServices, Services, SettingsServices } from '../actions/call/services.ts'
import { downloadPath } from '../backup/download-link.ts'
import type { HttpFailure } from '../http/failure.ts'
import type { AddressKind } from '../http/fetch-metadata.ts'
import type { Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Handler, Method, Methods, Route } from '../http/route.ts'
import { createLate } from '../base/late.ts'
import type { AskOwner } from '../doors/oauth/endpoints.ts'
import { type Soon, whenThere } from '../base/soon.ts'
import { uploadPagePath } from '../media/media-address.ts'
import { adminRows, assetPath } from './paths.ts'
import { type AddressRow, shown, shownAndSent } from './address-row.ts'

/** Every address of the admin, by the name of its handlers in `pages.ts`. If two rows match a path, the first one is used. */
const rows = {
  ...adminRows,
  backup: { ...shown(downloadPath(':id')), kind: 'download', slash: 'exact' },
  sendFiles: { ...shownAndSent(uploadPagePath(':key')), kind: 'download', slash: 'exact' },
  asset: { ...shown(assetPath(':file')), kind: 'asset', slash: 'exact' },
  missing: {
    path: '/admin/*',
    kind: 'window',
    takes: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    slash: 'exact',
    letterCase: 'any',
  },
} as const satisfies Record<string, AddressRow>

export type AdminHandlers = {
  readonly [N in keyof typeof rows]: Readonly<Record<(typeof rows)[N]['takes'][number], Handler>>
}

/** The module with all pages, which is most of the program and is loaded late. */
const pages = createLate(() => import('./pages.ts'))

/** The rows of the admin. */
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
  return Object.entries(rows).map(([name, { path, takes, kind, slash, letterCase }]) => ({
    path,
    kind,
    slash,
    letterCase,
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
