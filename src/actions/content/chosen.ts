// The choice of entries in calls about many: by `ids`, or by `where` as in `list`. Entries in the trash are excluded.

import { eachOnce } from '../shared/several.ts'
import { type TProperties, Type } from 'typebox'
import { Failure, invalid } from '../../base/failure.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { compileWhere } from '../lists/where.ts'
import type { WherePart } from '../lists/where-part.ts'
import { listFor } from './list.ts'
import { idsProperty, getNamed } from './named.ts'

export const whereProperty = (description: string) => Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description }))

/** The arguments that choose entries. */
export const chosenProperties = {
  ids: Type.Optional(idsProperty),
  where: whereProperty('Conditions as in `list`; `{}` means every entry that is not in the trash.'),
} satisfies TProperties

export interface Chosen {
  readonly ids?: readonly string[] | undefined
  readonly where?: Readonly<Record<string, unknown>> | undefined
}

/** The most rows in memory at a time. */
const pageRows = 100

/** @throws Failure `invalid` unless exactly one of the two is given */
export function checkChosen({ ids, where }: Chosen): void {
  if ((ids === undefined) !== (where === undefined)) return
  throw invalid(ids ? 'where' : 'ids', 'Give either `ids` or `where`.', 'one of `ids` and `where`')
}

/** Returns the id and revision of each chosen entry, at most `most + 1`. @throws Failure `not_found` for an unknown id */
export async function listChosen(
  context: Context,
  { ids, where = {} }: Chosen,
  most: number,
): Promise<readonly Pick<EntryRow, 'id' | 'revision'>[]> {
  if (ids !== undefined) {
    const rows = await eachOnce(ids, (id) => getNamed(context, id))
    return rows.filter(({ status }) => status !== 'trash')
  }
  const parts = await compileWhere(context, 'entry', listFor(context).fields, where)
  const all = context.db.selectFrom('entry').select(['id', 'revision']).where('status', '!=', 'trash')
  return parts
    .reduce((query, { plain }: WherePart) => query.where(plain), all)
    .orderBy('id')
    .limit(most + 1)
    .execute()
}

/** Yields the whole rows of these entries in batches. */
export async function* readEntries(
  { db, signal }: Context,
  chosen: readonly Pick<EntryRow, 'id'>[],
): AsyncGenerator<readonly EntryRow[]> {
  const ids = chosen.map(({ id }) => id)
  for (let at = 0; at < ids.length; at += pageRows) {
    signal.throwIfAborted()
    const page = ids.slice(at, at + pageRows)
    yield await db.selectFrom('entry').selectAll().where('id', 'in', page).orderBy('id').execute()
  }
}

/** @throws Failure `refused` for more entries than one call may change */
export function checkMany(count: number, most: number): void {
  if (count <= most) return
  throw new Failure('refused', `One call is for at most ${most.toLocaleString('en')} entries.`, {
    field: 'where',
    rule: 'one call is for a bounded number of entries',
    hint: 'Narrow `where`, and make several calls.',
  })
}
