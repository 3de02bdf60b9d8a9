// Links for one upload, each with its caller and the expected file. The door streams the file and runs the call.

import { createHash } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import { type Caller, ownerOf } from '../identity/caller.ts'
import { type LinkUse, makerOf, isMakerAllowed } from '../identity/link-maker.ts'
import type { Db } from '../store/core/database.ts'
import type { UploadLinkRow } from '../store/core/schema.ts'

/** The time for which a link is valid, in milliseconds. */
export const linkMs = 3_600_000

export const hashUploadSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** An upload link: the caller that it was made for, and the file that it takes. */
export interface UploadLink {
  readonly id: string
  readonly caller: Pick<Caller, 'tier' | 'account' | 'token' | 'plugin'>
  readonly about: {
    readonly sha256?: string
    readonly keep?: boolean
    readonly filename?: string
    readonly alt?: string
    readonly caption?: string
    readonly folder?: string
    readonly protected?: boolean
  }
  readonly bytes: number
}

/** The most unused links of one caller. */
export const maxWaitingLinks = 1000

/** Adds a link. @throws Failure `refused` for a caller who has too many */
export async function putUploadLink(
  db: Db,
  caller: Caller,
  row: Pick<UploadLinkRow, 'id' | 'hash' | 'input' | 'max_bytes' | 'expires_at'>,
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
    .values({ ...row, caller: maker, used_at: null, owner })
    .execute()
}

/** The link with this secret; undefined if none, used or expired, or if its caller may no longer upload from this address. */
export async function findUploadLink(db: Db, secret: string, use: LinkUse): Promise<UploadLink | undefined> {
  const row = await db
    .selectFrom('upload_link')
    .selectAll()
    .where('hash', '=', hashUploadSecret(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', use.now)
    .executeTakeFirst()
  if (!row) return undefined
  const caller = JSON.parse(row.caller) as UploadLink['caller']
  if (!(await isMakerAllowed(db, makerOf(caller), use))) return undefined
  return { id: row.id, caller, about: JSON.parse(row.input) as UploadLink['about'], bytes: row.max_bytes }
}

/** Marks a link as used. @returns false if it was used already */
export async function useUploadLink(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upload_link')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Makes a link usable again, after an upload that failed. */
export async function releaseUploadLink(db: Db, id: string): Promise<void> {
  await db.updateTable('upload_link').set({ used_at: null }).where('id', '=', id).execute()
}
