// Replaces an exact text in the texts of an entry: title, excerpt and body, the texts in the fields of its type, and those for
// search engines. The result is checked as if a caller had sent it.

import type { EntryRow } from '../../store/core/schema.ts'
import { shownValues, storedValues, toColumn } from '../types/custom-values.ts'
import { editedFields } from '../markdown/edits.ts'
import { checkBody, checkText, checkTitle, maxExcerptChars } from './entry-text.ts'
import type { EntryType } from '../types/entry-types.ts'
import type { FieldDefinition } from '../types/field-definition.ts'
import { checkValue, isText, membersOf, type ValueContext } from '../types/field-kinds.ts'
import { toSeo, toSeoColumn } from '../types/field-values.ts'
import { countMatches, type Replacing, replaceText } from '../markdown/replace-text.ts'

/** The parts of `seo` that are texts. */
const seoTexts = ['title', 'description', 'canonical'] as const

/** The parts that can be searched, in addition to single fields. */
export const replacedParts = [...editedFields, 'fields', 'seo'] as const

export interface ReplacingIn extends Replacing {
  /** Names of `replacedParts`, and single fields of types such as `fields.phone`. */
  readonly parts: ReadonlySet<string>
}

export interface ReplacedEntry {
  readonly patch: Partial<Pick<EntryRow, 'title' | 'body' | 'excerpt' | 'fields' | 'seo'>>
  readonly matches: number
  /** The surroundings of the first matches. */
  readonly excerpts: readonly string[]
}

type Texts = Pick<EntryRow, 'title' | 'body' | 'excerpt' | 'fields' | 'seo'>

/** A text of an entry, and its place in the row. */
interface Place {
  readonly column: keyof Texts
  /** The path to the text within a column of several values. */
  readonly path: readonly (string | number)[]
  readonly text: string
  /** The definition of the field, for a text in a custom field. */
  readonly field?: FieldDefinition
}

export const countInEntry = (row: Texts, type: EntryType, replacing: ReplacingIn): number =>
  placesOf(row, type, replacing).reduce((sum, { text }) => sum + countMatches(text, replacing), 0)

/** @throws Failure `invalid` or `too_large` for an invalid text, naming the field */
export async function replaceInEntry(
  row: Texts,
  type: EntryType,
  replacing: ReplacingIn,
  context: ValueContext,
): Promise<ReplacedEntry> {
  const patch: { -readonly [K in keyof ReplacedEntry['patch']]: ReplacedEntry['patch'][K] } = {}
  const values = structuredClone(storedValues(row.fields)) as Record<string, unknown>
  const seo: { [K in (typeof seoTexts)[number]]?: string | null } = {}
  const excerpts: string[] = []
  let matches = 0
  for (const { column, path, text, field } of placesOf(row, type, replacing)) {
    const made = replaceText(text, replacing)
    if (made.matches === 0) continue
    matches += made.matches
    excerpts.push(...made.excerpts)
    const at = [column, ...path].join('.')
    if (column === 'title') patch.title = checkTitle(made.text)
    else if (column === 'body') patch.body = checkBody(made.text)
    else if (column === 'excerpt') patch.excerpt = checkText(made.text, 'excerpt', maxExcerptChars)
    else if (column === 'seo') seo[path[0] as keyof typeof seo] = made.text
    else if (field) put(values, path, await checkValue({ ...field, many: false }, made.text, at, context))
  }
  if (JSON.stringify(values) !== JSON.stringify(storedValues(row.fields))) patch.fields = toColumn(withoutEmpty(values))
  if (Object.keys(seo).length > 0) patch.seo = await toSeoColumn(seo, { stored: row.seo, findImageId: async (id) => id })
  return { patch, matches, excerpts: excerpts.slice(0, 3) }
}

function placesOf(row: Texts, type: EntryType, { parts }: ReplacingIn): readonly Place[] {
  const places: Place[] = editedFields
    .filter((column) => parts.has(column))
    .map((column) => ({ column, path: [], text: row[column] ?? '' }))
  if (row.fields !== '{}') places.push(...textsInFields(row, type, parts))
  if (parts.has('seo') && row.seo !== '{}') {
    const seo = toSeo(row.seo)
    places.push(...seoTexts.map((name): Place => ({ column: 'seo', path: [name], text: seo[name] ?? '' })))
  }
  return places
}

function textsInFields(row: Texts, type: EntryType, parts: ReadonlySet<string>): readonly Place[] {
  const chosen = type.fields.filter(({ name }) => parts.has('fields') || parts.has(`fields.${name}`))
  if (chosen.length === 0) return []
  const values = shownValues(row.fields, type)
  return chosen.flatMap((field) => textsIn(field, values[field.name], [field.name]))
}

/** The texts in the value of a field, which may be a list or a group. Choices and JSON don't count as texts. */
function textsIn(field: FieldDefinition, value: unknown, path: Place['path']): readonly Place[] {
  if (value === null || value === undefined) return []
  if (field.many === true)
    return (value as readonly unknown[]).flatMap((one, place) => textsIn({ ...field, many: false }, one, [...path, place]))
  if (field.kind === 'group')
    return membersOf(field.of).flatMap((one) =>
      textsIn(one, (value as Readonly<Record<string, unknown>>)[one.name], [...path, one.name]),
    )
  return isText(field) && typeof value === 'string' ? [{ column: 'fields', path, text: value, field }] : []
}

function put(values: Record<string, unknown>, path: Place['path'], value: unknown): void {
  const above = path.slice(0, -1).reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], values)
  ;(above as Record<string | number, unknown>)[path.at(-1) as string] = value
}

/** An empty text clears a field, as it does in `SVC_Content.edit`. */
const withoutEmpty = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
