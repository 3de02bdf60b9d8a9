import { Type } from 'typebox'
import { openNow } from '../../content/entries/entry.ts'
import type { EntryField, FieldInList } from '../../content/types/entry-field.ts'
import { derivedFrom, type EntryTypes, entryTypeSlugs } from '../../content/types/entry-types.ts'
import { listUseOf } from '../../content/types/field-kinds.ts'
import { follow } from '../../content/types/followed-schemas.ts'
import { fieldRows, leanColumns } from '../../content/types/field-lists.ts'
import { Failure } from '../../base/failure.ts'
import { includesTier } from '../../identity/caller.ts'
import { canonical, jsonText, JsonText } from '../../base/json.ts'
import { isRelativeDate } from '../../settings/time-zone.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import {
  type ListInput,
  type ListQuery,
  listAnswer,
  listOutput,
  listProperties,
  listRows,
  type ListSpec,
  onlyValues,
} from '../lists/list.ts'
import type { ListField, ListFields } from '../lists/field.ts'
import type { WherePart } from '../lists/where-part.ts'
import { someCondition } from '../lists/where-conditions.ts'
import { referenceResolvers, type ReferenceKind } from '../../content/entries/references.ts'
import { nameFinder, referenceFinder } from './fields.ts'
import { entryItem, itemOf, wantsMore } from './item.ts'
import { boundedText, closed } from '../../base/schema.ts'

const listFields: ListFields = Object.fromEntries(
  fieldRows.flatMap(([name, field]) => (field.list ? [[name, listField(field, field.list)]] : [])),
)

/**
 * Returns the use of a field in lists. `resolve` also finds a parent that the caller may not see. This reveals nothing, because the
 * list shows only the entries below it that the caller may see.
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

/** The part of the list that does not depend on the site's types. `listFor` returns the whole list. */
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
  locale: Type.Optional(boundedText('Only entries of this language tag.', 50)),
}

/**
 * Returns the list for a caller, with the fields of all types that the owner has marked `filter`. Several types may have a field of
 * the same name.
 */
export function listFor({ site, caller }: Pick<Context, 'site' | 'caller'>): ListSpec<'entry'> {
  const types = site.types.current
  const specs = derivedFrom(types, makeLists, () => makeLists(types))
  return caller.tier === 'any' ? specs.public : specs.all
}

interface EntryLists {
  readonly all: ListSpec<'entry'>
  /** For anonymous callers. It leaves out `staged` and `revision`, which would reveal staged changes. */
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

export const list = action('SVC_Content.list', {
  title: 'List entries',
  summary: 'Lists entries: pages, posts, and those of the types that the owner has defined.',
  tier: 'any',
  effect: 'read',
  failures: ['refused'],
  input: closed({
    ...listProperties(entryList),
    ...entryFilters,
  }),
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
    // Callers with tier `read` or higher share an answer until something changes.
    const key = `SVC_Content.list ${context.origin} ${canonical(input)}`
    const { answers } = context.site
    const asText = async () => new JsonText(jsonText(await fresh()))
    return (answers.get(key) ?? answers.load(key, asText).catch((error: unknown) => askAgain(context, error, asText))) as never
  },
})

/** Runs a shared query again after another caller's abort cancelled it. Callers with the same request share one query. */
function askAgain({ signal }: Context, error: unknown, ask: () => Promise<JsonText>): Promise<JsonText> {
  if (error instanceof Failure && error.code === 'unavailable' && !signal.aborted) return ask()
  throw error
}

export type EntryListInput = ListInput & { readonly type?: string; readonly locale?: string }

/**
 * True if the answer depends only on the request and the database. Anonymous callers see entries that expire, so their answers
 * depend on the time.
 */
const isStanding = ({ caller, inTransaction, select }: Context): boolean =>
  select === undefined && !inTransaction && includesTier(caller.tier, 'read')

/** True if a `where` has a relative date. A text that only looks like a relative date just prevents caching. */
const dependsOnNow = (where: unknown): boolean =>
  typeof where === 'string'
    ? isRelativeDate(where)
    : where !== null && typeof where === 'object' && Object.values(where).some(dependsOnNow)

/** The columns that decide which side of an entry an item shows. */
const sideColumns = ['staged', 'live_revision'] as const

async function ask(context: Context, input: EntryListInput): Promise<object> {
  const columns = wantsMore(context.select) ? {} : { columns: [...leanColumns, ...sideColumns] }
  const page = await listRows(context, listFor(context), input, { ...columns, ...seenBy(context, input) })
  return listAnswer(context, page, (row) => itemOf(context, row as EntryRow))
}

/** The conditions on entries from the caller's rights and arguments. */
export const seenBy = (context: Context, input: EntryListInput) => ({
  only: onlyEntries(context, input),
  shownAfter: shownAfterFor(context, input),
  narrow: (query: ListQuery<'entry'>) => narrowEntries(context, input, query),
})

/** The conditions on columns from the caller's tier and arguments. */
function onlyEntries({ caller }: Context, { type, locale }: EntryListInput): readonly WherePart[] {
  const wanted = { status: includesTier(caller.tier, 'read') ? undefined : 'published', type, locale }
  return Object.entries(wanted).flatMap(([name, value]) => {
    const field = listFields[name]
    return value === undefined || !field ? [] : [onlyValues('entry', field, [value])]
  })
}

/**
 * Adds the conditions that `onlyEntries` can't express: no entries that expired or have a password for anonymous callers, and no
 * trash unless `where` asks for it.
 */
function narrowEntries({ caller, now }: Context, { where }: EntryListInput, query: ListQuery<'entry'>): ListQuery<'entry'> {
  if (includesTier(caller.tier, 'read')) return asksForTrash(where) ? query : query.where('entry.status', '!=', 'trash')
  return query.where((eb) => openNow(eb as never, now))
}

/** The same condition for the search index, which filters before it counts and ranks. */
export function shownAfterFor({ caller, now }: Pick<Context, 'caller' | 'now'>, { where }: EntryListInput): number | undefined {
  if (!includesTier(caller.tier, 'read')) return now
  return asksForTrash(where) ? undefined : -1
}

/** True if a condition on `status` in a `where` includes the trash. */
const asksForTrash = (where: unknown): boolean =>
  someCondition(where, (field, wanted) => field === 'status' && namesTrash(wanted))

function namesTrash(wanted: unknown): boolean {
  if (wanted === 'trash') return true
  if (wanted === null || typeof wanted !== 'object') return false
  const { eq, in: among } = wanted as { eq?: unknown; in?: unknown }
  return eq === 'trash' || (Array.isArray(among) && among.includes('trash'))
}
