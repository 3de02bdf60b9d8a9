// The keys that other systems write into front matter, and the public Markdown form of a page, one row each: the field of an
// entry that each of them means.

import { invalid } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import type { Warning } from '../markdown/markup.ts'

/** The fields of a file in Postern's own keys, and the parts of foreign keys that are no fields. */
export interface OwnKeys {
  readonly fields: Readonly<Record<string, unknown>>
  /** Old addresses, as written. */
  readonly aliases: readonly string[]
  /** Addresses or last parts of them that the file names, by key. They are only compared with the path. */
  readonly places: Readonly<Record<string, string>>
  readonly warnings: readonly Warning[]
}

/** The meaning of a key: a field, a member of `seo`, or nothing. */
interface Meaning {
  readonly field?: string
  readonly member?: string
  /** The value for the field; undefined leaves the field as it is. */
  read(value: unknown, key: string): unknown
}

const text = (value: unknown, key: string): string => {
  if (typeof value === 'string') return value
  throw wrongKind(key, 'a text')
}

const names = (value: unknown, key: string): readonly string[] => {
  const listed = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
  const read = listed.map((one: unknown) => {
    if (typeof one === 'string' || typeof one === 'number') return String(one).trim()
    throw wrongKind(key, 'a list of names')
  })
  return read.filter((name) => name !== '')
}

const number = (value: unknown, key: string): number => {
  if (typeof value === 'number') return value
  throw wrongKind(key, 'a number')
}

const draft = (value: unknown, key: string): 'draft' | undefined => {
  if (typeof value === 'boolean') return value ? 'draft' : undefined
  throw wrongKind(key, 'true or false')
}

const termsIn =
  (taxonomy: string) =>
  (value: unknown, key: string): readonly string[] =>
    names(value, key).map((name) => `${taxonomy}/${name}`)

const cover = { field: 'cover', read: text }

/** The keys with a meaning. Where several give the same field, the first one in the file counts; lists of terms are joined. */
const meanings: Readonly<Record<string, Meaning>> = {
  date: { field: 'published_at', read: text },
  lastmod: { read: () => undefined },
  updated_at: { read: () => undefined },
  draft: { field: 'status', read: draft },
  description: { field: 'seo', member: 'description', read: text },
  summary: { field: 'excerpt', read: text },
  tags: { field: 'terms', read: termsIn('tag') },
  categories: { field: 'terms', read: termsIn('category') },
  weight: { field: 'position', read: number },
  image: cover,
  featured_image: cover,
  aliases: { field: 'aliases', read: names },
  permalink: { field: 'permalink', read: text },
  slug: { field: 'slug', read: text },
  url: { field: 'url', read: text },
}

/** The foreign keys, in the words of `put`. */
export const foreignKeyNames: readonly string[] = Object.keys(meanings)

/** True for fields with a key of another system. */
export const hasForeignKeys = (fields: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(fields).some((key) => Object.hasOwn(meanings, key))

/** The most old addresses that one file may name. */
const maxAliases = 100

/**
 * Translates the keys of other systems. A field of the entry's own type keeps its name, and a key of Postern counts before a
 * foreign one. Keys without a meaning stay, for the check of the fields.
 * @param ownFields the names of the fields that the entry's type has in addition
 * @throws Failure `invalid`, naming the key, for a value of another kind
 */
export function toOwnKeys(given: Readonly<Record<string, unknown>>, ownFields: ReadonlySet<string> = new Set()): OwnKeys {
  const foreign = Object.entries(given).filter(([key]) => Object.hasOwn(meanings, key) && !ownFields.has(key))
  const fields: Record<string, unknown> = Object.fromEntries(
    Object.entries(given).filter(([key]) => !Object.hasOwn(meanings, key)),
  )
  addOwnFields(fields, given, ownFields)
  const own = new Set(Object.keys(fields))
  const passed: string[] = []
  for (const [key, value] of foreign) {
    const meaning = meanings[key] as Meaning
    const read = value === null ? undefined : meaning.read(value, key)
    if (read === undefined) continue
    if (!set(fields, own, meaning, read)) passed.push(key)
  }
  const { aliases = [], permalink, slug, url, ...rest } = fields
  const places = Object.fromEntries(Object.entries({ permalink, slug, url }).filter(([, value]) => value !== undefined))
  return {
    fields: rest,
    aliases: checkAliases(aliases as readonly string[]),
    places: places as Record<string, string>,
    warnings: passed.length === 0 ? [] : [keysPassed(passed)],
  }
}

/** Sets one field. @returns false if the file has its value under another key already */
function set(fields: Record<string, unknown>, own: ReadonlySet<string>, { field, member }: Meaning, value: unknown): boolean {
  if (field === undefined) return true
  const before = fields[field]
  if (member !== undefined) {
    if (before !== undefined && (!isObject(before) || member in before)) return false
    fields[field] = { ...(before as object | undefined), [member]: value }
    return true
  }
  if (before !== undefined && (own.has(field) || !Array.isArray(before))) return false
  fields[field] = Array.isArray(before) ? [...new Set([...before, ...(value as readonly unknown[])])] : value
  return true
}

/** Moves the keys that are fields of the entry's type to `fields`. */
function addOwnFields(
  fields: Record<string, unknown>,
  given: Readonly<Record<string, unknown>>,
  ownFields: ReadonlySet<string>,
): void {
  const moved = Object.entries(given).filter(([key]) => Object.hasOwn(meanings, key) && ownFields.has(key))
  if (moved.length === 0) return
  if (fields.fields === undefined || isObject(fields.fields))
    fields.fields = { ...Object.fromEntries(moved), ...(fields.fields as object | undefined) }
}

function checkAliases(aliases: readonly string[]): readonly string[] {
  if (aliases.length <= maxAliases) return aliases
  throw invalid('markdown', `\`aliases\` names ${aliases.length} old addresses.`, `at most ${maxAliases}`)
}

const keysPassed = (keys: readonly string[]): Warning => ({
  code: 'keys_passed_over',
  message: `The front matter says the same in two ways, and ${keys.map((key) => `\`${key}\``).join(', ')} did not count: Postern's own key does, else the first.`,
  found: [...keys],
})

const wrongKind = (key: string, kind: string) => invalid('markdown', `\`${key}\` in the front matter must be ${kind}.`, kind)
