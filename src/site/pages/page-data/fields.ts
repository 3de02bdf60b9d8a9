// The values of custom fields for templates: Markdown is rendered and cleaned, files become images, entries and terms become links.
// A value that refers to something that is not public is null.

import { shownValues } from '../../../content/types/custom-values.ts'
import { publishedOnly, urlOf } from '../../../content/entries/entry.ts'
import { expandEmbeds } from '../../../content/markdown/embeds.ts'
import type { EntryType } from '../../../content/types/entry-types.ts'
import type { FieldDefinition } from '../../../content/types/field-definition.ts'
import type { CustomKind } from '../../../content/types/field-definition.ts'
import { isObject, type JsonObject } from '../../../base/json.ts'
import type { ThemeImage, ThemeLink } from '../../../themes/contract.ts'
import type { Frame } from '../frame.ts'
import { imagesOf } from './images.ts'

/** The resolved references in the values of fields. */
export interface LookedUp {
  readonly images: ReadonlyMap<string, ThemeImage>
  readonly entries: ReadonlyMap<string, ThemeLink>
}

type Show = (frame: Frame, value: string, found: LookedUp, language: string) => Promise<unknown>

/** The kinds whose values are converted for templates. */
const shown: Readonly<Partial<Record<CustomKind, Show>>> = {
  async markdown({ site, origin }, value, _found, language) {
    const { html } = await site.renderer.render(value, { language, origin })
    return { markup: expandEmbeds(html, language) }
  },
  media: async (_frame, value, { images }) => images.get(value) ?? null,
  entry: async (_frame, value, { entries }) => entries.get(value) ?? null,
  async term({ site, origin }, value) {
    const term = site.terms.of(value)
    return term ? { title: term.name, url: `${origin}/${term.ref}` } : null
  },
}

/** @throws Failure `unprocessable` for Markdown that can't be rendered in time */
export async function fieldsOf(
  frame: Frame,
  column: string,
  type: EntryType,
  language: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { media, entry } = refsOf(column, type)
  const [images, entries] = await Promise.all([imagesOf(frame, media), linksOf(frame, entry)])
  return fieldsWith(frame, column, type, { images, entries }, language)
}

/** The files and entries to which the values of an entry refer. */
export interface FieldRefs {
  readonly media: readonly string[]
  readonly entry: readonly string[]
}

export function refsOf(column: string, type: EntryType): FieldRefs {
  const refs: Record<string, string[]> = {}
  if (type.fields.length > 0)
    eachValue(type.fields, shownValues(column, type), ({ kind }, value) => (refs[kind] ??= []).push(value))
  return { media: refs['media'] ?? [], entry: refs['entry'] ?? [] }
}

/** Converts the values, after their references were looked up. @throws Failure as `fieldsOf` */
export async function fieldsWith(
  frame: Frame,
  column: string,
  type: EntryType,
  found: LookedUp,
  language: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (type.fields.length === 0) return {}
  return convert(frame, type.fields, shownValues(column, type), found, language)
}

/** Calls `take` for every text in the values, including those in groups and lists. */
function eachValue(
  fields: readonly FieldDefinition[],
  values: JsonObject,
  take: (field: FieldDefinition, value: string) => void,
) {
  for (const field of fields)
    for (const value of [values[field.name]].flat())
      if (typeof value === 'string') take(field, value)
      else if (isObject(value) && field.kind === 'group') eachValue(membersOf(field), value, take)
}

const membersOf = ({ of }: FieldDefinition): readonly FieldDefinition[] => (typeof of === 'object' ? of : [])

async function convert(
  frame: Frame,
  fields: readonly FieldDefinition[],
  values: JsonObject,
  found: LookedUp,
  language: string,
): Promise<Readonly<Record<string, unknown>>> {
  const one = async (field: FieldDefinition, value: unknown): Promise<unknown> => {
    if (isObject(value) && field.kind === 'group') return convert(frame, membersOf(field), value, found, language)
    const show = typeof value === 'string' ? shown[field.kind] : undefined
    return show ? show(frame, value as string, found, language) : value
  }
  const pairs = fields.map(async (field): Promise<readonly [string, unknown]> => {
    const value = values[field.name] ?? null
    if (!Array.isArray(value) || field.kind === 'json') return [field.name, await one(field, value)]
    const all = await Promise.all(value.map((part: unknown) => one(field, part)))
    return [field.name, all.filter((part) => part !== null)]
  })
  return Object.fromEntries(await Promise.all(pairs))
}

/** Links to those of these entries that are public, in one query. */
export async function linksOf({ site, origin }: Frame, ids: readonly string[]): Promise<ReadonlyMap<string, ThemeLink>> {
  if (ids.length === 0) return new Map()
  const rows = await site.store.read
    .selectFrom('entry')
    .select(['id', 'title', 'path'])
    .where('id', 'in', [...new Set(ids)])
    .where((eb) => publishedOnly(eb, site.clock.now()))
    .execute()
  return new Map(rows.map(({ id, title, path }) => [id, { title, url: urlOf(origin, path ?? '/') }]))
}
