// Holds an input against its schema and says what would be right: field, what was expected, the nearest name.

import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Failure } from '../failure.ts'
import { nearest } from './nearest.ts'

interface Problem {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
}

const compiled = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TObject): Validator {
  let validator = compiled.get(schema)
  if (!validator) compiled.set(schema, (validator = Compile(schema)))
  return validator
}

/**
 * Passes an input that fits. Nothing is coerced, filled in or dropped.
 * @throws Failure `invalid`, with the first field at fault, what was expected and, for an unknown field, the nearest ones
 */
export function holdSchema(schema: TObject, input: unknown): void {
  const validator = validatorOf(schema)
  if (validator.Check(input)) return
  const problems = validator.Errors(input) as unknown as readonly Problem[]
  throw explain(schema as TSchema as Node, input, problems)
}

/** Whether a value fits a schema; for tests and for stored values. */
export function fits(schema: TObject, value: unknown): boolean {
  return validatorOf(schema).Check(value)
}

/** The order in which problems are told: an unknown field explains a missing one beside it. */
const telling = ['additionalProperties', 'required']

function explain(schema: Node, input: unknown, problems: readonly Problem[]): Failure {
  const rank = (problem: Problem) => (telling.indexOf(problem.keyword) + telling.length + 1) % (telling.length + 1)
  const problem = problems.filter(({ keyword }) => keyword !== 'boolean').sort((a, b) => rank(a) - rank(b))[0]
  if (!problem) return new Failure('invalid', 'The arguments do not fit this action.')
  const path = fieldOf(problem.instancePath)
  if (problem.keyword === 'additionalProperties') return unknownField(schema, path, names(problem.params['additionalProperties']))
  if (problem.keyword === 'required') return missingField(schema, path, names(problem.params['requiredProperties']))
  const part = schemaAt(schema, path)
  const expected = part ? describe(part) : 'another kind of value'
  const field = path || 'arguments'
  return new Failure('invalid', `${quote(field)} must be ${expected}; it is ${show(valueAt(input, path))}.`, { field, expected })
}

function unknownField(schema: Node, path: string, unknown: readonly string[]): Failure {
  const name = unknown[0] ?? ''
  const known = Object.keys(propertiesOf(schemaAt(schema, path)))
  const near = nearest(name, known)
  const field = join(path, name)
  const meant = near.length > 0 ? ` Did you mean ${near.map(quote).join(' or ')}?` : ''
  const takes = known.length > 0 ? `it takes ${known.join(', ')}` : 'it takes none'
  return new Failure('invalid', `There is no argument ${quote(field)}.${meant}`, {
    field,
    expected: takes,
    ...(near.length > 0 ? { nearest: near } : {}),
  })
}

function missingField(schema: Node, path: string, missing: readonly string[]): Failure {
  const field = join(path, missing[0] ?? '')
  const part = schemaAt(schema, field)
  const expected = part ? describe(part) : 'a value'
  return new Failure('invalid', `${quote(field)} is missing: it must be ${expected}.`, { field, expected })
}

type Node = TSchema & Readonly<Record<string, unknown>>

/** A schema in words: "a whole number from 1 to 100". */
export function describe(schema: Node): string {
  if (Array.isArray(schema['anyOf'])) return (schema['anyOf'] as Node[]).map(describe).join(' or ')
  if (Array.isArray(schema['enum']))
    return `one of ${(schema['enum'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
  if ('const' in schema) return JSON.stringify(schema['const'])
  const words = wordsByType[String(schema['type'])]
  return words ? words(schema) : 'any value'
}

const wordsByType: Readonly<Record<string, (schema: Node) => string>> = {
  string: (s) => withForm(s, `a text${between(s['minLength'], s['maxLength'], ' of', 'characters')}`),
  integer: (s) => `a whole number${between(s['minimum'], s['maximum'], '', '')}`,
  number: (s) => `a number${between(s['minimum'], s['maximum'], '', '')}`,
  boolean: () => 'true or false',
  null: () => 'null',
  object: () => 'an object',
  array: (s) => `a list${between(s['minItems'], s['maxItems'], ' of', 'items')}`,
}

const withForm = (schema: Node, words: string): string =>
  typeof schema['title'] === 'string'
    ? `${words} (${schema['title']})`
    : typeof schema['format'] === 'string'
      ? `${words} (${schema['format']})`
      : words

function between(least: unknown, most: unknown, of: string, unit: string): string {
  const [min, max] = [least, most] as [number | undefined, number | undefined]
  const tail = unit ? ` ${unit}` : ''
  if (min === undefined && max === undefined) return ''
  if (max === undefined) return `${of} ${min}${tail} or more`
  if (min === undefined || min === 0) return `${of} at most ${max}${tail}`
  return `${of}${of ? '' : ' from'} ${min} to ${max}${tail}`
}

function schemaAt(schema: Node, path: string): Node | undefined {
  return path === ''
    ? schema
    : path.split('.').reduce<Node | undefined>((part, key) => (part ? stepInto(part, key) : undefined), schema)
}

function stepInto(part: Node, key: string): Node | undefined {
  if (Array.isArray(part['anyOf']))
    return (part['anyOf'] as Node[]).map((choice) => stepInto(choice, key)).find((found) => found !== undefined)
  return part['type'] === 'array' ? (part['items'] as Node | undefined) : propertiesOf(part)[key]
}

function propertiesOf(part: Node | undefined): Record<string, Node> {
  if (part && Array.isArray(part['anyOf']))
    return Object.assign({}, ...(part['anyOf'] as Node[]).map(propertiesOf)) as Record<string, Node>
  return (part?.['properties'] as Record<string, Node> | undefined) ?? {}
}

function valueAt(input: unknown, path: string): unknown {
  return path === ''
    ? input
    : path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], input)
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text
}

const quote = (name: string): string => JSON.stringify(name.length > 80 ? `${name.slice(0, 80).toWellFormed()}…` : name)
const fieldOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)
const names = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
