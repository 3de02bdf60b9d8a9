// The rules of a type for its public lists: their order, the entries that are over, and the fields that cards show.

import { type TSchema, Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { invalid } from '../../base/failure.ts'
import type { CustomKind, FieldDefinition } from './field-definition.ts'

/** As the database stores them: without members that have their usual value. */
export interface ListRules {
  /** A field, with `-` before it for the last first. */
  readonly sort?: string
  /** The field with a date. Lists leave out entries whose date lies before today. */
  readonly hide_past?: string
  /** The fields that cards show, in their order. */
  readonly shows?: readonly string[]
}

export const usualSort = '-published_at'

/** The order of entries: a column of all entries, or a field of their type. */
export interface SortedBy {
  readonly name: string
  readonly isOwn: boolean
  readonly descending: boolean
}

const columns: readonly string[] = ['published_at', 'title']

/** Reads an order such as `-published_at`, `starts` or `fields.starts`. */
export function sortedBy(sort: string): SortedBy {
  const named = sort.replace(/^-/, '')
  return { name: named.replace(/^fields\./, ''), isOwn: !columns.includes(named), descending: sort.startsWith('-') }
}

/** The kinds of fields by which public lists can be sorted. References are stored as ids, whose order says nothing. */
const sortableKinds: ReadonlySet<CustomKind> = new Set([
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'choice',
  'url',
  'email',
] as const)

export const isSortable = ({ kind, many }: FieldDefinition): boolean => many !== true && sortableKinds.has(kind)

export const isDay = ({ kind, many }: FieldDefinition): boolean => many !== true && (kind === 'date' || kind === 'datetime')

/** JSON is for programs, so cards don't show it. */
export const isShowable = ({ kind }: FieldDefinition): boolean => kind !== 'json'

const maxShown = 8

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }))
const nameText = Type.String({ minLength: 1, maxLength: 60 })

export const listRulesSchema = orNull(
  closed({
    sort: orNull(
      nameText,
      `A field, with \`-\` for the last first: \`starts\`, \`title\`. The default is \`${usualSort}\`, the newest first.`,
    ),
    hide_past: orNull(
      nameText,
      "A field with a date. Lists leave out entries whose date lies before today in the site's time zone.",
    ),
    shows: Type.Optional(
      Type.Array(nameText, {
        description: 'Fields that cards show, in this order, in place of the day of publication.',
        maxItems: maxShown,
      }),
    ),
  }),
  'The public lists of its entries. Members that you leave out stay, and null stands for the defaults.',
)

/** The rules as callers send them. */
export type GivenListRules = { readonly [K in keyof ListRules]?: ListRules[K] | null } | null

/** Returns the rules after a call. Rules of the type that name fields that it no longer has end. @throws Failure `invalid` */
export function changedListRules(
  before: ListRules,
  given: GivenListRules | undefined,
  fields: readonly FieldDefinition[],
): ListRules {
  if (given === null) return {}
  if (given) checkGiven(given, fields)
  return toRules({ ...rulesOf(before, fields), ...given })
}

/** Returns the rules that fit the fields. */
export function rulesOf({ sort, hide_past: past, shows }: ListRules, fields: readonly FieldDefinition[]): ListRules {
  return toRules({
    sort: sort !== undefined && findFault(sort, fields) === undefined ? sort : null,
    hide_past: fields.some((field) => field.name === past && isDay(field)) ? past : null,
    shows: (shows ?? []).filter((name) => fields.some((field) => field.name === name && isShowable(field))),
  })
}

/** Returns the rules with new names of fields. */
export function renamedRules({ sort, hide_past: past, shows }: ListRules, rename: Readonly<Record<string, string>>): ListRules {
  const renamed = (name: string) => (Object.hasOwn(rename, name) ? (rename[name] ?? name) : name)
  const { name, isOwn, descending } = sortedBy(sort ?? usualSort)
  return toRules({
    sort: isOwn ? writtenSort(renamed(name), descending) : sort,
    hide_past: past === undefined ? null : renamed(past),
    shows: shows?.map(renamed),
  })
}

/** Returns an order as it is stored. A field that is named like a column keeps its prefix. */
const writtenSort = (name: string, descending: boolean): string =>
  `${descending ? '-' : ''}${columns.includes(name) ? 'fields.' : ''}${name}`

function toRules({
  sort,
  hide_past: past,
  shows,
}: { readonly [K in keyof ListRules]?: ListRules[K] | null | undefined }): ListRules {
  const { name, isOwn, descending } = sortedBy(sort ?? usualSort)
  const written = isOwn ? writtenSort(name, descending) : (sort ?? usualSort)
  return {
    ...(written !== usualSort && { sort: written }),
    ...(past !== undefined && past !== null && { hide_past: past.replace(/^fields\./, '') }),
    ...(shows && shows.length > 0 && { shows: [...new Set(shows.map((one) => one.replace(/^fields\./, '')))] }),
  }
}

function checkGiven({ sort, hide_past: past, shows }: NonNullable<GivenListRules>, fields: readonly FieldDefinition[]): void {
  const fault = typeof sort === 'string' ? findFault(sort, fields) : undefined
  if (fault !== undefined) throw invalid('list.sort', `Lists can't be sorted by ${fault}.`, oneOf(columns, fields, isSortable))
  if (typeof past === 'string') checkNamed(past, 'list.hide_past', 'has no date', fields, isDay)
  for (const [place, name] of (shows ?? []).entries())
    checkNamed(name, `list.shows.${place}`, 'is no field that cards can show', fields, isShowable)
}

/** Returns the part of an order that is no field; undefined for an order that is possible. */
function findFault(sort: string, fields: readonly FieldDefinition[]): string | undefined {
  const { name, isOwn } = sortedBy(sort)
  return !isOwn || fields.some((field) => field.name === name && isSortable(field)) ? undefined : quoted(name)
}

function checkNamed(
  given: string,
  at: string,
  fault: string,
  fields: readonly FieldDefinition[],
  fits: (field: FieldDefinition) => boolean,
): void {
  const name = given.replace(/^fields\./, '')
  if (fields.some((field) => field.name === name && fits(field))) return
  throw invalid(at, `${quoted(name)} ${fault}.`, oneOf([], fields, fits))
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 60).toWellFormed())

function oneOf(more: readonly string[], fields: readonly FieldDefinition[], fits: (field: FieldDefinition) => boolean): string {
  const names = [...more, ...fields.filter(fits).map(({ name }) => name)]
  return names.length === 0 ? 'left out, because the type has no such field' : `one of ${names.join(', ')}`
}
