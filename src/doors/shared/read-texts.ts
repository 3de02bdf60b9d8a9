// Numbers, booleans, lists and objects that came as text: `"limit": "5"`, `"where": "{\"status\": \"draft\"}"`. Where the schema of
// an action takes no text, such a text has one reading, and the caller gets a warning. Plugins that decide on calls see what runs.

import type { TObject, TSchema } from 'typebox'
import { callName } from '../../actions/call/action.ts'
import type { Call } from '../../actions/call/call.ts'
import { nearestActions } from '../../actions/call/nearest-action.ts'
import { isVisible, nameIn } from '../../actions/call/registry.ts'
import type { Services } from '../../actions/call/services.ts'
import type { WriteWarning } from '../../actions/call/write-answer.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { parseJsonText } from '../../http/body.ts'
import type { Caller } from '../../identity/caller.ts'

type Node = Readonly<Record<string, unknown>>

/** Beyond this number of values, texts stay as they are, so that a long input costs no more (attack 134). */
const maxLookedAt = 5000
const maxJsonValues = 50_000

interface Asking {
  readonly site: Pick<Services, 'config' | 'registry'>
  readonly caller: Caller
}

/** The state of reading one request: the fields that came as text, and the number of values that are still looked at. */
export class TextReading {
  readonly fields: string[] = []
  left = maxLookedAt
  readonly #asking: Asking

  constructor(asking: Asking) {
    this.#asking = asking
  }

  get maxDepth(): number {
    return this.#asking.site.config.POSTERN_MAX_JSON_DEPTH
  }

  /** Suggests actions that the caller may run for the name in a request. */
  nearestTo(name: unknown): readonly string[] {
    const { site, caller } = this.#asking
    return typeof name === 'string' ? nearestActions(name, site.registry.visibleTo(caller).map(callName)) : []
  }
}

/** Reads the texts in a call, and those in the calls inside it. An action that the caller may not see has no schema here. */
export function readTexts(site: Services, caller: Caller, call: Call, reading: TextReading): Call {
  const input = readInput(site, caller, call.name, call.input, reading)
  const { calls } = input
  if (!Array.isArray(calls)) return input === call.input ? call : { ...call, input }
  const read = calls.map((one: unknown, place) => readInner(site, caller, one, reading, place))
  return { ...call, input: { ...input, calls: read } }
}

function readInput(site: Services, caller: Caller, name: string, input: JsonObject, reading: TextReading): JsonObject {
  const action = site.registry.find(name)
  if (!action || !hasToRead(action.input, input) || !isVisible(action, caller)) return input
  return readValue(action.input, input, '', reading) as JsonObject
}

/** The members of each input that take a text, which is most of what calls have. */
const textNames = new WeakMap<TObject, ReadonlySet<string>>()

/** False if every value is a text where one is allowed, a number or a boolean, as in nearly all calls. */
function hasToRead(schema: TObject, input: JsonObject): boolean {
  let names = textNames.get(schema)
  if (!names) {
    names = new Set(Object.keys(schema.properties).filter((name) => takesText(schema.properties[name] as TSchema as Node)))
    textNames.set(schema, names)
  }
  for (const name in input) {
    const value = input[name]
    if (typeof value === 'string' ? !names.has(name) : typeof value === 'object' && value !== null) return true
  }
  return false
}

const takesText = (node: Node): boolean => {
  const types = typesOf(node)
  return types.has('string') || types.has('unknown')
}

function readInner(site: Services, caller: Caller, one: unknown, reading: TextReading, place: number): unknown {
  if (!isObject(one)) return one
  const { class: ofClass, action } = one
  const given = readValue({ type: 'object' }, one['arguments'], `calls.${place}.arguments`, reading)
  if (typeof action !== 'string' || (ofClass !== undefined && typeof ofClass !== 'string') || !isObject(given)) return one
  const before = reading.fields.length
  const input = readInput(site, caller, nameIn(ofClass, action), given, reading)
  for (let at = before; at < reading.fields.length; at++) reading.fields[at] = `calls.${place}.arguments.${reading.fields[at]}`
  return input === one['arguments'] ? one : { ...one, arguments: input }
}

/** Reads a value as its schema wants it. Returns the value itself if there is nothing to read. */
export function readValue(schema: TSchema | Node, value: unknown, path: string, reading: TextReading): unknown {
  if ((reading.left -= 1) < 0) return value
  const node = schema as Node
  if (typeof value === 'string') return readText(node, value, path, reading)
  if (Array.isArray(value)) return readItems(choiceOf(node, 'array'), value, path, reading)
  return isObject(value) ? readMembers(choiceOf(node, 'object'), value, path, reading) : value
}

function readText(node: Node, text: string, path: string, reading: TextReading): unknown {
  if (takesText(node)) return text
  const types = typesOf(node)
  const value = parse(text, reading.maxDepth)
  const type = typeOf(value)
  if (type === undefined || !(types.has(type) || (type === 'integer' && types.has('number')))) return text
  reading.fields.push(path)
  return readValue(node, value, path, reading)
}

/** Returns the value of a JSON text. A number must be written as it is, so that `007` and `1.50` stay texts. */
function parse(text: string, maxDepth: number): unknown {
  const parsed = /^\s*(?:[-\d[{]|true\s*$|false\s*$)/.test(text) ? parseJsonText(text, maxDepth, maxJsonValues) : {}
  const value = 'value' in parsed ? parsed.value : undefined
  return typeof value === 'number' && String(value) !== text.trim() ? undefined : value
}

function typeOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  return Array.isArray(value) ? 'array' : isObject(value) ? 'object' : undefined
}

/** Returns the JSON types that a schema takes; `unknown` for a schema that takes any. */
function typesOf(node: Node): ReadonlySet<string> {
  if (Array.isArray(node['anyOf'])) return new Set((node['anyOf'] as Node[]).flatMap((one) => [...typesOf(one)]))
  const values = 'const' in node ? [node['const']] : Array.isArray(node['enum']) ? (node['enum'] as unknown[]) : undefined
  if (values) return new Set(values.map((value) => (typeof value === 'string' ? 'string' : (typeOf(value) ?? 'null'))))
  return new Set([typeof node['type'] === 'string' ? node['type'] : 'unknown'])
}

/** Returns the only choice of a schema with this type; undefined if there are several. */
function choiceOf(node: Node, type: string): Node | undefined {
  if (!Array.isArray(node['anyOf'])) return node['type'] === type ? node : undefined
  const choices = (node['anyOf'] as readonly Node[]).flatMap((one): readonly Node[] => {
    const choice = choiceOf(one, type)
    return choice === undefined ? [] : [choice]
  })
  return choices.length === 1 ? choices[0] : undefined
}

const within = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

function readItems(node: Node | undefined, list: readonly unknown[], path: string, reading: TextReading): unknown {
  const items = node?.['items'] as Node | undefined
  if (items === undefined) return list
  let changed = false
  const read = list.map((item, place) => {
    if (reading.left <= 0) return item
    const value = readValue(items, item, within(path, String(place)), reading)
    changed ||= value !== item
    return value
  })
  return changed ? read : list
}

function readMembers(node: Node | undefined, object: JsonObject, path: string, reading: TextReading): unknown {
  if (node === undefined) return object
  const properties = (node['properties'] ?? {}) as Readonly<Record<string, Node>>
  const others = Object.values((node['patternProperties'] ?? {}) as Readonly<Record<string, Node>>)[0]
  const changed: [string, unknown][] = []
  for (const name in object) {
    if (reading.left <= 0) break
    const part = Object.hasOwn(properties, name) ? properties[name] : others
    const value = part === undefined ? object[name] : readValue(part, object[name], within(path, name), reading)
    if (value !== object[name]) changed.push([name, value])
  }
  return changed.length === 0 ? object : Object.fromEntries([...Object.entries(object), ...changed])
}

/** Returns the warning about texts that were read; none if there were none. */
export function textWarnings({ fields }: Pick<TextReading, 'fields'>): readonly WriteWarning[] {
  if (fields.length === 0) return []
  const shown = fields.slice(0, 10).map((field) => JSON.stringify(field.slice(0, 80).toWellFormed()))
  const more = fields.length > shown.length ? ` and ${fields.length - shown.length} more` : ''
  const message = `${shown.join(', ')}${more} came as text and was read as JSON. Send numbers, booleans, lists and objects as such.`
  return [{ code: 'read_from_text', message, found: fields.slice(0, 10).map((field) => field.slice(0, 80).toWellFormed()) }]
}
