// Links for one upload: what was promised to whom, and using a link up. The door streams the file and runs the call.

import { createHash } from 'node:crypto'
import type { Caller, TokenLimits } from '../identity/caller.ts'
import { hasEnded } from '../identity/has-ended.ts'
import type { Db } from '../store/database.ts'

/** How long a link is valid, in milliseconds. */
export const linkMs = 3_600_000

export const hashUploadSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** What a link takes, for whom. */
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
  /** The size of the file. */
  readonly bytes: number
}

/** The link with this secret; undefined where there is none, it was used, it ended, or its caller has lost access. */
export async function findUploadLink(db: Db, secret: string, now: number): Promise<UploadLink | undefined> {
  const row = await db
    .selectFrom('upload_link')
    .selectAll()
    .where('hash', '=', hashUploadSecret(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const caller = JSON.parse(row.caller) as UploadLink['caller']
  const whole = { ...caller, door: 'api', address: '' } as Caller
  if (await hasEnded(db, whole)) return undefined
  return {
    id: row.id,
    caller: { ...caller, token: caller.token && { ...caller.token, limits: await limitsNow(db, caller.token) } },
    about: JSON.parse(row.input) as UploadLink['about'],
    bytes: row.max_bytes,
  }
}

/** The limits may have become tighter since the link was made. */
async function limitsNow(db: Db, { id, kind, limits }: NonNullable<Caller['token']>): Promise<TokenLimits> {
  if (kind === 'bridge') return limits
  const table = kind === 'personal' ? 'token' : 'app_grant'
  const row = await db.selectFrom(table).select('limits').where('id', '=', id).executeTakeFirst()
  return row ? (JSON.parse(row.limits) as TokenLimits) : limits
}

/** Uses a link up. @returns false if it was used already */
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
