// Converts a JSON Schema to a type in TypeScript's notation: `{ items: { id: string; title: string }[]; next_cursor: string | null
// }`. Models read it easily, and it is much shorter than the schema. Bounds are left out. Descriptions are comments in the type of
// an input, and left out of the type of an answer.

import type { TSchema } from 'typebox'

type Node = Readonly<Record<string, unknown>>

/** Returns the type of a schema. */
export const compactType = (schema: TSchema): string => typeOf(schema as Node, undefined)

/** Returns the type of a schema, with a comment for each member that has a description. */
export const describedType = (schema: TSchema): string => typeOf(schema as Node, new Set())

/** The descriptions that are comments already, so that none is said twice; undefined for a type without comments. */
type Said = Set<string> | undefined

function typeOf(node: Node, said: Said): string {
  if (Array.isArray(node['anyOf'])) return unionOf((node['anyOf'] as Node[]).map((one) => typeOf(one, said)))
  if (Array.isArray(node['enum'])) return unionOf((node['enum'] as unknown[]).map(literalOf))
  if ('const' in node) return literalOf(node['const'])
  return typesByName[String(node['type'])]?.(node, said) ?? 'unknown'
}

const typesByName: Readonly<Record<string, (node: Node, said: Said) => string>> = {
  string: () => 'string',
  integer: () => 'number',
  number: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items }, said) => arrayOf((items ?? {}) as Node, said),
  object: objectOf,
}

/** Returns a text in single quotes. The type is part of a JSON string, in which each double quote would need a backslash. */
const literalOf = (value: unknown): string =>
  typeof value === 'string' ? `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'` : JSON.stringify(value)

/** Joins types without duplicates. Schemas that differ only in descriptions have the same type. */
const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const arrayOf = (node: Node, said: Said): string => {
  const type = typeOf(node, said)
  // A union needs parentheses, unless it is inside braces.
  return Array.isArray(node['anyOf'] ?? node['enum']) && type.includes(' | ') ? `(${type})[]` : `${type}[]`
}

function objectOf(node: Node, said: Said): string {
  const properties = Object.entries((node['properties'] ?? {}) as Readonly<Record<string, Node>>)
  const required = (node['required'] ?? []) as readonly string[]
  const members = properties.map(
    ([name, part]) => `${nameOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(part, said)}${commentOf(part, said)}`,
  )
  const others = othersOf(node, members.length > 0, said)
  return members.length + others.length === 0 ? '{}' : `{ ${[...members, ...others].join('; ')} }`
}

function commentOf({ description }: Node, said: Said): string {
  if (typeof description !== 'string' || said?.has(description) !== false) return ''
  said.add(description)
  return ` /* ${description.replaceAll('*/', '* /')} */`
}

/**
 * Returns the index signature for members without a declared name. An object that declares names has no other members, unless the
 * schema says so.
 */
function othersOf(node: Node, isNamed: boolean, said: Said): readonly string[] {
  const pattern = Object.values((node['patternProperties'] ?? {}) as Readonly<Record<string, Node>>)[0]
  const others = pattern ?? node['additionalProperties'] ?? !isNamed
  if (others === false) return []
  return [`[name: string]: ${others === true ? 'unknown' : typeOf(others as Node, said)}`]
}

const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
