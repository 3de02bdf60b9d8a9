// Serves a protected file at its signed address, whole or as a range. Nothing may cache it, and browsers show only kinds in which no
// script can run.

import type { Services } from '../actions/services.ts'
import { contentDisposition } from '../http/content-disposition.ts'
import { HttpFailure } from '../http/failure.ts'
import { parseRange } from '../http/range.ts'
import { empty, type Headers, html, type Reply, stream } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Params, Route } from '../http/route.ts'
import { baseOf } from '../doors/paths.ts'
import { isRaster } from '../media/file-kind.ts'
import { openProtectedFiles, type ProtectedFile, type ProtectedFiles } from '../media/protected-files.ts'
import { parseSignedToken } from '../media/signed-address.ts'
import { findClosed } from './closed-page.ts'
import { identityOf, messagePage } from './message-page.ts'
import { htmlHeaders } from './public-page.ts'

/** The route of signed addresses. */
export function signedFileRoute(site: Services): Route {
  const files = openProtectedFiles(site.config.POSTERN_HOME)
  return {
    path: '/user-content/signed/:token/:filename',
    slash: 'exact',
    letterCase: 'exact',
    methods: { GET: async (request, params) => findClosed(site, request) ?? (await serve(site, files, request, params)) },
    door: 'site',
  }
}

async function serve(site: Services, files: ProtectedFiles, request: Request, { token = '', filename }: Params): Promise<Reply> {
  const signed = parseSignedToken(site.key, token)
  if (!signed) throw missing()
  if (signed.until <= site.clock.now()) return ended(site, request)
  const file = await files.find(signed.id)
  if (!file || file.filename !== filename) throw missing()
  return fileReply(files, file, request)
}

const missing = (): HttpFailure => new HttpFailure('not_found', 'There is no page here.')

function ended(site: Services, request: Request): Reply {
  const page = messagePage({
    site: identityOf({ site, origin: baseOf(request) }),
    title: 'This link has expired',
    message: 'It was valid for an hour. Ask the person who sent it for a new one.',
  })
  return html(403, page, { ...htmlHeaders, ...closedHeaders })
}

/** Anyone with the address can fetch the file, so the address must not leak. */
const closedHeaders: Headers = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

function fileReply(files: ProtectedFiles, { id, filename, kind, bytes }: ProtectedFile, request: Request): Reply {
  const headers: Headers = {
    ...closedHeaders,
    'content-type': kind,
    'content-disposition': contentDisposition(isRaster(kind) ? 'inline' : 'attachment', filename),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
  }
  // Files have no ETag that an `If-Range` could name.
  const asked = request.method === 'GET' && request.header('if-range') === undefined ? request.header('range') : undefined
  const range = parseRange(asked, bytes)
  if (range === 'unsatisfiable') return empty(416, { ...closedHeaders, 'content-range': `bytes */${bytes}` })
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  const part = range ? { 'content-range': `bytes ${start}-${end}/${bytes}` } : {}
  return stream(range ? 206 : 200, files.read(id, start, end), { ...headers, ...part, 'content-length': String(end - start + 1) })
}
