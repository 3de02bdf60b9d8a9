// SVC_Content.list: pages of the entries that the caller may see, without bodies unless the caller selects `body`.

import { Type } from 'typebox'
import { notExpired } from '../../../content/entry.ts'
import type { EntryField, FieldInList } from '../../../content/entry-field.ts'
import { derivedFrom, type EntryTypes, entryTypeSlugs } from '../../../content/entry-types.ts'
import { listUseOf } from '../../../content/field-kinds.ts'
import { follow } from '../../../content/followed-schemas.ts'
import { fieldRows, leanColumns } from '../../../content/field-lists.ts'
import { Failure } from '../../../failure.ts'
import { includesTier } from '../../../identity/caller.ts'
import { canonical, jsonText, JsonText } from '../../../json.ts'
import { isRelativeDate } from '../../../settings/time-zone.ts'
import type { EntryRow } from '../../../store/schema.ts'
import { action, type Context } from '../../action.ts'
import {
  type ListInput,
  type ListQuery,
  listAnswer,
  listOutput,
  listProperties,
  listRows,
  type ListSpec,
  onlyValues,
} from '../../list.ts'
import type { ListField, ListFields } from '../../list-field.ts'
import type { WherePart } from '../../where-part.ts'
import { someCondition } from '../../where-conditions.ts'
import { referenceResolvers, type ReferenceKind } from '../../../content/references.ts'
import { nameFinder, referenceFinder } from './fields.ts'
import { entryItem, itemOf, wantsMore } from './item.ts'

const listFields: ListFields = Object.fromEntries(
  fieldRows.flatMap(([name, field]) => (field.list ? [[name, listField(field, field.list)]] : [])),
)

/**
 * How lists use a field. `resolve` also finds a parent that the caller may not see. This reveals nothing, because the list shows only the
 * entries below it that the caller may see.
 */
function listField(
  { column, stores, choices, blank }: EntryField,
  { sort, indexed, ordered, folded, resolve, among }: FieldInList,
): ListField {
  return {
    column,
    kind: choices ? 'choice' : stores === 'json' ? 'text' : stores,
    nullable: blank === null || column === 'path',
    ...(indexed && { indexed }),
    ...(ordered && { ordered }),
    ...(choices && { choices }),
    ...(sort && { sort }),
    ...(folded && { folded }),
    ...(among && { among }),
    ...(resolve && { resolve: async (ref, context) => (await resolve(ref, nameFinder(context))) ?? null }),
  }
}

const searchedColumns = fieldRows.flatMap(([, { column, list: inList }]) => (inList?.search ? [column] : []))

/** What does not depend on the types of the site. `listFor` has the rest: a call is answered by that list. */
export const entryList: ListSpec<'entry'> = {
  table: 'entry',
  key: 'id',
  fields: listFields,
  sort: '-created_at',
  search: searchedColumns,
  indexed: true,
  follows: true,
}

/** Arguments that narrow a list of entries. */
export const entryFilters = {
  type: Type.Optional(Type.Enum([...entryTypeSlugs], { description: 'Only entries of this type.', ...follow('types') })),
  locale: Type.Optional(Type.String({ description: 'Only entries of this language tag.', maxLength: 50 })),
}

/** How a caller can filter and sort entries: also by the fields of types that the owner has marked `filter`. Other types may have fields of the same names. */
export function listFor({ site, caller }: Pick<Context, 'site' | 'caller'>): ListSpec<'entry'> {
  const types = site.types.current
  const specs = derivedFrom(types, makeLists, () => makeLists(types))
  return caller.tier === 'any' ? specs.public : specs.all
}

interface EntryLists {
  readonly all: ListSpec<'entry'>
  /** For anonymous callers: whether changes wait is not public, and neither is the revision that counts them. */
  readonly public: ListSpec<'entry'>
}

function makeLists(types: EntryTypes): EntryLists {
  const fields = { ...listFields, ...besideFields(types) }
  const { staged: _staged, revision: _revision, ...publicFields } = fields
  return { all: { ...entryList, fields }, public: { ...entryList, fields: publicFields } }
}

function besideFields({ all, slugs }: EntryTypes): ListFields {
  const fields: Record<string, ListField> = { type: { ...listFields['type'], choices: slugs } as ListField }
  for (const field of all.flatMap((type) => type.fields)) {
    const use = listUseOf(field)
    if (!use) continue
    const name = `fields.${field.name}`
    const { options = [], kind } = field
    const known = fields[name]?.choices ?? []
    fields[name] = {
      ...use,
      beside: field.name,
      nullable: true,
      indexed: true,
      sort: true,
      ...(use.kind === 'choice' && { choices: [...new Set([...known, ...options])] }),
      ...(isReference(kind) && {
        resolve: async (ref, context) => (await referenceFinder(context).findReference(kind, ref, undefined)) ?? null,
      }),
    }
  }
  return fields
}

const isReference = (kind: string): kind is ReferenceKind => Object.hasOwn(referenceResolvers, kind)

export const list = action({
  class: 'SVC_Content',
  name: 'list',
  title: 'List entries',
  summary: 'Lists entries: pages, posts, and those of the types that the owner has defined.',
  tier: 'any',
  effect: 'read',
  failures: ['refused'],
  touches: 'nothing',
  input: Type.Object(
    {
      ...listProperties(entryList),
      ...entryFilters,
    },
    { additionalProperties: false },
  ),
  output: listOutput(entryItem),
  examples: [
    { title: 'The newest posts', input: { type: 'post', sort: '-published_at', limit: 5 } },
    { title: 'Drafts about something', input: { where: { status: 'draft' }, search: 'about', count: true } },
    { title: 'What waits to be published', input: { where: { staged: true } } },
  ],
  run(context, input) {
    const fresh = () => ask(context, input as EntryListInput)
    // A search may answer before the search index has the latest texts.
    if (!isStanding(context) || input.search || dependsOnNow(input.where)) return fresh() as never
    // Callers who see everything get the same answer until something changes.
    const key = `SVC_Content.list ${context.origin} ${canonical(input)}`
    const { answers } = context.site
    const asText = async () => new JsonText(jsonText(await fresh()))
    return (answers.get(key) ?? answers.load(key, asText).catch((error: unknown) => askAgain(context, error, asText))) as never
  },
})

/** Callers with the same request share one query, which is cancelled when the first of them leaves. The others then run their own. */
function askAgain({ signal }: Context, error: unknown, ask: () => Promise<JsonText>): Promise<JsonText> {
  if (error instanceof Failure && error.code === 'unavailable' && !signal.aborted) return ask()
  throw error
}

export type EntryListInput = ListInput & { readonly type?: string; readonly locale?: string }

/** Whether the answer depends only on the request and the database. What the public sees depends on the time, too. */
const isStanding = ({ caller, inTransaction, select }: Context): boolean =>
  select === undefined && !inTransaction && includesTier(caller.tier, 'read')

/** Whether a `where` has a relative date. If a text only looks like a relative date, the one effect is that the answer isn't cached. */
const dependsOnNow = (where: unknown): boolean =>
  typeof where === 'string'
    ? isRelativeDate(where)
    : where !== null && typeof where === 'object' && Object.values(where).some(dependsOnNow)

/** What tells which side of an entry an item is about. */
const sideColumns = ['staged', 'live_revision'] as const

async function ask(context: Context, input: EntryListInput): Promise<object> {
  const columns = wantsMore(context.select) ? {} : { columns: [...leanColumns, ...sideColumns] }
  const page = await listRows(context, listFor(context), input, { ...columns, ...seenBy(context, input) })
  return listAnswer(context, page, (row) => itemOf(context, row as EntryRow))
}

/** Conditions of the entries that the caller may see and asks for. */
export const seenBy = (context: Context, input: EntryListInput) => ({
  only: onlyEntries(context, input),
  shownAfter: shownAfterFor(context, input),
  narrow: (query: ListQuery<'entry'>) => narrowEntries(context, input, query),
})

/** What the caller's tier and arguments require. */
function onlyEntries({ caller }: Context, { type, locale }: EntryListInput): readonly WherePart[] {
  const wanted = { status: includesTier(caller.tier, 'read') ? undefined : 'published', type, locale }
  return Object.entries(wanted).flatMap(([name, value]) => {
    const field = listFields[name]
    return value === undefined || !field ? [] : [onlyValues('entry', field, [value])]
  })
}

/** Limits entries to those that the caller may see, beside `onlyEntries`. The trash is left out unless `where` asks for it. */
function narrowEntries({ caller, now }: Context, { where }: EntryListInput, query: ListQuery<'entry'>): ListQuery<'entry'> {
  if (includesTier(caller.tier, 'read')) return asksForTrash(where) ? query : query.where('entry.status', '!=', 'trash')
  return query.where((eb) => notExpired(eb as never, now))
}

/** The same for the search index, which narrows what it counts and ranks. */
export function shownAfterFor({ caller, now }: Pick<Context, 'caller' | 'now'>, { where }: EntryListInput): number | undefined {
  if (!includesTier(caller.tier, 'read')) return now
  return asksForTrash(where) ? undefined : -1
}

/** Whether some condition on `status` in a `where` includes the trash. */
const asksForTrash = (where: unknown): boolean =>
  someCondition(where, (field, wanted) => field === 'status' && namesTrash(wanted))

function namesTrash(wanted: unknown): boolean {
  if (wanted === 'trash') return true
  if (wanted === null || typeof wanted !== 'object') return false
  const { eq, in: among } = wanted as { eq?: unknown; in?: unknown }
  return eq === 'trash' || (Array.isArray(among) && among.includes('trash'))
}
