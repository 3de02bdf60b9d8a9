// The entry as the editor's form has it: texts by the names of the form. What a person changed is what differs from the entry, so a field that
// nobody touched is never written, and an entry that somebody else changes elsewhere keeps that change.

import { formatInTimeZone } from 'date-fns-tz'
import type { EntryType } from '../../content/entry-types.ts'
import type { Fields } from '../form.ts'
import { nameOfField, textOfField, valueOfField } from './kind-controls.ts'
import type { EditedEntry } from './read-entry.ts'

/** Texts by name. A name with several boxes has several texts. */
export type Values = ReadonlyMap<string, readonly string[]>

export const textIn = (values: Values, name: string): string => values.get(name)?.[0] ?? ''

/** The values of an entry. @param refs the paths of what the entry refers to by id */
export function valuesOf(item: EditedEntry, type: EntryType, timeZone: string): Values {
  const one = (text: string | null | undefined): readonly string[] => [lines(text ?? '')]
  const at = (iso: string | null) => one(iso === null ? '' : formatInTimeZone(iso, timeZone, "yyyy-MM-dd'T'HH:mm"))
  const { seo, refs } = item
  return new Map<string, readonly string[]>([
    ['title', one(item.title)],
    ['body', one(item.body)],
    ['excerpt', one(item.excerpt)],
    ['slug', one(item.slug)],
    ['status', one(item.status)],
    ['published_at', at(item.published_at)],
    ['unpublish_at', at(item.unpublish_at)],
    ...(type.hierarchical ? [['parent', one(refs.parent)] as const] : []),
    ['position', one(String(item.position))],
    ['terms', (item.terms ?? []).map(({ ref }) => ref)],
    ['author', one(item.author)],
    ['locale', one(item.locale)],
    ['translation_of', one(refs.translationOf)],
    ['cover', one(refs.cover)],
    ['seo.title', one(seo.title)],
    ['seo.description', one(seo.description)],
    ['seo.canonical', one(seo.canonical)],
    ['seo.image', one(refs.seoImage)],
    ['seo.noindex', seo.noindex ? ['yes'] : []],
    ...type.fields.map((field) => {
      const text = textOfField(field, withNames(item.fields[field.name], refs.named), timeZone)
      return [nameOfField(field), text === '' && field.kind === 'boolean' && field.many !== true ? [] : one(text)] as const
    }),
  ])
}

/** A value in which names take the place of ids. */
function withNames(value: unknown, named: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => withNames(one, named))
  return typeof value === 'string' ? (named.get(value) ?? value) : value
}

const lines = (text: string): string => text.replace(/\r\n?/g, '\n')

/**
 * What was filled in. A name that the form did not have keeps the value of the entry; `shown` has the names whose boxes may all be
 * empty. An entry is never without a slug: an empty field keeps it, and a new entry gets one from its title.
 */
export function filledIn(fields: Fields, item: Values): Values {
  const shown = new Set(fields.get('shown').split(' '))
  return new Map(
    [...item].map(([name, before]) => {
      if (name === 'terms' && shown.has(name))
        return [name, [...new Set([...fields.all(name), ...listed(fields.get('more_terms'))])]]
      if (fields.has(name)) return [name, fields.get(name).trim() === '' && name === 'slug' ? before : [fields.get(name)]]
      return [name, shown.has(name) ? [] : before]
    }),
  )
}

const listed = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** The names whose values differ. */
export const changedNames = (before: Values, after: Values): readonly string[] =>
  [...after.keys()].filter((name) => !isEqual(before.get(name) ?? [], after.get(name) ?? []))

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && [...a].sort().join('\u0000') === [...b].sort().join('\u0000')

/** Fields that have no value where the form has none, and not an empty text. */
const nullable: ReadonlySet<string> = new Set([
  'excerpt',
  'published_at',
  'unpublish_at',
  'parent',
  'author',
  'locale',
  'translation_of',
  'cover',
])

/** The arguments that give an entry these values. */
export function inputOf(values: Values, names: readonly string[], type: EntryType): Readonly<Record<string, unknown>> {
  const input: Record<string, unknown> = {}
  const seo: Record<string, unknown> = {}
  const own: Record<string, unknown> = {}
  for (const name of names) {
    const text = textIn(values, name)
    const field = type.fields.find((one) => nameOfField(one) === name)
    if (field) own[field.name] = valueOfField(field, text)
    else if (name === 'seo.noindex') seo['noindex'] = text === 'yes'
    else if (name.startsWith('seo.')) seo[name.slice('seo.'.length)] = text.trim() === '' ? null : text
    else if (name === 'terms') input[name] = values.get(name)
    else if (name === 'position') input[name] = numberIn(text)
    else input[name] = nullable.has(name) && text.trim() === '' ? null : name === 'body' ? text : text.trim()
  }
  return {
    ...input,
    ...(Object.keys(seo).length > 0 ? { seo } : {}),
    ...(Object.keys(own).length > 0 ? { fields: own } : {}),
  }
}

/** The number that a text says, or the text, about which the action then says what would be right. */
export const numberIn = (text: string): number | string => (Number.isFinite(Number(text)) ? Number(text) : text)
