// Makes the variants of images in jobs, one image at a time, and announces them to all processes. Recurring work finds images whose
// job ended with its process.

import { errorMessage } from '../../base/error-message.ts'
import { Failure } from '../../base/failure.ts'
import { system } from '../../identity/caller.ts'
import type { JobControl } from '../../jobs/jobs.ts'
import type { Recurring } from '../../jobs/recurring.ts'
import { jsonText } from '../../base/json.ts'
import type { Focus, Variant } from '../../media/picture-recipe.ts'
import { treatmentOf } from '../../media/taken-kinds.ts'
import { newId } from '../../store/core/ids.ts'
import type { MediaRow } from '../../store/core/schema.ts'
import { commit } from '../call/commit.ts'
import type { ProgramServices, Services, StoreServices } from '../call/services.ts'

/** The name of these jobs in lists. */
const call = 'SVC_Media.upload'

type Source = Pick<MediaRow, 'id' | 'kind' | 'file' | 'file_key' | 'focus'>

/** Queues an image without variants. Does nothing for any other file. */
export function wantVariants(site: Services, row: Source): void {
  const { media } = site
  if (treatmentOf(row.kind) !== 'picture' || media.making.has(row.file_key)) return
  media.making.add(row.file_key)
  media.tail = media.tail.then(async () => {
    try {
      if (!site.life.stopping && !media.closed && !(await isMade(site, row.file_key))) await runJob(site, row)
    } catch (error) {
      site.log.warn('sizes of an image not made', { media: row.id, error })
    } finally {
      media.making.delete(row.file_key)
    }
  })
}

const isMade = async ({ store }: StoreServices, key: string): Promise<boolean> =>
  (await store.read.selectFrom('media_picture').select('file_key').where('file_key', '=', key).executeTakeFirst()) !== undefined

async function runJob(site: Services, row: Source): Promise<void> {
  const order = { call, arguments: null, account_id: null, token_id: null, by_name: 'Postern', owner: null, key: null }
  const job = await site.jobs.start(order, (control) => make(site, row, control))
  await job.ended
}

async function make(site: Services, row: Source, { signal }: JobControl): Promise<string> {
  const { store, pictures } = site.media
  const draft = await store.draft()
  try {
    const focus = row.focus === null ? null : (JSON.parse(row.focus) as Focus)
    const avif = site.settings.values.image_format === 'avif'
    const made = await pictures.make(store.pathOf(row.file), draft, { focus, avif }, signal)
    const variants = made.map((one) => ({ ...one, name: `${row.file_key}-${one.name}` }))
    for (const { name } of made) await store.putMade(`${draft}-${name}`, `${row.file_key}-${name}`)
    await note(site, row.file_key, variants, null)
    return jsonText({ id: row.id, variants: variants.length })
  } catch (error) {
    // The original stays usable. An image that can't be resized is not tried again.
    if (error instanceof Failure && error.code === 'unprocessable') await note(site, row.file_key, [], errorMessage(error))
    throw error
  } finally {
    // This also removes files of a process that was killed.
    await store.removeDraft(draft)
  }
}

/** Stores the variants, and invalidates the pages that show a file with these bytes. */
async function note(
  site: StoreServices & ProgramServices,
  key: string,
  variants: readonly Variant[],
  problem: string | null,
): Promise<void> {
  const now = site.clock.now()
  const row = { file_key: key, variants: JSON.stringify(variants), problem, made_at: now }
  await commit(site, 'sizes of an image', async ({ db, record }) => {
    const { file_key: _key, ...rest } = row
    await db
      .insertInto('media_picture')
      .values(row)
      .onConflict((on) => on.column('file_key').doUpdateSet(rest))
      .execute()
    const runs = [{ name: call, tier: 'content' as const, effect: 'write' }]
    const files = await db.selectFrom('media').select(['id', 'path']).where('file_key', '=', key).execute()
    const shown = files.map((file) => ({ table: 'media', before: file, after: file }))
    record({ id: newId(now), call, runs, summary: '', caller: system, input: {}, records: [], now }, [], shown)
  })
}

/** Recurring work that finds images without variants, such as those whose process died. */
export const variantsTurn = (site: Services): Recurring => ({
  name: 'media sizes',
  call,
  everyMs: 5 * 60_000,
  afterStartMs: 5000,
  async run() {
    const rows = await site.store.read
      .selectFrom('media')
      .leftJoin('media_picture', 'media_picture.file_key', 'media.file_key')
      .select(['media.id', 'media.kind', 'media.file', 'media.file_key', 'media.focus'])
      .where('media.kind', 'in', ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])
      .where('media.deleted_at', 'is', null)
      .where('media_picture.file_key', 'is', null)
      .limit(500)
      .execute()
    for (const row of rows) wantVariants(site, row)
    return { found: rows.length }
  },
})
