// Links for uploads, each with its caller, and the files that it takes and has taken. The doors stream the files and run the calls.

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { cutText } from '../base/cut-text.ts'
import { Failure } from '../base/failure.ts'
import { type Caller, ownerOf } from '../identity/caller.ts'
import { type LinkUse, makerOf, isMakerAllowed } from '../identity/link-maker.ts'
import type { Db } from '../store/core/database.ts'
import type { UploadLinkRow } from '../store/core/schema.ts'

/** The time for which a link is valid, in milliseconds. */
export const linkMs = 3_600_000

/** The time after that for which its maker can ask which files came, in milliseconds. */
export const toldMs = 24 * 3_600_000

/** The most files of one link. */
export const maxLinkFiles = 50

export const hashUploadSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** An upload link: the caller that it was made for, and the files that it takes. */
export interface UploadLink {
  readonly id: string
  readonly caller: Pick<Caller, 'tier' | 'account' | 'token' | 'plugin'>
  readonly about: {
    readonly sha256?: string
    readonly keep?: boolean
    /** True for the file of an import. */
    readonly import?: boolean
    readonly filename?: string
    readonly alt?: string
    readonly caption?: string
    readonly folder?: string
    readonly protected?: boolean
    /** True for a link without a promised size. */
    readonly open?: boolean
  }
  /** The size of the promised file; undefined for a link without one. */
  readonly promised: number | undefined
  /** The number of files and of bytes that the link still takes, and the number that it has taken. */
  readonly files: number
  readonly bytes: number
  readonly taken: number
}

/** A file that came by a link. */
export interface ArrivedItem {
  /** The media file. */
  readonly id: string
  /** The name of the file at the sender. */
  readonly filename: string
}

/** The most unused links of one caller. */
export const maxWaitingLinks = 1000

/** Adds a link. @throws Failure `refused` for a caller who has too many */
export async function putUploadLink(
  db: Db,
  caller: Caller,
  row: Pick<UploadLinkRow, 'id' | 'hash' | 'input' | 'max_files' | 'max_bytes' | 'expires_at'>,
  now: number,
): Promise<void> {
  const owner = ownerOf(caller)
  const { links } = await db
    .selectFrom('upload_link')
    .select((eb) => eb.fn.countAll<number>().as('links'))
    .where('owner', '=', owner)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  if (links >= maxWaitingLinks)
    throw new Failure('refused', 'You have as many upload links as one caller may have at the same time.', {
      rule: `at most ${maxWaitingLinks} unused upload links of one caller`,
      hint: 'Use the links that you have, or wait: each ends after an hour.',
    })
  const { tier, account, token, plugin } = caller
  const maker = JSON.stringify({ tier, account, token, plugin })
  await db
    .insertInto('upload_link')
    .values({ ...row, caller: maker, used_at: null, owner, files: 0, bytes: 0, arrived: '' })
    .execute()
}

/**
 * The link with this secret; undefined if there is none, if its time is over, or if its caller may no longer upload from this
 * address. A link that has taken all its files has `files: 0`.
 */
export async function findUploadLink(db: Db, secret: string, use: LinkUse): Promise<UploadLink | undefined> {
  const row = await db
    .selectFrom('upload_link')
    .selectAll()
    .where('hash', '=', hashUploadSecret(secret))
    .where('expires_at', '>', use.now)
    .executeTakeFirst()
  if (!row) return undefined
  const caller = JSON.parse(row.caller) as UploadLink['caller']
  if (!(await isMakerAllowed(db, makerOf(caller), use))) return undefined
  const about = JSON.parse(row.input) as UploadLink['about']
  const files = row.used_at === null ? row.max_files - row.files : 0
  const promised = about.open ? undefined : row.max_bytes
  return { id: row.id, caller, about, promised, files, bytes: row.max_bytes - row.bytes, taken: row.files }
}

/**
 * Reserves room for one file. The last file ends the link.
 * @returns false if the link has no room for it, or was used
 */
export async function takePlace(db: Db, id: string, bytes: number, now: number): Promise<boolean> {
  const isLast = sql<number | null>`case when files + 1 >= max_files then cast(${now} as bigint) end`
  const { numUpdatedRows } = await db
    .updateTable('upload_link')
    .set((eb) => ({ files: eb('files', '+', 1), bytes: eb('bytes', '+', bytes), used_at: isLast }))
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where((eb) => eb(eb('bytes', '+', bytes), '<=', eb.ref('max_bytes')))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Gives the room of a file back, after an upload that failed. */
export async function givePlace(db: Db, id: string, bytes: number): Promise<void> {
  await db
    .updateTable('upload_link')
    .set((eb) => ({ files: eb('files', '-', 1), bytes: eb('bytes', '-', bytes), used_at: null }))
    .where('id', '=', id)
    .execute()
}

/** The longest name of a file that its maker is told. */
const maxNameChars = 200

/** Notes a stored file, for the maker of the link. */
export async function noteArrived(db: Db, id: string, item: ArrivedItem): Promise<void> {
  const line = `${JSON.stringify({ ...item, filename: cutText(item.filename, maxNameChars) })}\n`
  await db
    .updateTable('upload_link')
    .set({ arrived: sql<string>`arrived || ${line}` })
    .where('id', '=', id)
    .execute()
}

/** The rows of a caller's own links, the newest first. @param id of one link; undefined for all */
export const findOwnUploads = (db: Db, caller: Caller, id: string | undefined, most: number): Promise<readonly UploadLinkRow[]> =>
  db
    .selectFrom('upload_link')
    .selectAll()
    .where('owner', '=', ownerOf(caller))
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .orderBy('id', 'desc')
    .limit(most)
    .execute()

/** The files that came by a link, each once, in the order in which they came. */
export function arrivedItems({ arrived }: Pick<UploadLinkRow, 'arrived'>): readonly ArrivedItem[] {
  const items = arrived
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ArrivedItem)
  return items.filter(({ id }, at) => items.findIndex((one) => one.id === id) === at)
}
