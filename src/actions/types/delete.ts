import { Type } from 'typebox'
import { withDefaults } from '../../content/types/custom-values.ts'
import { checkEntryLimits } from '../../content/entries/allowed.ts'
import { typesIn } from '../../content/types/entry-type-reader.ts'
import { builtInTypes, type EntryType } from '../../content/types/entry-types.ts'
import { changeEntry } from '../../content/entries/write-entry.ts'
import { Failure, invalid } from '../../base/failure.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type WriteContext } from '../call/action.ts'
import { doneOutput } from '../call/write-answer.ts'
import { writingOf } from '../content/writing.ts'
import { entriesOf } from './entries.ts'
import { getType, typeIdProperty } from './item.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'

export const deleteType = action('SVC_Types.delete', {
  title: 'Delete [the type {title}|a type]',
  summary: 'Removes a type of entries. Its entries need another type first, or `move_to`.',
  did: 'deleted [the type {title}|a type]',
  object: { kind: 'entry_type', page: 'type' },
  tier: 'admin',
  effect: 'write',
  failures: ['not_found', 'in_use', 'exists'],
  touches: 'site',
  revisioned: true,
  input: closed({
    id: typeIdProperty,
    move_to: Type.Optional(nonEmptyText('Slug of the type that its entries get. Their addresses redirect.', 100)),
  }),
  output: doneOutput,
  examples: [{ title: 'A type, whose entries become posts', input: { id: 'recipe', move_to: 'post' } }],
  async run(context, { id, move_to: target }) {
    const { change, db } = context
    const row = await getType(db, id)
    if (builtInTypes.slugs.includes(id))
      throw new Failure('refused', `The type ${id} belongs to the program, and stays.`, {
        rule: 'built-in types stay',
        field: 'id',
      })
    if (target !== undefined) await moveEntries(context, id, target)
    else await checkEmpty(context, id)
    await change.remove('entry_type', row)
    return { done: [id], unchanged: [], warnings: [], activity_id: null }
  },
})

/** @throws Failure `in_use` */
async function checkEmpty({ db }: WriteContext, type: string): Promise<void> {
  const by = await db
    .selectFrom('entry')
    .select(['id', 'title', 'path', 'status'])
    .where('type', '=', type)
    .orderBy('id')
    .limit(20)
    .execute()
  if (by.length === 0) return
  throw new Failure('in_use', `There are entries of the type ${type}.`, {
    by,
    field: 'move_to',
    hint: '`move_to` gives them another type. Entries in the trash count too.',
  })
}

/** @throws Failure `invalid` for an unknown type, or a required field without a value; `exists` for a taken path */
async function moveEntries(context: WriteContext, type: string, target: string): Promise<void> {
  const types = await typesIn(context.db)
  const others = types.slugs.filter((slug) => slug !== type)
  if (!others.includes(target))
    throw invalid(
      'move_to',
      `There is no other type ${JSON.stringify(target.slice(0, 80).toWellFormed())}.`,
      `one of ${others.join(', ')}`,
    )
  for await (const entry of entriesOf(context, type)) {
    if (entry.status === 'trash') await retypeTrashed(context, entry, types.of(target))
    else await changeEntry({ ...writingOf(context), types }, entry, { type: target })
  }
}

/** Changes the type of an entry in the trash. It has no path, and gets one when it is restored. */
async function retypeTrashed({ change, caller }: WriteContext, entry: EntryRow, type: EntryType): Promise<void> {
  const patch = { type: type.slug, fields: withDefaults(entry.fields, type) }
  checkEntryLimits(caller, entry, { ...entry, ...patch })
  await change.update('entry', entry, patch)
}
