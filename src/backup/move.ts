// Moves a site between an SQLite file and PostgreSQL. The source is only read. The target gets the complete site in one step,
// after every table was compared. A killed move therefore leaves nothing, and can be run again.

import { access, chmod, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncToDisk } from '../base/durable.ts'
import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { findDifference, type ReadableTables, sumTables, type TableSums } from '../store/core/copy-tables.ts'
import { filesOf, findFileDamage } from '../store/core/database-file.ts'
import type { DatabasePlace } from '../store/core/database.ts'
import {
  checkUpToDate,
  copySchema,
  hasMark,
  hasSite,
  inSnapshot,
  loadSite,
  openSchema,
  prepareTarget,
  readFileTables,
  type SchemaSession,
  setMark,
} from '../store/core/site-copy.ts'
import { enterHomeAlone } from './enter-home.ts'
import { giveTo, ownerOf } from './owner.ts'

export interface MoveOrder {
  readonly home: string
  readonly from: DatabasePlace
  readonly to: DatabasePlace
  /** Called after each batch of rows. */
  readonly onRows?: ((table: string, rows: number) => void) | undefined
}

export interface Moved {
  /** `already` if an earlier move was completed, and both databases are still the same. */
  readonly how: 'copied' | 'already'
  /** True if an earlier move was interrupted. This move used nothing of it. */
  readonly again: boolean
  readonly tables: number
  readonly rows: number
}

/**
 * Copies the site of a home to another database. No process may have the site open.
 * @throws Failure `refused`, `unavailable` or `unprocessable`; then the target is unchanged
 */
export async function moveSite(order: MoveOrder): Promise<Moved> {
  const { home, from, to } = order
  if ('path' in from && (await isEmpty(from.path))) throw noSite(home)
  const { leave } = await enterHomeAlone(home, from)
  try {
    if ('path' in from && 'postgres' in to) return await moveToSchema(order, from.path, to.postgres)
    if ('postgres' in from && 'path' in to) return await moveToFile(order, from.postgres, to.path)
  } finally {
    await leave()
  }
  throw new Failure(
    'refused',
    `The site is ${'path' in from ? 'in an SQLite file' : 'on PostgreSQL'} already: move goes from one to the other.`,
    {
      rule: 'a move changes the kind of the database',
      hint: 'path' in from ? 'postern move --to postgres://postern@db.example.org/postern' : 'postern move --to sqlite',
    },
  )
}

const noSite = (where: string) =>
  new Failure('unavailable', `There is no site in ${where}.`, { hint: 'name its folder in POSTERN_HOME' })

type Address = Extract<DatabasePlace, { postgres: unknown }>['postgres']

/** The mark of a move that has begun. It disappears with the commit that completes the move. */
const mark = 'move'

async function moveToSchema({ onRows }: MoveOrder, path: string, address: Address): Promise<Moved> {
  const damage = await findFileDamage(path).catch((error: unknown) => [errorMessage(error)])
  if (damage.length > 0) throw new Failure('unprocessable', `The database ${path} is damaged: ${damage[0]}.`)
  const source = await readFileTables(path)
  let target: SchemaSession | undefined
  try {
    await checkUpToDate(source, path)
    target = await openSchema(address, 'exclusive')
    await prepareTarget(target)
    const where = `The schema ${address.schema} of the database ${address.database}`
    if (await hasSite(target)) return await compareSchema(target, source, where)
    if ((await target.tables.listColumns()).size > 0)
      throw new Failure('refused', `${where} has another program's tables: name an empty schema, with ?schema=NAME.`)
    const again = await hasMark(target, mark)
    await setMark(target, mark)
    return movedBy(await loadSite(target, source, { replace: false, marks: { remove: mark }, onRows }), again)
  } finally {
    await target?.close()
    await source.close()
  }
}

async function moveToFile({ home, onRows }: MoveOrder, address: Address, path: string): Promise<Moved> {
  const source = await openSchema(address, 'exclusive')
  const draft = `${path}.moving`
  try {
    if (!(await hasSite(source))) throw noSite(`the schema ${address.schema} of the database ${address.database}`)
    await checkUpToDate(source.tables, `The database ${address.database}`)
    await checkFolder(path)
    if (!(await isEmpty(path))) return await compareFile(source, path)
    const again = !(await isEmpty(draft))
    const read = await copySchema(source, draft, { onRows })
    await checkFile(draft, read)
    await chmod(draft, 0o600)
    await giveTo(draft, await ownerOf(home))
    await syncToDisk(draft)
    for (const file of filesOf(path)) await rm(file, { force: true })
    await rename(draft, path)
    await syncToDisk(dirname(path))
    return movedBy(read, again)
  } finally {
    for (const file of filesOf(draft)) await rm(file, { force: true })
    await source.close()
  }
}

async function checkFolder(path: string): Promise<void> {
  if ((await unlessMissing(access(dirname(path)).then(() => true))) === undefined)
    throw new Failure('not_found', `There is no folder ${dirname(path)}.`, { id: dirname(path) })
}

async function checkFile(path: string, expected: TableSums): Promise<void> {
  const damage = await findFileDamage(path)
  const file = await readFileTables(path)
  try {
    const difference = findDifference(expected, await sumTables(file))
    if (difference === undefined && damage.length === 0) return
    throw new Failure(
      'failed',
      `The copy is not the same: ${damage[0] ?? `the table ${difference} differs`}. Nothing was changed.`,
    )
  } finally {
    await file.close()
  }
}

function compareSchema(target: SchemaSession, source: ReadableTables, where: string): Promise<Moved> {
  const remedy = `drop schema ${target.address.schema} cascade;`
  return inSnapshot(target, () => compareWith(target.tables, source, where, remedy))
}

async function compareFile(source: SchemaSession, path: string): Promise<Moved> {
  const remedy = `mv ${path} ${path}.before`
  let file
  try {
    file = await readFileTables(path)
  } catch (error) {
    throw taken(`${path} is there already, and is no database of Postern (${errorMessage(error)})`, remedy)
  }
  try {
    const there = file
    return await inSnapshot(source, () => compareWith(there, source.tables, path, remedy))
  } finally {
    await file.close()
  }
}

/**
 * Checks a target that already has a site, which is left alone. An identical site is accepted: an earlier move was completed, but
 * not reported.
 */
async function compareWith(target: ReadableTables, source: ReadableTables, where: string, remedy: string): Promise<Moved> {
  const [keyHere, keyThere] = [await keyOf(source), await keyOf(target)]
  if (keyThere !== keyHere) throw taken(`${where} has another site already`, remedy)
  const sums = await sumTables(source)
  const difference = findDifference(sums, await sumTables(target))
  if (difference === undefined) return { ...movedBy(sums, false), how: 'already' }
  throw taken(`${where} has this site already, in another state: the table ${difference} differs`, remedy)
}

const taken = (what: string, remedy: string) =>
  new Failure('refused', `${what}. Nothing was changed.`, {
    rule: 'a move takes the place of nothing',
    hint: `If nobody needs what is there: ${remedy}`,
  })

/** The fingerprint of the site's key; undefined if there is none, or no such table. */
async function keyOf(tables: ReadableTables): Promise<unknown> {
  if (!(await tables.listColumns()).has('site_fact')) return undefined
  for await (const rows of tables.readRows('site_fact', ['name', 'value']))
    for (const [name, value] of rows) if (name === 'key_fingerprint') return value
  return undefined
}

const movedBy = (sums: TableSums, again: boolean): Moved => ({
  how: 'copied',
  again,
  tables: sums.size,
  rows: [...sums.values()].reduce((sum, { rows }) => sum + rows, 0),
})

const isEmpty = async (path: string): Promise<boolean> => ((await unlessMissing(stat(path)))?.size ?? 0) === 0
