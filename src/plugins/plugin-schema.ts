// Reads the schemas that plugins declare: a small part of JSON Schema. It has no patterns and no references, so that no plugin can
// cause long computations. The reader builds a new schema and never uses the plugin's object itself.

import { type TObject, type TSchema, Type } from 'typebox'
import { Failure } from '../base/failure.ts'
import { isObject } from '../base/json.ts'
import type { PluginObjectSchema, PluginSchema } from './api.ts'

const maxDepth = 6
const maxProperties = 60
const maxDescriptionChars = 500
const name = /^[a-z][a-z0-9_]{0,63}$/

/** Names that an action's arguments can't have, because they are options of every call. */
const reserved: ReadonlySet<string> = new Set([
  'class',
  'action',
  'arguments',
  'select',
  'dry_run',
  'if_revision',
  'idempotency_key',
])

type Members = Readonly<Record<string, unknown>>

/** Inputs have only the declared members, so that callers notice mistakes. Outputs may have others, from answers passed on. */
type Use = 'input' | 'output'

/** The path of a schema among the registrations, its use, and its depth. */
interface Place {
  readonly field: string
  readonly use: Use
  readonly depth: number
}

const below = ({ field, use, depth }: Place, member: string): Place => ({ field: `${field}.${member}`, use, depth: depth + 1 })

/**
 * Reads the schema of an object.
 * @param field the path of the schema, for messages
 * @throws Failure `unprocessable`
 */
export function readObjectSchema(value: unknown, field: string, use: Use): PluginObjectSchema {
  const schema = readSchema(value, { field, use, depth: 0 })
  if (schema.type !== 'object') throw wrong(field, 'a schema of the type "object"')
  return schema
}

function readSchema(value: unknown, place: Place): PluginSchema {
  const { field, use, depth } = place
  if (!isObject(value)) throw wrong(field, 'a schema, such as {"type": "string"}')
  if (depth > maxDepth) throw wrong(field, `nested at most ${maxDepth} deep`)
  const parsers = parsersFor[use]
  const parse = parsers[String(value['type'])]
  if (!parse) throw wrong(`${field}.type`, `one of ${Object.keys(parsers).join(', ')}`)
  const { members, read } = parse
  const unknown = Object.keys(value).find((key) => !members.has(key))
  if (unknown !== undefined)
    throw wrong(`${field}.${unknown.slice(0, 80)}`, `left out: "${String(value['type'])}" takes ${[...members].join(', ')}`)
  const description = value['description']
  if (description !== undefined && !(typeof description === 'string' && description.length <= maxDescriptionChars))
    throw wrong(`${field}.description`, `a text of at most ${maxDescriptionChars} characters`)
  return { ...read(value, place), ...(description === undefined ? {} : { description: description.toWellFormed() }) }
}

interface Parser {
  readonly members: ReadonlySet<string>
  read(value: Members, place: Place): PluginSchema
}

const parser = (members: string, read: Parser['read']): Parser => ({
  members: new Set(['type', 'description', ...members.split(' ').filter((one) => one !== '')]),
  read,
})

const sameForBoth: Readonly<Record<string, Parser>> = {
  string: parser('minLength maxLength enum', (value, { field }) => ({
    type: 'string',
    ...counts(value, field, ['minLength', 'maxLength']),
    ...choices(value, field),
  })),
  integer: parser('minimum maximum', (value, { field }) => ({ type: 'integer', ...bounds(value, field) })),
  number: parser('minimum maximum', (value, { field }) => ({ type: 'number', ...bounds(value, field) })),
  boolean: parser('', () => ({ type: 'boolean' })),
  array: parser('items minItems maxItems', (value, place) => ({
    type: 'array',
    items: readSchema(value['items'], below(place, 'items')),
    ...counts(value, place.field, ['minItems', 'maxItems']),
  })),
}

const parsersFor: Readonly<Record<Use, Readonly<Record<string, Parser>>>> = {
  input: { ...sameForBoth, object: parser('properties required', readObject) },
  output: { ...sameForBoth, object: parser('properties required additionalProperties', readOpenObject) },
}

/** Without `properties`, any object is valid, as in JSON Schema. With `properties`, other members need `additionalProperties`. */
function readOpenObject(value: Members, place: Place): PluginObjectSchema {
  const others = value['additionalProperties'] ?? value['properties'] === undefined
  const object = readObject(value, place)
  if (others === false) return object
  return { ...object, additionalProperties: others === true || readSchema(others, below(place, 'additionalProperties')) }
}

function readObject(value: Members, place: Place): PluginObjectSchema {
  const { field, depth } = place
  const declared = value['properties'] ?? {}
  if (!isObject(declared) || Object.keys(declared).length > maxProperties)
    throw wrong(`${field}.properties`, `an object of at most ${maxProperties} members`)
  const properties = Object.fromEntries(
    Object.entries(declared).map(([key, part]) => {
      if (!name.test(key)) throw wrong(`${field}.properties`, 'names of lower-case letters, digits and underscores')
      if (depth === 0 && reserved.has(key))
        throw wrong(`${field}.properties.${key}`, 'another name: this one is an option of every call')
      return [key, readSchema(part, below(place, `properties.${key}`))]
    }),
  )
  const required = value['required'] ?? []
  if (!Array.isArray(required) || !required.every((key) => typeof key === 'string' && Object.hasOwn(properties, key)))
    throw wrong(`${field}.required`, 'a list of names of properties')
  return { type: 'object', properties, ...(required.length > 0 ? { required: [...new Set(required as string[])] } : {}) }
}

function counts(value: Members, field: string, keys: readonly string[]): Record<string, number> {
  return numbers(value, field, keys, (one) => Number.isSafeInteger(one) && one >= 0, 'a whole number from 0')
}

const bounds = (value: Members, field: string) => numbers(value, field, ['minimum', 'maximum'], Number.isFinite, 'a number')

function numbers(
  value: Members,
  field: string,
  keys: readonly string[],
  good: (one: number) => boolean,
  expected: string,
): Record<string, number> {
  const present = keys.filter((key) => value[key] !== undefined)
  for (const key of present) if (typeof value[key] !== 'number' || !good(value[key])) throw wrong(`${field}.${key}`, expected)
  return Object.fromEntries(present.map((key) => [key, value[key] as number]))
}

function choices(value: Members, field: string): { enum?: readonly string[] } {
  const options = value['enum']
  if (options === undefined) return {}
  const good =
    Array.isArray(options) &&
    options.length > 0 &&
    options.length <= 100 &&
    options.every((one) => typeof one === 'string' && one.length <= 200)
  if (!good) throw wrong(`${field}.enum`, 'a list of 1 to 100 texts')
  return { enum: options as string[] }
}

function wrong(field: string, expected: string): Failure {
  return new Failure('unprocessable', `"${field}" of what the plugin registers must be ${expected}.`, { field, expected })
}

/** The schema for the registry. Unknown members are refused unless the schema allows them, and texts and lists are limited. */
export function toTypebox(schema: PluginObjectSchema): TObject {
  const { properties = {}, required = [], additionalProperties = false, description } = schema
  const members = Object.entries(properties).map(([key, part]) => {
    const type = typeOf(part)
    return [key, required.includes(key) ? type : Type.Optional(type)] as const
  })
  return Type.Object(Object.fromEntries(members), {
    additionalProperties: typeof additionalProperties === 'boolean' ? additionalProperties : typeOf(additionalProperties),
    ...(description === undefined ? {} : { description }),
  })
}

function typeOf(schema: PluginSchema): TSchema {
  const { type: _type, ...rest } = schema
  switch (schema.type) {
    case 'string':
      return schema.enum ? Type.Enum([...schema.enum], describedBy(schema)) : Type.String({ maxLength: 100_000, ...rest })
    case 'integer':
      return Type.Integer(rest)
    case 'number':
      return Type.Number(rest)
    case 'boolean':
      return Type.Boolean(rest)
    case 'array': {
      const { items, ...counted } = rest as { items: PluginSchema }
      return Type.Array(typeOf(items), { maxItems: 1000, ...counted })
    }
    case 'object':
      return toTypebox(schema)
    default:
      return schema satisfies never
  }
}

const describedBy = ({ description }: PluginSchema) => (description === undefined ? {} : { description })
