// Converts a JSON Schema to a type in TypeScript's notation: `{ items: { id: string; title: string }[]; next_cursor: string | null
// }`. Models read it easily, and it is much shorter than the schema. Bounds are left out. Descriptions are comments in the type of
// an input, and left out of the type of an answer.

import type { TSchema } from 'typebox'

type Node = Readonly<Record<string, unknown>>

/** Returns the type of a schema. */
export const compactType = (schema: TSchema): string => typeOf(schema as Node, false)

/** Returns the type of a schema, with a comment for each member that has a description. */
export const describedType = (schema: TSchema): string => typeOf(schema as Node, true)

/** @param words true if descriptions become comments */
function typeOf(node: Node, words: boolean): string {
  if (Array.isArray(node['anyOf'])) return unionOf((node['anyOf'] as Node[]).map((one) => typeOf(one, words)))
  if (Array.isArray(node['enum'])) return unionOf((node['enum'] as unknown[]).map(literalOf))
  if ('const' in node) return literalOf(node['const'])
  return typesByName[String(node['type'])]?.(node, words) ?? 'unknown'
}

const typesByName: Readonly<Record<string, (node: Node, words: boolean) => string>> = {
  string: () => 'string',
  integer: () => 'number',
  number: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items }, words) => arrayOf((items ?? {}) as Node, words),
  object: objectOf,
}

/** Returns a text in single quotes. The type is part of a JSON string, in which each double quote would need a backslash. */
const literalOf = (value: unknown): string =>
  typeof value === 'string' ? `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'` : JSON.stringify(value)

/** Joins types without duplicates. Schemas that differ only in descriptions have the same type. */
const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const arrayOf = (node: Node, words: boolean): string => {
  const type = typeOf(node, words)
  // A union needs parentheses, unless it is inside braces.
  return Array.isArray(node['anyOf'] ?? node['enum']) && type.includes(' | ') ? `(${type})[]` : `${type}[]`
}

function objectOf(node: Node, words: boolean): string {
  const properties = Object.entries((node['properties'] ?? {}) as Readonly<Record<string, Node>>)
  const required = (node['required'] ?? []) as readonly string[]
  const members = properties.map(
    ([name, part]) =>
      `${nameOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(part, words)}${words ? commentOf(part) : ''}`,
  )
  const others = othersOf(node, members.length > 0, words)
  return members.length + others.length === 0 ? '{}' : `{ ${[...members, ...others].join('; ')} }`
}

const commentOf = ({ description }: Node): string =>
  typeof description === 'string' ? ` /* ${description.replaceAll('*/', '* /')} */` : ''

/**
 * Returns the index signature for members without a declared name. An object that declares names has no other members, unless the
 * schema says so.
 */
function othersOf(node: Node, isNamed: boolean, words: boolean): readonly string[] {
  const pattern = Object.values((node['patternProperties'] ?? {}) as Readonly<Record<string, Node>>)[0]
  const others = pattern ?? node['additionalProperties'] ?? !isNamed
  if (others === false) return []
  return [`[name: string]: ${others === true ? 'unknown' : typeOf(others as Node, words)}`]
}

const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
