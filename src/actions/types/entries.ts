// The entries of a type whose definition changes: new names and defaults of their values, and the paths.

import { storedValues, toColumn, withDefaults } from '../../content/types/custom-values.ts'
import type { EntryType } from '../../content/types/entry-types.ts'
import type { FieldDefinition } from '../../content/types/field-definition.ts'
import { checkEntryLimits } from '../../content/entries/allowed.ts'
import { prefixOf, readLanguages } from '../../content/languages/languages.ts'
import { keepFormerPath } from '../../content/entries/path.ts'
import { Failure } from '../../base/failure.ts'
import type { Db } from '../../store/core/database.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { WriteContext } from '../call/action.ts'

/** The old and new names of fields. */
export type Renames = readonly (readonly [old: string, name: string])[]

export interface Rewriting {
  readonly renames: Renames
  /** Fields that have become required. Entries without a value get the default. */
  readonly filled: readonly FieldDefinition[]
  /** The new path above the entries; undefined for no change. */
  readonly base: string | undefined
}

/** The number of entries per read. */
export const entriesAtOnce = 200

/** Returns the next entries of a type, in the order of their ids. */
export const listEntries = (db: Db, type: string, after: string): Promise<EntryRow[]> =>
  db.selectFrom('entry').selectAll().where('type', '=', type).where('id', '>', after).orderBy('id').limit(entriesAtOnce).execute()

/**
 * Changes all entries of a type to match a new definition.
 * @returns the number of changed entries
 * @throws Failure `refused` if another entry has the new path of one
 */
export async function rewriteEntries(context: WriteContext, type: EntryType, rewriting: Rewriting): Promise<number> {
  const { renames, filled, base } = rewriting
  if (renames.length === 0 && filled.length === 0 && base === undefined) return 0
  const languages = await readLanguages(context.db)
  const pathOf = ({ locale, slug }: EntryRow) => `${prefixOf(languages, locale)}${base}/${slug}`
  let affected = 0
  for await (const row of entriesOf(context, type.slug)) {
    const fields = withDefaults(renamedValues(row.fields, renames), { fields: filled })
    const path = base === undefined || row.path === null ? row.path : await freePath(context, row, pathOf(row))
    if (fields === row.fields && path === row.path) continue
    checkEntryLimits(context.caller, row, row)
    await context.change.update('entry', row, { fields, path })
    if (path !== row.path) await keepFormerPath(context.change, row)
    affected += 1
  }
  return affected
}

/** Yields all entries of a type, also those in the trash. */
export async function* entriesOf({ db }: Pick<WriteContext, 'db'>, type: string): AsyncGenerator<EntryRow> {
  for (let after = ''; ;) {
    const rows = await listEntries(db, type, after)
    yield* rows
    if (rows.length < entriesAtOnce) return
    after = rows.at(-1)?.id ?? ''
  }
}

function renamedValues(column: string, renames: Renames): string {
  const values = storedValues(column)
  if (!renames.some(([old]) => Object.hasOwn(values, old))) return column
  const named = new Map(renames)
  const targets = new Set(named.values())
  const kept = Object.entries(values).filter(([name]) => named.has(name) || !targets.has(name))
  return toColumn(Object.fromEntries(kept.map(([name, value]) => [named.get(name) ?? name, value])))
}

/** @throws Failure `refused` if another entry has this path */
async function freePath({ db }: WriteContext, { id, title }: EntryRow, path: string): Promise<string> {
  const taken = await db.selectFrom('entry').select(['id', 'title', 'path']).where('path', '=', path).executeTakeFirst()
  if (!taken || taken.id === id) return path
  throw new Failure('refused', `${JSON.stringify(title)} would get the path ${path}, which ${JSON.stringify(taken.title)} has.`, {
    field: 'path',
    rule: 'a path belongs to one thing',
    by: taken,
    hint: 'Give one of the two another slug first.',
  })
}
