// Checks that a backup's database contains Postern's tables and indexes and nothing else. Each SQL text is compared with the one
// that Postern's own migrations produce. Without this check, the restored site could run a foreign trigger or view, or trust a
// foreign table.

import { rm } from 'node:fs/promises'
import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import { openStore } from '../store/core/database.ts'
import { isContract, migrateToLatest } from '../store/core/migrate.ts'
import { migrations } from '../store/migrations/index.ts'
import { filesOf, readFileSchema, type SchemaPart } from '../store/core/database-file.ts'
import { createLog } from '../base/log.ts'

export interface SchemaOptions {
  /** A free path for the database that Postern's migrations produce for the comparison. */
  readonly scratch: string
  /**
   * The migrations of a later release that are allowed. `any` suits a backup that is only tested: later migrations may add plain
   * tables and indexes. `standing` is the path of the database that is replaced: its migrations are allowed if both databases
   * have the same schema. `undefined` allows none.
   */
  readonly later: 'any' | { readonly standing: string } | undefined
}

/**
 * Checks the schema of a backup's database.
 * @throws Failure `unprocessable`, naming the object that is not part of Postern; `refused` for migrations of a later release
 * that the options don't allow
 */
export async function checkSchema(path: string, { scratch, later }: SchemaOptions): Promise<void> {
  const found = await readSchema(path)
  const known = Object.keys(migrations).sort()
  const ours = found.migrations.filter((name) => known.includes(name))
  const unknown = found.migrations.filter((name) => !known.includes(name))
  if (ours.some((name, at) => name !== known[at])) throw bad('its database names migrations that don’t follow each other')
  const own = partsByName(await ownSchema(scratch, ours))
  if (unknown.length === 0) return checkSame(found.parts, own)
  const strange = found.parts.find((part) => !isPlain(part) && !isSame(part, own))
  if (strange) throw noPart(strange)
  if (later === 'any') return
  const standing = later && (await readSchema(later.standing).catch(() => undefined))
  if (!standing || unknown.some((name) => isContract(name) || !standing.migrations.includes(name)))
    throw newer(unknown.at(-1) ?? '')
  checkSame(found.parts, partsByName(standing.parts))
}

type Parts = ReadonlyMap<string, SchemaPart>

const partsByName = (parts: readonly SchemaPart[]): Parts => new Map(parts.map((part) => [part.name, part]))

const isSame = ({ name, type, sql }: SchemaPart, expected: Parts): boolean => {
  const known = expected.get(name)
  return known?.type === type && known.sql === sql
}

function checkSame(found: readonly SchemaPart[], expected: Parts): void {
  const strange = found.find((part) => !isSame(part, expected))
  if (strange) throw noPart(strange)
  const names = new Set(found.map(({ name }) => name))
  const missing = [...expected.values()].find(({ name }) => !names.has(name))
  if (missing) throw bad(`its database lacks the ${missing.type} ${missing.name}`)
}

/** True if a part is an ordinary table or an index. Triggers, views and virtual tables can run code. */
function isPlain({ type, sql }: SchemaPart): boolean {
  return (type === 'table' && sql !== null && /^create table\b/i.test(sql)) || type === 'index'
}

/** The schemas that were read, by the names of their migrations: one for each release from which a backup came. */
const ownSchemas = new Map<string, Promise<readonly SchemaPart[]>>()

/** The schema that these migrations of Postern produce. It takes half a second to make, so a process makes it once. */
function ownSchema(scratch: string, names: readonly string[]): Promise<readonly SchemaPart[]> {
  const key = names.join()
  const known = ownSchemas.get(key)
  if (known) return known
  const schema = readOwn(scratch, names)
  ownSchemas.set(key, schema)
  schema.catch(() => ownSchemas.delete(key))
  return schema
}

async function readOwn(scratch: string, names: readonly string[]): Promise<readonly SchemaPart[]> {
  const log = createLog('error', () => undefined)
  try {
    const store = await openStore({ path: scratch, readers: 1, log })
    try {
      await migrateToLatest(store, Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name))))
    } finally {
      await store.close()
    }
    return (await readSchema(scratch)).parts
  } finally {
    for (const file of filesOf(scratch)) await rm(file, { force: true })
  }
}

async function readSchema(path: string): Promise<Awaited<ReturnType<typeof readFileSchema>>> {
  try {
    return await readFileSchema(path)
  } catch (cause) {
    throw bad(`its database is damaged: ${errorMessage(cause)}`)
  }
}

export const bad = (what: string): Failure => new Failure('unprocessable', `This backup is of no use: ${what}.`)

const noPart = ({ type, name }: SchemaPart): Failure =>
  bad(
    `its database holds the ${/^[a-z]+$/.test(type) ? type : 'object'} ${JSON.stringify(name)}, which is not part of Postern in this form`,
  )

const newer = (name: string): Failure =>
  new Failure(
    'refused',
    `This backup is newer than this code: its database has the migration ${name}. Restore it with that release.`,
    {
      rule: 'a restore brings in nothing that this release doesn’t know',
    },
  )
