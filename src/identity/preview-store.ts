// The rows of links to pages that are not public: the target, the maker, and the number of links that one caller may have.
// `signed-link.ts` makes the address of a link. Deleting its row ends the link. Recurring work deletes expired rows, so that no
// request waits for it.

import { Failure } from '../base/failure.ts'
import type { Db } from '../store/core/database.ts'
import { newId } from '../store/core/ids.ts'
import type { PreviewRow } from '../store/core/schema.ts'
import { type Caller, nameOf, ownerOf } from './caller.ts'
import { type LinkMaker, makerOf } from './link-maker.ts'

/** The number of links of one caller that may work at the same time. */
export const maxLinks = 1000
/** The most bytes of `content` in one caller's links. */
const maxStoredBytes = 32 * 1024 ** 2

/** The content of a new link. */
export interface NewPreview extends Pick<PreviewRow, 'entry_id' | 'theme' | 'title' | 'revision'> {
  /** Content that only the link has; empty for a revision of an entry. */
  readonly content: string
  readonly follow: boolean
  readonly until: number
}

/**
 * Adds the row of a link.
 * @param live true if the link may replace an earlier one of the same caller for the same entry
 * @returns its id, and true if it existed before
 * @throws Failure `refused` for a caller who has too many
 */
export async function putPreview(
  db: Db,
  caller: Caller,
  { content, follow, until, ...shown }: NewPreview,
  { now, live }: { readonly now: number; readonly live: boolean },
): Promise<{ readonly id: string; readonly known: boolean }> {
  const owner = ownerOf(caller)
  const known = live ? await findLive(db, owner, shown.entry_id) : undefined
  const bytes = Buffer.byteLength(content)
  await checkRoom(db, owner, { now, bytes, except: known?.id ?? '' })
  const maker = JSON.stringify(makerOf(caller))
  const row = { ...shown, entry: content, bytes, maker, follow: follow ? 1 : 0, expires_at: until }
  if (known) {
    await db.updateTable('preview').set(row).where('id', '=', known.id).execute()
    return { id: known.id, known: true }
  }
  const by = { owner, account_id: caller.account?.id ?? null, by_name: nameOf(caller), token_name: caller.token?.name ?? null }
  const id = newId(now)
  await db
    .insertInto('preview')
    .values({ ...row, ...by, id, live: live ? 1 : 0, created_at: now })
    .execute()
  return { id, known: false }
}

const findLive = (db: Db, owner: string, entryId: string | null) =>
  db
    .selectFrom('preview')
    .select('id')
    .where('owner', '=', owner)
    .where('live', '=', 1)
    .where('entry_id', entryId === null ? 'is' : '=', entryId)
    .executeTakeFirst()

async function checkRoom(
  db: Db,
  owner: string,
  { now, bytes, except }: { readonly now: number; readonly bytes: number; readonly except: string },
): Promise<void> {
  const others = await db
    .selectFrom('preview')
    .select((eb) => [eb.fn.countAll<number>().as('links'), eb.fn.sum<number | string | null>('bytes').as('bytes')])
    .where('owner', '=', owner)
    .where('expires_at', '>', now)
    .where('id', '!=', except)
    .executeTakeFirstOrThrow()
  if (others.links < maxLinks && Number(others.bytes ?? 0) + bytes <= maxStoredBytes) return
  throw new Failure('refused', 'You have as many preview links as one caller may have at the same time.', {
    rule: `at most ${maxLinks} links and ${maxStoredBytes / 1024 ** 2} MiB of content of one caller`,
    hint: 'SVC_Content.previews lists them, SVC_Content.end-preview ends some. A smaller `expires_in` makes room sooner.',
  })
}

/** The row of a link; undefined after the link has ended. */
export const findPreview = (db: Db, id: string): Promise<PreviewRow | undefined> =>
  db.selectFrom('preview').selectAll().where('id', '=', id).executeTakeFirst()

/** The maker of a link; undefined for a row of an earlier release. */
export const makerOfRow = ({ maker }: Pick<PreviewRow, 'maker'>): LinkMaker | undefined =>
  maker === null ? undefined : (JSON.parse(maker) as LinkMaker)

/** Ends links. @returns their number */
export async function endPreviews(db: Db, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('preview').where('id', 'in', ids).executeTakeFirst()
  return Number(numDeletedRows)
}
