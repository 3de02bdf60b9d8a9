// Checks an input against its schema. The failure names the wrong field, the expected value, and the nearest known name.

import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { cutText } from '../../base/cut-text.ts'
import { Failure } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import { shown } from '../lists/field.ts'
import { didYouMean, nearDetail } from '../../base/nearest.ts'
import { argumentHint, nearestArguments, nearestValues } from './argument-words.ts'
import { isOption } from './options.ts'

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
 * Checks an input. It coerces nothing, adds no defaults and removes nothing.
 * @param secrets top-level fields whose values the failure doesn't repeat
 * @throws Failure `invalid`, with the first wrong field, the expected value and, for an unknown field, the nearest known ones
 */
export function checkAgainst(schema: TObject, input: unknown, secrets: readonly string[] = []): void {
  const validator = validatorOf(schema)
  if (validator.Check(input)) return
  const problems = problemsOf(validator, schema, input)
  throw explain(schema as TSchema as Node, input, problems, secrets)
}

/** Returns the first problems of a value that doesn't fit. The whole value is checked only if its shortened form has no problem. */
function problemsOf(validator: Validator, schema: TObject, value: unknown): readonly Problem[] {
  const first = validator.Errors(fewer(schema as TSchema as Node, value)) as unknown as readonly Problem[]
  return first.length > 0 ? first : validator.Errors(value)
}

/** The number of unknown members of an object, and of items of an unbounded list, that the shortened form has. */
const maxLookedAt = 20

/**
 * Returns a shortened input with the same first problems: its known members, the first unknown ones, and one item more than a list
 * may have. Otherwise the validator would check each of a million wrong members before it reports the first (attack 134).
 */
function fewer(schema: Node | undefined, value: unknown): unknown {
  if (Array.isArray(value)) {
    const most = schema?.['maxItems']
    const kept = value.slice(0, (typeof most === 'number' ? most : maxLookedAt) + 1)
    return schema ? kept.map((item, place) => fewer(stepInto(schema, String(place)), item)) : kept
  }
  if (value === null || typeof value !== 'object' || !schema) return value
  const known = Object.keys(propertiesOf(schema)).filter((name) => Object.hasOwn(value, name))
  const kept = new Set([...known, ...firstNames(value, maxLookedAt + known.length)])
  return Object.fromEntries(
    [...kept].map((name) => [name, fewer(stepInto(schema, name), (value as Record<string, unknown>)[name])]),
  )
}

function firstNames(value: object, most: number): readonly string[] {
  const names: string[] = []
  for (const name in value) if (Object.hasOwn(value, name) && names.push(name) >= most) break
  return names
}

/**
 * Returns the member of a value that doesn't fit a schema, and the expected value; undefined if the value fits. The value is not
 * repeated.
 */
export function findMisfit(schema: TObject, value: unknown): { readonly member: string; readonly expected: string } | undefined {
  const validator = validatorOf(schema)
  if (validator.Check(value)) return undefined
  if (!isObject(value)) return { member: '', expected: 'an object' }
  const problems = problemsOf(validator, schema, value)
  const { field = '', expected } = explain(schema as TSchema as Node, value, problems, Object.keys(value)).detail
  return { member: field, expected: String(expected) }
}

export function fits(schema: TObject, value: unknown): boolean {
  return validatorOf(schema).Check(value)
}

/**
 * A text whose limit is at least this high is a body or a file. If it is longer, the failure is `too_large`, as for a request of
 * that size.
 */
const sizeLimit = 1024 ** 2

/** The order of problems. An unknown field (its schema is `false`) often explains a missing field next to it, so it comes first. */
const telling = ['boolean', 'required']

/** The path to a value, from the outside in. */
type Path = readonly string[]

function explain(schema: Node, input: unknown, problems: readonly Problem[], secrets: readonly string[]): Failure {
  const rank = ({ keyword }: Problem) => (telling.indexOf(keyword) + telling.length + 1) % (telling.length + 1)
  const problem = problems.filter((one) => saysSomething(schema, one)).sort((a, b) => rank(a) - rank(b))[0]
  if (!problem) return new Failure('invalid', 'The arguments do not fit this action.')
  const path = pathOf(problem.instancePath)
  if (problem.keyword === 'boolean') return unknownField(schema, path)
  if (problem.keyword === 'required') return missingField(schema, [...path, names(problem.params['requiredProperties'])[0] ?? ''])
  const part = schemaAt(schema, path)
  const field = shorten(path.join('.')) || 'arguments'
  const size = problem.keyword === 'maxLength' ? Number(problem.params['limit']) : 0
  if (size >= sizeLimit) return new Failure('too_large', `"${field}" has more than ${size} characters.`, { field, limit: size })
  const expected = part ? describe(part) : 'another kind of value'
  const found = secrets.includes(path[0] ?? '') ? '' : `; it is ${shown(valueAt(input, path))}`
  const near = found === '' ? [] : nearChoices(part, valueAt(input, path))
  return new Failure('invalid', `${JSON.stringify(field)} must be ${expected}${found}.${didYouMean(near)}`, {
    field,
    expected,
    ...nearDetail(near),
    ...(found !== '' && formHint(part, valueAt(input, path))),
  })
}

/** Returns the choices of a schema that may be meant by a value. */
function nearChoices(part: Node | undefined, value: unknown): readonly string[] {
  const choices = formsOf(part).flatMap((form) => (Array.isArray(form['enum']) ? (form['enum'] as unknown[]) : []))
  const texts = choices.filter((choice) => typeof choice === 'string')
  return typeof value === 'string' ? nearestValues(value, texts) : []
}

const formsOf = (part: Node | undefined): readonly Node[] =>
  part === undefined ? [] : Array.isArray(part['anyOf']) ? (part['anyOf'] as Node[]) : [part]

/** The longest value that a hint repeats, as JSON. */
const maxRepeated = 200

/** Returns the hint for one item where a list is expected, or a name where a call is. A text with commas has several items. */
function formHint(part: Node | undefined, value: unknown): { readonly hint?: string } {
  const forms = formsOf(part)
  if (typeof value === 'string' && value.length <= maxRepeated && forms.some((form) => 'action' in propertiesOf(form)))
    return { hint: `A call is an object: ${JSON.stringify({ action: value })}.` }
  if (!forms.some((form) => form['type'] === 'array') || (typeof value !== 'string' && !isObject(value))) return {}
  const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [value]
  const text = JSON.stringify(items)
  return text.length > maxRepeated
    ? {}
    : { hint: `${items.length === 1 ? 'A list of one has brackets, too' : 'As a list'}: ${text}.` }
}

/**
 * False for problems that say nothing of use: unknown fields are reported one by one, and in a union, one form may lack a field
 * that another has.
 */
function saysSomething(schema: Node, { keyword, instancePath }: Problem): boolean {
  if (keyword === 'additionalProperties') return false
  const path = pathOf(instancePath)
  return keyword !== 'boolean' || !Object.hasOwn(propertiesOf(schemaAt(schema, path.slice(0, -1))), path.at(-1) ?? '')
}

function unknownField(schema: Node, path: Path): Failure {
  const name = path.at(-1) ?? ''
  const known = Object.keys(propertiesOf(schemaAt(schema, path.slice(0, -1))))
  const near = nearestArguments(name, known)
  const field = shorten(path.join('.'))
  return new Failure('invalid', `There is no argument ${JSON.stringify(field)}.${didYouMean(near)}`, {
    field,
    expected: known.length > 0 ? `it takes ${known.join(', ')}` : 'it takes none',
    ...nearDetail(near),
    ...hintFor(name, path.length > 1, argumentHint(name, known, near.length > 0)),
  })
}

/** Names that belong elsewhere in a request, and where. */
const elsewhere: readonly (readonly [names: RegExp, hint: string])[] = [
  [/^(?:token|api_?key|access_token|authorization|bearer)$/i, 'A token is sent in the header `Authorization: Bearer TOKEN`.'],
  [/^(?:params|parameters|args|input|inputs|payload)$/i, "An action's own arguments are in `arguments`, or beside `action`."],
]

/** @param said what is said of the name otherwise */
function hintFor(name: string, within: boolean, said: string | undefined): { readonly hint?: string } {
  if (isOption(name)) return { hint: optionHint(name, within) }
  const hint = within ? undefined : (elsewhere.find(([names]) => names.test(name))?.[1] ?? said)
  return hint === undefined ? {} : { hint }
}

/** Returns the hint for an option that was given as an argument. @param within true if it was nested, as in a call of a batch */
function optionHint(name: string, within: boolean): string {
  const where = within
    ? 'it stands beside the `action` that holds all of this'
    : 'put it beside `action` and `arguments` (over MCP those of SVC_API__call-action), not inside `arguments`'
  return `\`${name}\` is an option of the call: ${where}.`
}

function missingField(schema: Node, path: Path): Failure {
  const field = shorten(path.join('.'))
  const part = schemaAt(schema, path)
  const expected = part ? describe(part) : 'a value'
  const about = part?.['description']
  return new Failure('invalid', `${JSON.stringify(field)} is missing: it must be ${expected}.`, {
    field,
    expected,
    ...(typeof about === 'string' && { hint: about }),
  })
}

type Node = TSchema & Readonly<Record<string, unknown>>

/** Describes a schema in words: "a whole number from 1 to 100". */
export function describe(schema: TSchema & Readonly<Record<string, unknown>>): string {
  if (Array.isArray(schema['anyOf'])) return (schema['anyOf'] as Node[]).map(describe).join(' or ')
  if (Array.isArray(schema['enum']))
    return `one of ${(schema['enum'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
  if ('const' in schema) return JSON.stringify(schema['const'])
  const words = wordsByType[String(schema['type'])]
  return words ? words(schema) : 'any value'
}

const wordsByType: Readonly<Record<string, (schema: Node) => string>> = {
  string: (s) => withForm(s, `a text${size(s['minLength'], s['maxLength'], 'character')}`),
  integer: (s) => `a whole number${range(s['minimum'], s['maximum'])}`,
  number: (s) => `a number${range(s['minimum'], s['maximum'])}`,
  boolean: () => 'true or false',
  null: () => 'null',
  object: () => 'an object',
  array: (s) => `a list${size(s['minItems'], s['maxItems'], 'item')}`,
}

const withForm = (schema: Node, words: string): string =>
  typeof schema['title'] === 'string'
    ? `${words} (${schema['title']})`
    : typeof schema['format'] === 'string'
      ? `${words} (${schema['format']})`
      : words

/** " of 1 to 50 items"; `''` if any number is allowed. */
function size(min: unknown = 0, max: unknown, unit: string): string {
  const units = (count: unknown) => `${String(count)} ${unit}${count === 1 ? '' : 's'}`
  if (max === undefined) return min === 0 ? '' : ` of ${units(min)} or more`
  return min === 0 ? ` of at most ${units(max)}` : ` of ${String(min)} to ${units(max)}`
}

/** " from 1 to 100"; `''` without bounds. */
function range(least: unknown, most: unknown): string {
  const [min, max] = [least, most] as [number | undefined, number | undefined]
  if (max === undefined) return min === undefined ? '' : ` of ${min} or more`
  return min === undefined ? ` of at most ${max}` : ` from ${min} to ${max}`
}

function schemaAt(schema: Node, path: Path): Node | undefined {
  return path.reduce<Node | undefined>((part, key) => (part ? stepInto(part, key) : undefined), schema)
}

function stepInto(part: Node, key: string): Node | undefined {
  if (Array.isArray(part['anyOf']))
    return (part['anyOf'] as Node[]).map((choice) => stepInto(choice, key)).find((found) => found !== undefined)
  if (part['type'] === 'array') return part['items'] as Node | undefined
  const properties = propertiesOf(part)
  if (Object.hasOwn(properties, key)) return properties[key]
  // The members of a record, or additional members of an open object.
  const others = part['additionalProperties'] as Node | boolean | undefined
  return (
    Object.values((part['patternProperties'] as Record<string, Node> | undefined) ?? {})[0] ??
    (typeof others === 'object' ? others : undefined)
  )
}

function propertiesOf(part: Node | undefined): Record<string, Node> {
  if (part && Array.isArray(part['anyOf']))
    return Object.assign({}, ...(part['anyOf'] as Node[]).map(propertiesOf)) as Record<string, Node>
  return (part?.['properties'] as Record<string, Node> | undefined) ?? {}
}

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], input)
}

/** Cuts an unknown name to a length that fits a message. */
const shorten = (name: string): string => cutText(name, 80)
const pathOf = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
const names = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
