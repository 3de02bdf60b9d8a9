// SVC_Content.list: entries that the caller may see, a page at a time, without their bodies unless those are asked for.

import { Type } from 'typebox'
import { publicOnly } from '../../../content/entry.ts'
import type { EntryField, FieldInList } from '../../../content/entry-field.ts'
import { entryTypes, entryTypeSlugs } from '../../../content/entry-types.ts'
import { fieldRows, leanColumns } from '../../../content/field-lists.ts'
import { Failure } from '../../../failure.ts'
import { includesTier } from '../../../identity/caller.ts'
import { canonical, jsonText, JsonText } from '../../../json.ts'
import { isRelativeDate } from '../../../settings/time-zone.ts'
import type { EntryRow } from '../../../store/schema.ts'
import { action, type Context } from '../../action.ts'
import { type ListInput, type ListQuery, listAnswer, listOutput, listProperties, listRows, type ListSpec } from '../../list.ts'
import type { ListField, ListFields } from '../../list-field.ts'
import { someCondition } from '../../where.ts'
import { entryFinder } from './fields.ts'
import { entryItem, itemOf, wantsMore } from './item.ts'

const listFields: ListFields = Object.fromEntries(
  fieldRows.flatMap(([name, field]) => (field.list ? [[name, listField(field, field.list)]] : [])),
)

/**
 * How lists use a field. A caller who may not see the parent that `resolve` finds learns nothing by its path: the list shows only what
 * is below it.
 */
function listField({ column, stores, choices }: EntryField, { sort, folded, resolve }: FieldInList): ListField {
  return {
    column,
    kind: choices ? 'choice' : stores === 'json' ? 'text' : stores,
    ...(choices && { choices }),
    ...(sort && { sort }),
    ...(folded && { folded }),
    ...(resolve && { resolve: async (ref, context) => (await resolve(ref, entryFinder(context))) ?? null }),
  }
}

const typesInWords = Object.values(entryTypes)
  .map(({ plural }) => plural)
  .join(' and ')

const searchedColumns = fieldRows.flatMap(([, { column, list: inList }]) => (inList?.search ? [column] : []))

/** How entries can be filtered and sorted, by everybody alike: none of these columns is hidden from who may see the entry. */
export const entryList: ListSpec<'entry'> = {
  table: 'entry',
  key: 'id',
  fields: listFields,
  sort: '-created_at',
  search: searchedColumns,
}

export const list = action({
  class: 'SVC_Content',
  name: 'list',
  summary: `Lists entries: ${typesInWords}.`,
  tier: 'any',
  effect: 'read',
  touches: 'nothing',
  input: Type.Object(
    {
      ...listProperties(entryList),
      type: Type.Optional(Type.Enum(entryTypeSlugs, { description: 'Only entries of this type.' })),
      locale: Type.Optional(Type.String({ description: 'Only entries of this language tag.', maxLength: 50 })),
    },
    { additionalProperties: false },
  ),
  output: listOutput(entryItem),
  examples: [
    { title: 'The newest posts', input: { type: 'post', sort: '-published_at', limit: 5 } },
    { title: 'Drafts about something', input: { where: { status: 'draft' }, search: 'about', count: true } },
  ],
  run(context, input) {
    const fresh = () => ask(context, input as EntryListInput)
    if (!isStanding(context) || dependsOnNow(input.where)) return fresh() as never
    // Who sees everything is told the same until something changes, whoever asks.
    const key = `SVC_Content.list ${context.origin} ${canonical(input)}`
    const { answers } = context.site
    const asText = async () => new JsonText(jsonText(await fresh()))
    return (answers.get(key) ?? answers.load(key, asText).catch((error: unknown) => askAgain(context, error, asText))) as never
  },
})

/** Callers who ask the same at the same time share one load, and it ends when the first of them leaves: the others ask for themselves. */
function askAgain({ signal }: Context, error: unknown, ask: () => Promise<JsonText>): Promise<JsonText> {
  if (error instanceof Failure && error.code === 'unavailable' && !signal.aborted) return ask()
  throw error
}

type EntryListInput = ListInput & { readonly type?: string; readonly locale?: string }

/** Whether the answer depends on nothing but the question and what is committed: what the public sees depends on the moment too. */
const isStanding = ({ caller, inTransaction, select }: Context): boolean =>
  select === undefined && !inTransaction && includesTier(caller.tier, 'read')

/** Whether some date in a `where` is counted from now; a text that only looks so costs the answer its place in memory, and no more. */
const dependsOnNow = (where: unknown): boolean =>
  typeof where === 'string'
    ? isRelativeDate(where)
    : where !== null && typeof where === 'object' && Object.values(where).some(dependsOnNow)

async function ask(context: Context, input: EntryListInput): Promise<object> {
  const columns = wantsMore(context.select) ? {} : { columns: leanColumns }
  const page = await listRows(context, entryList, input, { ...columns, narrow: (query) => narrow(context, input, query) })
  return listAnswer(context, page, (row) => itemOf(context, row as EntryRow))
}

function narrow({ caller, now }: Context, input: EntryListInput, query: ListQuery<'entry'>): ListQuery<'entry'> {
  let seen = query
  if (!includesTier(caller.tier, 'read')) seen = seen.where((eb) => publicOnly(eb as never, now))
  else if (!asksForTrash(input.where)) seen = seen.where('entry.status', '!=', 'trash')
  if (input.type !== undefined) seen = seen.where('entry.type', '=', input.type)
  if (input.locale !== undefined) seen = seen.where('entry.locale', '=', input.locale)
  return seen
}

/** Whether a condition on `status`, wherever in `where`, names the trash. */
const asksForTrash = (where: unknown): boolean =>
  someCondition(where, (field, wanted) => field === 'status' && namesTrash(wanted))

function namesTrash(wanted: unknown): boolean {
  if (wanted === 'trash') return true
  if (wanted === null || typeof wanted !== 'object') return false
  const { eq, in: among } = wanted as { eq?: unknown; in?: unknown }
  return eq === 'trash' || (Array.isArray(among) && among.includes('trash'))
}
