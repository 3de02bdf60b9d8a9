// The keys of front matter in trees of files: one table for all generators, with names in any case.

import { isObject } from '../../../base/json.ts'
import type { ImportTermRef, ImportValue } from '../../stream.ts'

export type PageFields = ReadonlyMap<string, unknown>

/** The keys with a meaning, in the order in which they count. */
const names = {
  title: ['title', 'linktitle'],
  date: ['date', 'pubdate', 'pubdatetime', 'publishdate', 'published_at', 'created'],
  updated: ['lastmod', 'last_modified_at', 'updateddate', 'moddatetime', 'updated', 'modified'],
  end: ['expirydate'],
  description: ['description'],
  excerpt: ['summary', 'excerpt'],
  slug: ['slug'],
  address: ['url', 'permalink', 'path'],
  cover: ['cover', 'image', 'featured_image', 'heroimage', 'thumbnail', 'images', 'ogimage'],
  author: ['author', 'authors'],
  language: ['lang', 'language', 'locale'],
  translations: ['translationkey'],
  position: ['weight', 'nav_order', 'order', 'position'],
} as const

export type PageFieldName = keyof typeof names

/** Keys that other files read, or that mean nothing outside their generator. */
const silent: ReadonlySet<string> = new Set(
  (
    `${Object.values(names).flat().join(' ')} draft published publish tags tag categories category taxonomies aliases redirect_from ` +
    'layout type pinned sticky featured cssclass cssclasses id menu menus params extra cascade resources outputs eleventynavigation ' +
    'eleventyexcludefromcollections toc comments math katex keywords template build headless'
  ).split(' '),
)

export const toFields = (fields: Readonly<Record<string, unknown>>): PageFields =>
  new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))

/** Returns the first value of a field as text; of a list its first, of an object its `url`, `src`, `name` or `image`. */
export function textOf(fields: PageFields, name: PageFieldName): string | undefined {
  for (const key of names[name]) {
    const text = scalar(fields.get(key))
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

function scalar(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim()
  if (Array.isArray(value)) return scalar(value[0])
  if (isObject(value))
    return ['url', 'src', 'name', 'image', 'relative'].map((key) => scalar(value[key])).find((one) => one !== undefined)
  return undefined
}

/** The names of all authors. */
export const authorsOf = (fields: PageFields): readonly string[] =>
  names.author.flatMap((key) => {
    const value = fields.get(key)
    return (Array.isArray(value) ? value : [value]).flatMap((one) => scalar(one) ?? [])
  })

/** Returns the names of a list, which may be one text. @param split divides a text */
export const listOf = (value: unknown, split: RegExp): readonly string[] =>
  (typeof value === 'string' ? value.split(split) : Array.isArray(value) ? value : [])
    .filter((one): one is string | number => typeof one === 'string' || typeof one === 'number')
    .map((one) => String(one).trim())
    .filter((one) => one !== '')

/** Names of collections that generators keep among the tags. */
const collections: ReadonlySet<string> = new Set(['posts', 'post', 'all', 'nav'])

/** @param split divides several names in one text: spaces in Jekyll, commas elsewhere */
export function termsOf(fields: PageFields, split: RegExp): readonly ImportTermRef[] {
  const more = fields.get('taxonomies')
  const nested = isObject(more) ? toFields(more) : new Map<string, unknown>()
  const named = (taxonomy: string, ...keys: readonly string[]) =>
    keys
      .flatMap((key) => [...listOf(fields.get(key), key === 'category' ? /,/ : split), ...listOf(nested.get(key), split)])
      .filter((name) => taxonomy !== 'tag' || !collections.has(name))
      .map((name) => ({ taxonomy, slug: name, name }))
  return [...named('category', 'categories', 'category'), ...named('tag', 'tags', 'tag')]
}

/** True, false, or undefined for a key that is missing. */
export function isTrue(fields: PageFields, key: string): boolean | undefined {
  const value = fields.get(key)
  return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined
}

/** Returns the other values. */
export function furtherFields(fields: PageFields): Readonly<Record<string, ImportValue>> | undefined {
  const rows = [...fields].flatMap(([name, value]) => {
    const own = silent.has(name) ? undefined : valueOf(value)
    return own === undefined ? [] : [[name, own] as const]
  })
  return rows.length === 0 ? undefined : Object.fromEntries(rows)
}

function valueOf(value: unknown): ImportValue | undefined {
  if (value === '' || value === null || value === undefined) return undefined
  if (isScalar(value)) return value
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) && value.every(isScalar) ? value : JSON.stringify(value)
}

const isScalar = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value)
