// Converts a JSON Schema to a type in TypeScript's notation: `{ items: { id: string; title: string }[]; next_cursor: string | null
// }`. Models read it easily, and it is much shorter than the schema. Descriptions and bounds are left out.

import type { TSchema } from 'typebox'

type Node = Readonly<Record<string, unknown>>

/** Returns the type of a schema. */
export function compactType(schema: TSchema): string {
  return typeOf(schema as Node)
}

function typeOf(node: Node): string {
  if (Array.isArray(node['anyOf'])) return unionOf((node['anyOf'] as Node[]).map(typeOf))
  if (Array.isArray(node['enum'])) return unionOf((node['enum'] as unknown[]).map(literalOf))
  if ('const' in node) return literalOf(node['const'])
  return typesByName[String(node['type'])]?.(node) ?? 'unknown'
}

const typesByName: Readonly<Record<string, (node: Node) => string>> = {
  string: () => 'string',
  integer: () => 'number',
  number: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items }) => arrayOf((items ?? {}) as Node),
  object: objectOf,
}

/** Returns a text in single quotes. The type is part of a JSON string, in which each double quote would need a backslash. */
const literalOf = (value: unknown): string =>
  typeof value === 'string' ? `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'` : JSON.stringify(value)

/** Joins types without duplicates. Schemas that differ only in descriptions have the same type. */
const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ')

const arrayOf = (node: Node): string => {
  const type = typeOf(node)
  // A union needs parentheses, unless it is inside braces.
  return Array.isArray(node['anyOf'] ?? node['enum']) && type.includes(' | ') ? `(${type})[]` : `${type}[]`
}

function objectOf(node: Node): string {
  const properties = Object.entries((node['properties'] ?? {}) as Readonly<Record<string, Node>>)
  const required = (node['required'] ?? []) as readonly string[]
  const members = properties.map(([name, part]) => `${nameOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(part)}`)
  const others = othersOf(node, members.length > 0)
  return members.length + others.length === 0 ? '{}' : `{ ${[...members, ...others].join('; ')} }`
}

/**
 * Returns the index signature for members without a declared name. An object that declares names has no other members, unless the
 * schema says so.
 */
function othersOf(node: Node, isNamed: boolean): readonly string[] {
  const pattern = Object.values((node['patternProperties'] ?? {}) as Readonly<Record<string, Node>>)[0]
  const others = pattern ?? node['additionalProperties'] ?? !isNamed
  if (others === false) return []
  return [`[name: string]: ${others === true ? 'unknown' : typeOf(others as Node)}`]
}

const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
