// Media files at their public addresses. A file's own address, `/media/team.jpg`, stays the same when the file is replaced, so
// caches revalidate it. Derived files have a content hash in their names below `/media/_/`, and caches keep them for ever. A
// reverse proxy serves those from disk after the first request.

import { wantVariants } from '../../actions/media/make-variants.ts'
import type { MediaServices, ProgramServices, Services, StoreServices } from '../../actions/call/services.ts'
import { HttpFailure } from '../../http/failure.ts'
import { redirect, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Handler, Params, Route } from '../../http/route.ts'
import { mediaPrefix } from '../../media/file-name.ts'
import { madePrefix } from '../../media/media-address.ts'
import { findManyMedia, isPublicMedia, type MediaWithPicture, variantsOf } from '../../media/media-rows.ts'
import { isPublicName } from '../../media/media-store.ts'
import type { Variant } from '../../media/picture-recipe.ts'
import { treatmentOf } from '../../media/taken-kinds.ts'
import type { MediaRow } from '../../store/core/schema.ts'
import { countDownload } from '../count-view.ts'
import { findClosed } from '../pages/closed-page.ts'
import { fileReply } from './file-reply.ts'

const forEver = { 'cache-control': 'public, max-age=31536000, immutable' }
const askAgain = { 'cache-control': 'public, no-cache' }

/** @param otherwise answers for paths below `/media/` without a file, where an entry may be */
export function mediaRoutes(site: Services, otherwise: Handler): readonly Route[] {
  const route = (path: string, handler: Handler): Route => ({
    path,
    slash: 'exact',
    letterCase: 'exact',
    methods: { GET: async (request, params) => findClosed(site, request) ?? (await handler(request, params)) },
    door: 'site',
  })
  return [
    route(`${madePrefix}:name`, (request, params) => serveMade(site, request, params)),
    route(`${mediaPrefix}*`, async (request, params) => (await serveFile(site, request)) ?? otherwise(request, params)),
  ]
}

const missing = (): HttpFailure => new HttpFailure('not_found', 'There is no file here.')

/** Serves a derived file, or the file itself under a name that changes with its content. */
async function serveMade(
  site: MediaServices & ProgramServices & StoreServices,
  request: Request,
  { name = '' }: Params,
): Promise<Reply> {
  const [, key = ''] = /^([0-9a-f]{16}-(?:[0-9a-f]{16}|0))-/.exec(name) ?? []
  if (!isPublicName(name) || key === '') throw missing()
  const row = await findPublicRow(site, key)
  const file = row && (await fileNamed(site, row, name))
  if (!file) throw missing()
  await publish(site, key, file.path, name)
  return fileReply(
    request,
    { ...file, filename: name, disposition: 'inline', etag: `"${name}"`, ...reader(site, file.path) },
    forEver,
  )
}

async function findPublicRow({ store, clock }: ProgramServices & StoreServices, key: string): Promise<MediaRow | undefined> {
  const rows = await store.read.selectFrom('media').selectAll().where('file_key', '=', key).limit(20).execute()
  for (const row of rows) if (await isPublicMedia(store.read, row, clock.now())) return row
  return undefined
}

/** The file with this name; undefined for a width that is not in the recipe (attack 108). */
async function fileNamed(
  { media, store }: MediaServices & StoreServices,
  { kind, file, file_key: key, bytes }: MediaRow,
  name: string,
) {
  if (treatmentOf(kind) === 'player')
    return name === `${key}-original.${file.split('.')[1] ?? ''}` ? { path: media.store.pathOf(file), kind, bytes } : undefined
  const made = await store.read.selectFrom('media_picture').select('variants').where('file_key', '=', key).executeTakeFirst()
  const found = made && variantsOf(made).find((one) => one.name === name)
  return found && { path: media.store.madePathOf(name), kind: found.type, bytes: found.bytes }
}

const reader = ({ media }: MediaServices, path: string) => ({
  read: (start: number, end: number) => media.store.read(path, start, end),
})

/** Links a file into the folder that a reverse proxy serves. A file that was hidden during this is unlinked again. */
async function publish(
  site: MediaServices & ProgramServices & StoreServices,
  key: string,
  path: string,
  name: string,
): Promise<void> {
  try {
    await site.media.store.publish(path, name)
    if (!(await findPublicRow(site, key))) await site.media.store.unpublish(key)
  } catch (error) {
    site.log.warn('media file not put into the public folder', { name, error })
  }
}

/** A file at its own address; undefined if there is none. */
async function serveFile(site: Services, request: Request): Promise<Reply | undefined> {
  const { store, clock } = site
  const found = (await findManyMedia(store.read, [request.path])).get(request.path)
  if (!found) return undefined
  if (!(await isPublicMedia(store.read, found, clock.now()))) throw missing()
  if (found.path !== request.path) return redirect(301, request.basePath + found.path, { 'cache-control': 'no-cache' })
  const treatment = treatmentOf(found.kind)
  const shown = treatment === 'picture' ? await largest(site, found) : undefined
  const path = shown ? site.media.store.madePathOf(shown.name) : site.media.store.pathOf(found.file)
  const file = {
    filename: found.filename,
    kind: shown?.type ?? found.kind,
    bytes: shown?.bytes ?? found.bytes,
    disposition: treatment === 'download' ? ('attachment' as const) : ('inline' as const),
    etag: `"${shown?.name ?? found.file.slice(6, 38)}"`,
  }
  const reply = fileReply(request, { ...file, ...reader(site, path) }, askAgain)
  if (treatment === 'download') countDownload(site, request, reply)
  return reply
}

const waitMs = 10_000
const lookMs = 200

/** The largest size of an image. If its sizes are being made, this waits for them. */
async function largest(site: Services, row: MediaWithPicture): Promise<Variant> {
  const until = performance.now() + waitMs
  for (let now: MediaWithPicture | undefined = row; now;) {
    const picture: readonly Variant[] | undefined = now.picture
    const best = picture?.findLast(({ type }) => type === 'image/webp')
    if (best) return best
    if (picture) throw missing()
    wantVariants(site, now)
    if (performance.now() > until || site.life.stopping) break
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    now = (await findManyMedia(site.store.read, [row.id])).get(row.id)
  }
  throw new HttpFailure('unavailable', 'This image is being prepared. Try again in a few seconds.', undefined, {
    retryAfterSeconds: 3,
  })
}
