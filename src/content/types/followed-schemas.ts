// Schemas that follow the types of the site. A declaration marks such a part with `follow`. The registry, and any other code that
// validates, replaces the mark with the current schema by `resolveSchema`. So no action needs to know about custom types.

import { type TSchema, Type } from 'typebox'
import { isObject, type JsonObject } from '../../base/json.ts'
import { derivedFrom, type EntryTypes } from './entry-types.ts'
import type { FieldDefinition } from './field-definition.ts'
import { kindRows, listUseOf, valueSchema } from './field-kinds.ts'

const keyword = 'x-follows'

/** The parts of schemas that follow the types. */
export type Followed = keyof typeof followers

/** Marks a schema: returns the options for making it. */
export const follow = (what: Followed): Readonly<Record<string, string>> => ({ [keyword]: what })

const followers = {
  /** A slug of a type. */
  types: ({ slugs }, node) => ({ ...node, enum: [...slugs] }),
  /** A slug of a type, with a phrase about each type. */
  'types in words': ({ all, slugs }, node) => ({
    ...node,
    enum: [...slugs],
    description: `${all.map(({ slug, about }) => `${slug}: ${about}`).join('; ')}.`,
  }),
  /** The values of fields, as callers send them. */
  values: (types, { description }) => ({ ...objectOf(types, { forInput: true }), description }),
  /** The values of fields, as answers show them. */
  'shown values': (types, { description }) => ({ ...objectOf(types, { forInput: false }), description }),
  /** The description of `where`. */
  filters: (types, node) => described(node, types, 'Fields of types'),
  /** The description of `sort`. */
  sorts: (types, node) => described(node, types, 'Entries without a value come last'),
  /** The fields that `SVC_Content.edit` can change in part. */
  edited: ({ all }, node) => ({
    ...node,
    enum: [...new Set([...(node['enum'] as string[]), ...all.flatMap(({ fields }) => editedNames(fields))])],
  }),
} satisfies Record<string, (types: EntryTypes, node: JsonObject) => JsonObject>

/** The names of text fields for `SVC_Content.edit`. */
export const editedNames = (fields: readonly FieldDefinition[]): readonly `fields.${string}`[] =>
  fields.filter(({ kind, many }) => kindRows[kind].edited && many !== true).map(({ name }) => `fields.${name}` as const)

const anyText = ({ enum: _known, ...node }: JsonObject): JsonObject => ({ ...node, type: 'string' })

/** The replacements for marked parts that would refuse the values of types which a batch may still add. */
const unsettled: Partial<Record<Followed, (node: JsonObject) => JsonObject>> = {
  types: anyText,
  'types in words': anyText,
  values: (node) => node,
  edited: anyText,
}

/** Replaces the marked parts of a schema. A schema without marks stays the same object, whose compiled form is cached. */
export function resolveSchema<S extends TSchema>(schema: S, types: EntryTypes): S {
  return derivedFrom(types, schema, () => walk(schema, types) as S)
}

/** The parts of schemas that don't depend on the types, which are most. */
const plainParts = new WeakSet<object>()

function walk(node: unknown, types: EntryTypes): unknown {
  if (typeof node !== 'object' || node === null || plainParts.has(node)) return node
  const found = Array.isArray(node) ? walkList(node, types) : isObject(node) ? walkObject(node, types) : node
  if (found === node) plainParts.add(node)
  return found
}

function walkList(list: readonly unknown[], types: EntryTypes): readonly unknown[] {
  const parts = list.map((part) => walk(part, types))
  return parts.every((part, place) => part === list[place]) ? list : parts
}

function walkObject(node: JsonObject, types: EntryTypes): JsonObject {
  const { [keyword]: what, ...rest } = node
  if (typeof what === 'string') {
    const opened = types.unsettled === true ? unsettled[what as Followed] : undefined
    return opened ? opened(rest) : followers[what as Followed](types, rest)
  }
  const entries = Object.entries(node).map(([name, part]) => [name, walk(part, types)] as const)
  return entries.every(([name, part]) => part === node[name]) ? node : Object.fromEntries(entries)
}

/** The longest schema of all fields, in characters of JSON, because `describe-action` returns it. */
const maxChars = { described: 12_000, named: 24_000 }

/**
 * The members of the object `fields`: all fields of all types. A longer schema loses its descriptions first, and then its members.
 */
function objectOf(types: EntryTypes, { forInput }: { readonly forInput: boolean }): JsonObject {
  const open = { type: 'object', patternProperties: { '^.*$': {} } }
  const plain = propertiesOf(types, false)
  const length = JSON.stringify(plain).length
  if (length > maxChars.named) return open
  const properties = length > maxChars.described || !forInput ? plain : propertiesOf(types, true)
  return { type: 'object', properties, ...(forInput ? { additionalProperties: false } : {}) }
}

function propertiesOf({ all }: EntryTypes, withWords: boolean): Record<string, JsonObject> {
  const byName = new Map<string, { readonly field: FieldDefinition; readonly of: string }[]>()
  for (const { slug, fields } of all)
    for (const field of fields) byName.set(field.name, [...(byName.get(field.name) ?? []), { field, of: slug }])
  return Object.fromEntries(
    [...byName].map(([name, uses]) => {
      const schemas = new Map(uses.map(({ field }) => [JSON.stringify(valueSchema(field)), valueSchema(field)]))
      const words = uses.map(({ field, of }) => `${of}: ${wordsOf(field)}`).join('; ')
      return [name, { anyOf: [...schemas.values(), Type.Null()], ...(withWords ? { description: words } : {}) }]
    }),
  )
}

const wordsOf = ({ label, help, name, required }: FieldDefinition): string =>
  [label ?? name, ...(required ? ['required'] : []), ...(help === undefined ? [] : [help])].join(', ')

/** A description with the names of the fields that lists can be filtered by. */
function described(node: JsonObject, { all }: EntryTypes, before: string): JsonObject {
  const names = [...new Set(all.flatMap(({ fields }) => fields.filter(listUseOf).map(({ name }) => `fields.${name}`)))]
  if (names.length === 0) return node
  return { ...node, description: `${String(node['description'])} ${before}: ${names.slice(0, 200).join(', ')}.` }
}
