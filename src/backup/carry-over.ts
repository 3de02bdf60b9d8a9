// What a restore doesn't take from the backup: who may be let in. A credential is good afterwards only if the backup has it and it was still
// good in the database that is replaced, so that no code, link, session, token, app, right or password revives (ATTACKS 122). Without that
// database nothing is known of what ended since, and all of them end. A row a table; the code below only obeys.

import { sql, type Transaction } from 'kysely'
import type { Store } from '../store/database.ts'
import type { Schema } from '../store/schema.ts'

/** `standing` is the database that is replaced, `s` its row of the same key; the bare names are the restored one's. */
interface Rule {
  readonly table: keyof Schema
  readonly key: string
  /** What becomes of a row that isn't there any more: it goes, or these columns are set. `:now` is the moment of the restore. */
  readonly gone: 'delete' | Readonly<Record<string, string>>
  /** Columns of a row that is still there. */
  readonly merge: Readonly<Record<string, string>>
  /** With nothing to compare with: as if all were gone, unless it says otherwise. */
  readonly unknown?: Readonly<Record<string, string>>
}

const sooner = (column: string, table: string): string =>
  `coalesce(min(${table}.${column}, s.${column}), ${table}.${column}, s.${column})`
const lowerRole = `case when 'read' in (account.role, s.role) then 'read' when 'content' in (account.role, s.role) then 'content' else 'admin' end`

const rules: readonly Rule[] = [
  {
    table: 'account',
    key: 'id',
    gone: { disabled: '1', epoch: 'epoch + 1' },
    // The password is the present one: an earlier one may have been given up because somebody knew it.
    merge: {
      password_hash: 's.password_hash',
      epoch: 'max(account.epoch, s.epoch)',
      disabled: 'max(account.disabled, s.disabled)',
      role: lowerRole,
    },
    unknown: { epoch: 'epoch + 1' },
  },
  {
    table: 'token',
    key: 'id',
    gone: { revoked_at: 'coalesce(revoked_at, :now)' },
    merge: { revoked_at: sooner('revoked_at', 'token'), expires_at: sooner('expires_at', 'token'), limits: 's.limits' },
  },
  {
    table: 'app_grant',
    key: 'id',
    gone: { revoked_at: 'coalesce(revoked_at, :now)' },
    merge: { revoked_at: sooner('revoked_at', 'app_grant'), expires_at: sooner('expires_at', 'app_grant'), limits: 's.limits' },
  },
  {
    table: 'auth_code',
    key: 'hash',
    gone: { used_at: 'coalesce(used_at, :now)' },
    merge: { used_at: sooner('used_at', 'auth_code'), grant_id: 'coalesce(s.grant_id, auth_code.grant_id)' },
  },
  { table: 'access_token', key: 'hash', gone: 'delete', merge: { expires_at: sooner('expires_at', 'access_token') } },
  { table: 'refresh_token', key: 'hash', gone: 'delete', merge: { used_at: sooner('used_at', 'refresh_token') } },
  {
    table: 'session',
    key: 'id',
    gone: { ended_at: 'coalesce(ended_at, :now)' },
    merge: { ended_at: sooner('ended_at', 'session'), authenticated_at: 'min(session.authenticated_at, s.authenticated_at)' },
  },
  { table: 'one_time_link', key: 'hash', gone: 'delete', merge: { used_at: sooner('used_at', 'one_time_link') } },
  { table: 'token_use', key: 'token_id', gone: {}, merge: { used_at: 'max(token_use.used_at, s.used_at)' } },
]

/** Tables whose present rows go beside the restored ones: answers that are good once, attempts that are counted. */
const added: readonly (keyof Schema)[] = ['consent_answer', 'sign_in_attempt']

/** The tables that a restore holds against those that are replaced; a test holds that none which keeps a credential is left out. */
export const heldTables: ReadonlySet<string> = new Set([...rules.map(({ table }) => table), ...added])

/** What came of it: how many credentials were good in the backup and are no more. */
export interface CarriedOver {
  /** Why there was nothing to compare with, and so all ended; null where there was. */
  readonly unknown: string | null
  readonly tokens: number
  readonly apps: number
  readonly sessions: number
}

export interface CarryOverOptions {
  /** The database that is replaced; undefined where there is none. */
  readonly standing: string | undefined
  /** UTC milliseconds. */
  readonly now: number
  /** With nothing to compare with: leaves personal tokens as they are in the backup, as the operator knows that none was revoked since. */
  readonly keepTokens: boolean
}

/** Holds a restored database against the one that it replaces, in one transaction, and whatever else belongs to it. */
export async function carryOver(
  store: Store,
  { standing, now, keepTokens }: CarryOverOptions,
  also: (db: Transaction<Schema>, carried: CarriedOver) => Promise<void>,
): Promise<CarriedOver> {
  const unknown = standing === undefined ? 'there was no site' : await attachSame(store, standing)
  try {
    return await store.transaction(async (db) => {
      const before = await countGood(db)
      if (unknown === null) await compareAll(db, now)
      else
        for (const rule of rules)
          if (!(keepTokens && rule.table === 'token')) await end(db, rule.table, rule.unknown ?? rule.gone, now)
      const after = await countGood(db)
      const [tokens, apps, sessions] = [before.tokens - after.tokens, before.apps - after.apps, before.sessions - after.sessions]
      const carried = { unknown, tokens, apps, sessions }
      await also(db, carried)
      return carried
    })
  } finally {
    if (unknown === null) await sql`detach database standing`.execute(store.write)
  }
}

/**
 * Makes the database that is replaced known as `standing`, if it is whole and of the same site: a fresh home's has ended nothing.
 * @returns null, or why not
 */
async function attachSame(store: Store, path: string): Promise<string | null> {
  try {
    await sql`attach database ${path} as standing`.execute(store.write)
  } catch (error) {
    return `the database that was there can't be read (${wordsOf(error)})`
  }
  const reason = await differenceOf(store)
  if (reason !== null) await sql`detach database standing`.execute(store.write)
  return reason
}

async function differenceOf(store: Store): Promise<string | null> {
  try {
    const { rows: damage } = await sql<{ quick_check: string }>`pragma standing.quick_check(1)`.execute(store.write)
    if (damage[0]?.quick_check !== 'ok') return 'the database that was there is damaged'
    const { rows } = await sql<{ value: string }>`select here.value from main.site_fact as here join standing.site_fact as there
      on there.name = here.name and there.value = here.value where here.name = 'key_fingerprint'`.execute(store.write)
    return rows.length === 1 ? null : "the database that was there is another site's"
  } catch (error) {
    return `the database that was there can't be read (${wordsOf(error)})`
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message.replace(/ in: [^]*$/, '') : String(error))

async function compareAll(db: Transaction<Schema>, now: number): Promise<void> {
  for (const rule of rules) await compare(db, rule, now)
  for (const table of added) await add(db, table)
  // What backups there are is a fact of the machine, not of the site.
  if ((await columnsOf(db, 'standing', 'backup')).size === 0) return
  await db.deleteFrom('backup').execute()
  await add(db, 'backup')
}

async function compare(db: Transaction<Schema>, { table, key, gone, merge }: Rule, now: number): Promise<void> {
  const columns = await columnsOf(db, 'standing', table)
  // A release back the table wasn't there yet: then nothing in it is known to be good still.
  if (columns.size === 0) return end(db, table, gone, now)
  await end(db, table, gone, now, `${key} not in (select ${key} from standing.${table})`)
  const sets = Object.entries(merge).filter(([column]) => columns.has(column))
  const text = sets.map(([column, value]) => `${column} = ${value}`).join(', ')
  await sql.raw(`update ${table} set ${text} from standing.${table} as s where s.${key} = ${table}.${key}`).execute(db)
}

async function end(db: Transaction<Schema>, table: string, how: Rule['gone'], now: number, where = '1 = 1'): Promise<void> {
  if (how === 'delete') return void (await sql.raw(`delete from ${table} where ${where}`).execute(db))
  const sets = Object.entries(how).map(([column, value]) => `${column} = ${value.replace(':now', String(now))}`)
  if (sets.length > 0) await sql.raw(`update ${table} set ${sets.join(', ')} where ${where}`).execute(db)
}

async function add(db: Transaction<Schema>, table: keyof Schema): Promise<void> {
  const there = await columnsOf(db, 'standing', table)
  const both = [...(await columnsOf(db, 'main', table))].filter((column) => there.has(column)).join(', ')
  if (both !== '') await sql.raw(`insert or replace into ${table} (${both}) select ${both} from standing.${table}`).execute(db)
}

async function columnsOf(db: Transaction<Schema>, database: 'main' | 'standing', table: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table}, ${database})`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function countGood(db: Transaction<Schema>): Promise<Pick<CarriedOver, 'tokens' | 'apps' | 'sessions'>> {
  const count = async (from: string) => {
    const { rows } = await sql.raw<{ n: number }>(`select count(*) as n from ${from}`).execute(db)
    return Number(rows[0]?.n)
  }
  const ofAccount = 'join account a on a.id = x.account_id and a.disabled = 0'
  return {
    tokens: await count(`token x ${ofAccount} where x.revoked_at is null`),
    apps: await count(`app_grant x ${ofAccount} and a.epoch = x.epoch where x.revoked_at is null`),
    sessions: await count(`session x ${ofAccount} and a.epoch = x.epoch where x.ended_at is null`),
  }
}
