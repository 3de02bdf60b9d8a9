// A session is a person signed in on one browser. Its row decides if it is open, not the cookie. So a copied cookie is useless
// after the person has signed out, or after the password or the epoch of the account has changed (attack 67). The admin creates
// the cookie.

import { hash, randomBytes } from 'node:crypto'
import { maskSecrets } from '../base/mask.ts'
import type { Db } from '../store/core/database.ts'
import type { AccountRow, SessionRow } from '../store/core/schema.ts'

const minuteMs = 60_000
/** The idle limit: a session ends after this time without a request. */
export const idleMs = 8 * 60 * minuteMs
/** The absolute limit: a session ends after this time in any case. */
export const longestMs = 7 * 24 * 60 * minuteMs
/** The time after a re-authentication during which the most sensitive actions don't ask for another one (attack 128). */
export const freshMs = 15 * minuteMs

export interface Session {
  readonly row: SessionRow
  readonly account: AccountRow
}

const maxAgentLength = 300

/**
 * Opens a session with a new id, so that an id known before the sign-in is useless after it (attack 68). Times are UTC
 * milliseconds.
 * @param from the network address, and the browser's name for itself
 */
export async function openSession(
  db: Db,
  account: Pick<AccountRow, 'id' | 'epoch'>,
  now: number,
  from?: { readonly address: string; readonly agent: string },
): Promise<SessionRow> {
  const row: SessionRow = {
    id: randomBytes(24).toString('base64url'),
    account_id: account.id,
    epoch: account.epoch,
    created_at: now,
    seen_at: now,
    authenticated_at: now,
    ended_at: null,
    address: from?.address ?? null,
    agent: from ? maskSecrets(from.agent).slice(0, maxAgentLength) : null,
  }
  await db
    .deleteFrom('session')
    .where('created_at', '<', now - longestMs)
    .execute()
  await db.insertInto('session').values(row).execute()
  return row
}

/** The session with this id; undefined if it is unknown, has ended, or its account may no longer sign in. */
export async function findSession(db: Db, id: string, now: number): Promise<Session | undefined> {
  const row = await db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !isOpen(row, now)) return undefined
  const account = await db.selectFrom('account').selectAll().where('id', '=', row.account_id).executeTakeFirst()
  return account?.disabled === 0 && account.epoch === row.epoch ? { row, account } : undefined
}

/** The account of a session, open or not; undefined if the session is no longer stored. */
export async function findSessionAccount(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom('session').select('account_id').where('id', '=', id).executeTakeFirst())?.account_id
}

/** True if a session has neither ended nor expired. */
function isOpen({ created_at: createdAt, seen_at: seenAt, ended_at: endedAt }: SessionRow, now: number): boolean {
  return endedAt === null && now - seenAt < idleMs && now - createdAt < longestMs
}

/** True if the session has a recent re-authentication. */
export function isFresh({ authenticated_at: at }: Pick<SessionRow, 'authenticated_at'>, now: number): boolean {
  return now - at < freshMs
}

/** Records that a session is in use, at most once a minute. */
export async function noteSeen(db: Db, { id, seen_at: seenAt }: SessionRow, now: number): Promise<void> {
  if (now - seenAt < minuteMs) return
  await db.updateTable('session').set({ seen_at: now }).where('id', '=', id).where('seen_at', '<', now).execute()
}

export async function noteAuthenticated(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('session').set({ authenticated_at: now }).where('id', '=', id).execute()
}

export async function endSession(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('session').set({ ended_at: now }).where('id', '=', id).where('ended_at', 'is', null).execute()
}

/** Ends all sessions of an account. @param but the id of a session that stays open */
export async function endSessionsOf(db: Db, accountId: string, now: number, but = ''): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: now })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('id', '!=', but)
    .execute()
}

/** The name of a session on pages. The id itself stays on the server. */
export const sessionName = ({ id }: Pick<SessionRow, 'id'>): string => hash('sha256', id, 'base64url').slice(0, 22)

/** The open sessions of an account, the last used first. */
export async function listSessions(
  db: Db,
  { id, epoch }: Pick<AccountRow, 'id' | 'epoch'>,
  now: number,
): Promise<readonly SessionRow[]> {
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', id)
    .where('epoch', '=', epoch)
    .where('ended_at', 'is', null)
    .orderBy('seen_at', 'desc')
    .limit(200)
    .execute()
  return rows.filter((row) => isOpen(row, now))
}

/** Returns the time at which each account was last seen in a session, by account id, in UTC milliseconds. */
export async function lastSeen(db: Db, accountIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('session')
    .select(['account_id', (eb) => eb.fn.max('seen_at').as('at')])
    .where('account_id', 'in', accountIds)
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id: id, at }) => [id, at]))
}
