// Serves a protected file at its signed address, uncached. Browsers show only types in which no script can run.

import type { MediaServices, Services, StoreServices } from '../../actions/call/services.ts'
import { type Headers, html, type Reply, stream, text } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Params, Route } from '../../http/route.ts'
import { bytesOf } from '../../base/bytes-of.ts'
import { exportParts } from '../../actions/exports/parts.ts'
import { downloadOf, makingFiles } from '../../exports/formats.ts'
import { type ExportRequest, exportOfId } from '../../exports/link.ts'
import { linkRequestOf } from '../../doors/shared/link-request.ts'
import { baseOf } from '../../doors/shared/paths.ts'
import { isRaster } from '../../media/file-kind.ts'
import { openLink } from '../../identity/signed-link.ts'
import { openProtectedFiles, type ProtectedFiles } from '../../media/protected-files.ts'
import { findClosed } from '../pages/closed-page.ts'
import { fileHeaders, fileReply, type ServedFile } from './file-reply.ts'
import { missingPage } from '../pages/make-page.ts'
import { themeMark, zipOf } from '../../themes/theme-zip.ts'
import { type VisitTable, visitsCsv, visitTableFile, visitTableOf } from '../../statistics/visits-csv.ts'
import { siteWord } from '../../themes/site-words.ts'
import { oldAddressesCsv, oldAddressFile, runOfOldAddressId } from '../../imports/behind/old-address-list.ts'
import { findRun } from '../../imports/behind/runs.ts'
import { identityOf, messagePage } from '../pages/message-page.ts'
import { htmlHeaders } from '../pages/public-page.ts'

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
  const signed = await openLink({ key: site.key, db: site.store.read }, 'file', token, linkRequestOf(site, request))
  if (!signed) throw missingPage()
  if (signed.isOver) return ended(site, request)
  const asked = exportOfId(signed.id)
  if (asked) return exportReply(site, request, asked, filename)
  const run = runOfOldAddressId(signed.id)
  if (run !== undefined) return oldAddressReply(site, request, run, filename)
  const visits = visitTableOf(signed.id)
  if (visits) return visitsReply(site, visits, filename)
  const file = await findSigned(site, files, signed.id)
  if (!file || file.filename !== filename) throw missingPage()
  return fileReply(request, file, closedHeaders)
}

/** Streams an export while it is made. Its length is not known before. */
async function exportReply(
  site: Services,
  request: Request,
  { format, archive, tier }: ExportRequest,
  filename: string | undefined,
): Promise<Reply> {
  const download = downloadOf(format, archive)
  if (filename !== download.filename) throw missingPage()
  const { exportBytes } = await makingFiles()
  const parts = exportParts(site, { tier }, baseOf(request), request.signal)
  return stream(200, exportBytes(format, archive, parts), {
    ...closedHeaders,
    ...fileHeaders({ ...download, disposition: 'attachment' }),
    'x-accel-buffering': 'no',
  })
}

/** Streams the addresses of an old site while they are read. */
async function oldAddressReply(site: Services, request: Request, id: string, filename: string | undefined): Promise<Reply> {
  const run = filename === oldAddressFile ? await findRun(site.store.read, id) : undefined
  if (!run) throw missingPage()
  return stream(200, bytesOf(oldAddressesCsv(site.store.read, run.source, baseOf(request))), {
    ...closedHeaders,
    ...fileHeaders({ filename: oldAddressFile, kind: 'text/csv', disposition: 'attachment' }),
    'x-accel-buffering': 'no',
  })
}

async function visitsReply(site: StoreServices, table: VisitTable, filename: string | undefined): Promise<Reply> {
  if (filename !== visitTableFile(table)) throw missingPage()
  return text(200, await visitsCsv(site.store.read, table), {
    ...closedHeaders,
    ...fileHeaders({ filename, kind: 'text/csv', disposition: 'attachment' }),
  })
}

async function findSigned(site: Services, files: ProtectedFiles, id: string): Promise<ServedFile | undefined> {
  if (id.startsWith(mediaMark)) return findStored(site, id)
  return id.startsWith(themeMark) ? findTheme(site, id.slice(themeMark.length)) : findFile(files, id)
}

async function findTheme({ themes }: Pick<Services, 'themes'>, slug: string): Promise<ServedFile | undefined> {
  const theme = await themes.find(slug)
  if (!theme) return undefined
  const zip = await zipOf(theme)
  return {
    filename: `${slug}.zip`,
    kind: 'application/zip',
    bytes: zip.length,
    disposition: 'attachment',
    async *read(start, end) {
      yield zip.subarray(start, end + 1)
    },
  }
}

/** The prefix of the ids of files in the media library. */
const mediaMark = 'media:'

async function findFile(files: ProtectedFiles, id: string): Promise<ServedFile | undefined> {
  const file = await files.find(id)
  const disposition = file && isRaster(file.kind) ? 'inline' : 'attachment'
  return file && { ...file, disposition, read: (start, end) => files.read(id, start, end) }
}

/** Finds an original. Only protected images are displayed; others are downloads, because they may reveal a photo's place. */
async function findStored({ media, store }: MediaServices & StoreServices, id: string): Promise<ServedFile | undefined> {
  const row = await store.read.selectFrom('media').selectAll().where('id', '=', id.slice(mediaMark.length)).executeTakeFirst()
  if (!row || row.deleted_at !== null) return undefined
  const path = media.store.pathOf(row.file)
  const disposition = row.protected === 1 && isRaster(row.kind) ? 'inline' : 'attachment'
  return { ...row, disposition, read: (start, end) => media.store.read(path, start, end) }
}

function ended(site: Services, request: Request): Reply {
  const identity = identityOf({ site, origin: baseOf(request) })
  const page = messagePage({
    site: identity,
    title: siteWord(identity.language, 'link_expired_title'),
    message: siteWord(identity.language, 'link_expired'),
  })
  return html(403, page, { ...htmlHeaders, ...closedHeaders })
}

/** Anyone with the address can fetch the file, so the address must not leak. */
const closedHeaders: Headers = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}
