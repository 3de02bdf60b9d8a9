// Decides who has access after a restore. A restore never adds rights to anyone (attacks 122, 138, 139). An account, token or
// grant that is in both databases gets the lower rights of the two. One that is only in the backup loses its access. If there is
// no database to compare with, all of them lose their access. The rules are in `carry-rules.ts`.
//
// The `standing` database is the current one, which the restore replaces.

import { sql, type Transaction } from 'kysely'
import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import type { TokenLimits } from '../identity/caller.ts'
import { lowerLimits } from '../identity/token-limits.ts'
import { parseObject } from '../base/json.ts'
import { definitions } from '../settings/definitions.ts'
import { maintenanceKey } from '../settings/maintenance.ts'
import { attachStanding, columnsOf, detachStanding, findStandingDamage } from '../store/core/database-file.ts'
import type { Store } from '../store/core/database.ts'
import type { Schema } from '../store/core/schema.ts'
import { searchOf } from '../store/search/search.ts'
import { endUsedCodes, factorTables, settleFactors } from './carry-factors.ts'
import { carryPlugins } from './carry-plugins.ts'
import { raiseTiers } from './carry-records.ts'
import { type Rule, rules } from './carry-rules.ts'
import { ofMachine, singleUse } from './single-use.ts'

/** The tables that a restore compares with the standing database. A test checks that every table with credentials is among them. */
export const heldTables: ReadonlySet<string> = new Set([...rules, ...singleUse, ...factorTables].map(({ table }) => table))

/** The access that a restore ended. */
export interface CarriedOver {
  /** The reason why there was no database to compare with, so that all access ended; null if there was one. */
  readonly unknown: string | null
  /** The number of tokens and apps that were usable in the backup and no longer are. */
  readonly tokens: number
  readonly apps: number
  /** Ids of the plugins that were active in the backup and no longer are. */
  readonly plugins: readonly string[]
}

export interface CarryOverOptions {
  /** Path of the standing database; undefined if there is none. */
  readonly standing: string | undefined
  /** `user-content/plugins` of the new home. */
  readonly pluginsFolder: string
  /** UTC milliseconds. */
  readonly now: number
  /**
   * True if personal tokens stay as they are in the backup, even without a database to compare with. The operator vouches that
   * none of them was revoked since the backup.
   */
  readonly keepTokens: boolean
  /** True if the standing database may belong to another site that has accounts. */
  readonly otherSite: boolean
}

/**
 * Compares a restored database with the standing one and lowers its rights, in one transaction.
 * @param also runs at the end of the transaction
 * @throws Failure `unprocessable` for a backup whose file was changed; `refused` for a backup of another site
 */
export async function carryOver(
  store: Store,
  { standing, pluginsFolder, now, keepTokens, otherSite }: CarryOverOptions,
  also: (db: Transaction<Schema>, carried: CarriedOver) => Promise<void>,
): Promise<CarriedOver> {
  const unknown = standing === undefined ? 'there was no site' : await attachSame(store, standing, otherSite)
  try {
    return await store.transaction(async (db) => {
      if (unknown === null) for (const rule of rules) await checkFixed(db, rule)
      const before = await countGood(db)
      if (unknown === null) await compareAll(db, now)
      else
        for (const rule of rules)
          if (!(keepTokens && rule.table === 'token')) await end(db, rule.table, rule.unknown ?? rule.gone, now)
      for (const { table, of } of singleUse) await take(db, table, unknown === null, of)
      if (unknown === null) for (const { table, of } of factorTables) await take(db, table, true, of)
      else await endUsedCodes(db, now)
      await settleFactors(db)
      for (const table of ofMachine) await take(db, table, unknown === null)
      await raiseTiers(db)
      // The index of a backup may contain words that its entries don't.
      await searchOf(db).reset(db)
      const plugins = await carryPlugins(db, pluginsFolder, unknown === null)
      const after = await countGood(db)
      const carried = { unknown, tokens: before.tokens - after.tokens, apps: before.apps - after.apps, plugins }
      await also(db, carried)
      return carried
    })
  } finally {
    if (unknown === null) await detachStanding(store)
  }
}

/**
 * Attaches the standing database as `standing`, if it is undamaged and belongs to the same site.
 * @returns null if it is attached; otherwise the reason why it is not
 */
async function attachSame(store: Store, path: string, otherSite: boolean): Promise<string | null> {
  try {
    await attachStanding(store, path)
  } catch (error) {
    return `the database that was there can't be read (${wordsOf(error)})`
  }
  const reason = await differenceOf(store, otherSite).catch(async (error: unknown) => {
    await detachStanding(store)
    throw error
  })
  if (reason !== null) await detachStanding(store)
  return reason
}

async function differenceOf(store: Store, otherSite: boolean): Promise<string | null> {
  try {
    if ((await findStandingDamage(store)) !== undefined) return 'the database that was there is damaged'
    const { rows } = await sql<{ value: string }>`select here.value from main.site_fact as here join standing.site_fact as there
      on there.name = here.name and there.value = here.value where here.name = 'key_fingerprint'`.execute(store.write)
    if (rows.length === 1) return null
    const { rows: people } = await sql`select 1 from standing.account limit 1`.execute(store.write)
    // The accounts of a foreign backup would gain access to a standing site that has accounts. A fresh home has none to protect.
    if (people.length > 0 && !otherSite) throw foreign()
    return "the database that was there is another site's"
  } catch (error) {
    if (error instanceof Failure && error.code === 'refused') throw error
    return `the database that was there can't be read (${wordsOf(error)})`
  }
}

const foreign = () =>
  new Failure('refused', 'This backup is of another site than the one that is here, which has accounts: nothing was changed.', {
    rule: 'a restore lets nobody in who was not let in before',
    hint: 'Where it is meant to take this site’s place, with its own accounts and passwords: postern restore FILE --other-site',
  })

const wordsOf = (error: unknown): string => errorMessage(error).replace(/ in: [^]*$/, '')

/**
 * Checks the columns that never change.
 * @throws Failure `unprocessable`, naming the first row whose fixed columns differ from those of the standing row
 */
async function checkFixed(db: Transaction<Schema>, { table, key, called, fixed }: Rule): Promise<void> {
  const columns = await columnsOf(db, 'standing', table)
  for (const column of fixed.filter((one) => columns.has(one))) {
    const { rows } = await sql
      .raw<{ id: string }>(
        `select ${table}.${key} as id from ${table} join standing.${table} as s on s.${key} = ${table}.${key}
         where ${table}.${column} is not s.${column} order by 1 limit 1`,
      )
      .execute(db)
    const [row] = rows
    if (row)
      throw new Failure(
        'unprocessable',
        `The ${called} ${row.id} in this backup is not the one of this site: its ${fixedWords[column] ?? column} was changed in the file. Nothing was changed.`,
      )
  }
}

const fixedWords: Readonly<Record<string, string>> = { hash: 'secret', client_hash: 'client', account_id: 'account' }

async function compareAll(db: Transaction<Schema>, now: number): Promise<void> {
  await freeAddresses(db)
  for (const rule of rules) await compare(db, rule, now)
  await keepSettings(db)
  await keepSetUp(db)
}

/**
 * Gives accounts a provisional e-mail address before the standing addresses are written. Addresses are unique, and two accounts may
 * have exchanged theirs, or an account may now have the address of a deleted one.
 */
async function freeAddresses(db: Transaction<Schema>): Promise<void> {
  await sql`update account set email = id || ' was ' || email
    where id in (select id from standing.account) or email in (select email from standing.account)`.execute(db)
}

/** Keeps the standing values of the settings that only an admin may change, and of maintenance mode. */
async function keepSettings(db: Transaction<Schema>): Promise<void> {
  const closed = Object.entries(definitions).filter(([, { tier }]) => tier === 'admin')
  for (const [key] of closed) await sql`delete from setting where key = ${key}`.execute(db)
  for (const key of [...closed.map(([name]) => name), maintenanceKey])
    await sql`insert or replace into setting (key, value, created_at, updated_at, revision)
      select key, value, created_at, updated_at, revision from standing.setting where key = ${key}`.execute(db)
}

/** Copies the record that the site was set up, so that nobody can set it up again after the restore. */
async function keepSetUp(db: Transaction<Schema>): Promise<void> {
  await sql`insert or ignore into site_fact (name, value) select name, value from standing.site_fact where name = 'set_up_by'`.execute(
    db,
  )
  await sql`insert or ignore into site_fact (name, value) select 'set_up_by', min(id) from standing.account
    where not exists (select 1 from main.account) having count(*) > 0`.execute(db)
}

async function compare(db: Transaction<Schema>, { table, key, gone, merge, limited }: Rule, now: number): Promise<void> {
  const columns = await columnsOf(db, 'standing', table)
  // The standing database may be of an earlier release that lacks this table. Then no row of the backup can be compared.
  if (columns.size === 0) return end(db, table, gone, now)
  await end(db, table, gone, now, `${key} not in (select ${key} from standing.${table})`)
  const sets = Object.entries(merge).filter(([column]) => columns.has(column))
  const text = sets.map(([column, value]) => `${column} = ${value}`).join(', ')
  await sql.raw(`update ${table} set ${text} from standing.${table} as s where s.${key} = ${table}.${key}`).execute(db)
  if (limited) await lowerAll(db, table, key)
}

async function lowerAll(db: Transaction<Schema>, table: string, key: string): Promise<void> {
  const { rows } = await sql
    .raw<{ id: string; limits: string; standing: string }>(
      `select ${table}.${key} as id, ${table}.limits, s.limits as standing from ${table}
       join standing.${table} as s on s.${key} = ${table}.${key} where ${table}.limits is not s.limits`,
    )
    .execute(db)
  for (const { id, limits, standing } of rows) {
    const both = JSON.stringify(lowerLimits(limitsIn(limits, id), limitsIn(standing, id)))
    await sql`update ${sql.table(table)} set limits = ${both} where ${sql.ref(key)} = ${id}`.execute(db)
  }
}

function limitsIn(text: string, id: string): TokenLimits {
  const limits = parseObject(text)
  if (limits) return limits
  throw new Failure('unprocessable', `This backup is of no use: the limits of ${id} in it are damaged.`)
}

async function end(db: Transaction<Schema>, table: string, how: Rule['gone'], now: number, where = '1 = 1'): Promise<void> {
  const sets = Object.entries(how).map(([column, value]) => `${column} = ${value.replace(':now', String(now))}`)
  if (sets.length > 0) await sql.raw(`update ${table} set ${sets.join(', ')} where ${where}`).execute(db)
}

/**
 * Replaces the backup's rows by the standing ones.
 * @param of if given, only rows whose owner exists in the restored database are taken
 */
async function take(
  db: Transaction<Schema>,
  table: keyof Schema,
  compared: boolean,
  of?: { readonly column: string; readonly table: string },
): Promise<void> {
  await db.deleteFrom(table).execute()
  const there = compared ? await columnsOf(db, 'standing', table) : new Set<string>()
  const both = [...(await columnsOf(db, 'main', table))].filter((column) => there.has(column)).join(', ')
  const owned = of ? ` where ${of.column} in (select id from main.${of.table})` : ''
  if (both !== '') await sql.raw(`insert into main.${table} (${both}) select ${both} from standing.${table}${owned}`).execute(db)
}

async function countGood(db: Transaction<Schema>): Promise<Pick<CarriedOver, 'tokens' | 'apps'>> {
  const count = async (from: string) => {
    const { rows } = await sql.raw<{ n: number }>(`select count(*) as n from ${from}`).execute(db)
    return Number(rows[0]?.n)
  }
  const ofAccount = 'join account a on a.id = x.account_id and a.disabled = 0'
  return {
    tokens: await count(`token x ${ofAccount} where x.revoked_at is null`),
    apps: await count(`app_grant x ${ofAccount} and a.epoch = x.epoch where x.revoked_at is null`),
  }
}
