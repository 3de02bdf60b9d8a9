// The parts of a proposed call that a person may leave out or change: its arguments, the members of those that set several fields,
// and each edit of a text. Ids and references to earlier results stay as they are.

import { type BatchCall, nameOf } from '../../actions/api/batch-plan.ts'
import { escapeReferences, movePlaces, placesIn, resolveReferences } from '../../actions/api/batch-references.ts'
import type { Registry } from '../../actions/call/registry.ts'
import { invalid } from '../../base/failure.ts'
import { isObject } from '../../base/json.ts'
import type { Visit } from '../visit.ts'
import type { Words } from '../words.ts'

/** The language of a person, and the actions. */
type Reader = Pick<Visit, 'site' | 't'>

type Value = Readonly<Record<string, unknown>>

/** A part of a call. */
export interface CallPart {
  /** The path of the value inside `arguments`: `['title']`, `['set', 'site_title']`, `['edits', '1', 'replace']`. */
  readonly path: readonly string[]
  /** The path to remove if a person drops this part: for an edit, the whole edit. */
  readonly whole: readonly string[]
  readonly value: unknown
  /** The text that an edit replaces. */
  readonly instead?: string
  /** True if the call is valid without this part. */
  readonly droppable: boolean
  /** The values to choose from, if there are few. */
  readonly choices?: readonly string[]
}

/** Arguments whose members are parts of their own. */
const groups: ReadonlySet<string> = new Set(['set', 'fields', 'seo', 'settings'])
/** The member of an edit that has the new text. */
const editTexts = ['replace', 'text', 'append', 'prepend']
/** With other values of these it would be another call. */
const fixed: ReadonlySet<string> = new Set(['id', 'ids', 'type', 'stage'])

/** Returns the parts of a call, in the order in which it names them. */
export function partsOf(registry: Registry, call: BatchCall): readonly CallPart[] {
  const input = registry.find(nameOf(call))?.input
  const required = new Set<string>(input?.required ?? [])
  return Object.entries(call.arguments ?? {}).flatMap(([name, value]): readonly CallPart[] => {
    if (fixed.has(name) || placesIn(value).length > 0) return []
    if (name === 'edits' && Array.isArray(value)) return value.flatMap((edit, place) => partsOfEdit(edit, place, value.length))
    if (groups.has(name) && isObject(value))
      return Object.entries(value).map(([member, one]) =>
        part([name, member], one, Object.keys(value).length > 1 || !required.has(name)),
      )
    const choices = choicesIn(input?.properties[name])
    return [{ ...part([name], value, !required.has(name)), ...(choices && { choices }) }]
  })
}

/** The texts that a schema allows, if there are few. */
function choicesIn(schema: unknown): readonly string[] | undefined {
  const given = isObject(schema) ? schema['enum'] : undefined
  return Array.isArray(given) && given.every((one) => typeof one === 'string') ? given : undefined
}

const part = (path: readonly string[], value: unknown, droppable: boolean): CallPart => ({ path, whole: path, value, droppable })

function partsOfEdit(edit: unknown, place: number, count: number): readonly CallPart[] {
  if (!isObject(edit)) return []
  const name = editTexts.find((one) => typeof edit[one] === 'string')
  if (name === undefined) return []
  const whole = ['edits', String(place)]
  const instead = edit['find'] ?? edit['section']
  return [
    {
      path: [...whole, name],
      whole,
      value: edit[name],
      droppable: count > 1,
      ...(typeof instead === 'string' && { instead }),
    },
  ]
}

/** The value of a part for people: a text without the escapes of references, and JSON for any other value. */
export const textOfPart = ({ value }: Pick<CallPart, 'value'>): string => {
  const meant = resolveReferences(value, [])
  return typeof meant === 'string' ? meant : JSON.stringify(meant, undefined, 2)
}

/** The parts that a person kept, and the texts that they typed. */
export interface ChosenParts {
  keepsCall(place: number): boolean
  keepsPart(place: number, part: CallPart): boolean
  /** The text that was filled in; undefined if the form had no field for it. */
  text(place: number, part: CallPart): string | undefined
}

/** The calls that are kept, each with the place that it had. */
export interface ChosenCalls {
  readonly calls: readonly BatchCall[]
  readonly places: readonly number[]
}

/**
 * Returns the calls without what a person dropped, and with what they typed. References name the new places.
 * @throws Failure `invalid` for a call that refers to one that is left out, and for a value that is no JSON
 */
export function chosenCalls({ site: { registry }, t }: Reader, calls: readonly BatchCall[], chosen: ChosenParts): ChosenCalls {
  const kept = calls.flatMap((call, place) => {
    const changed = chosen.keepsCall(place) ? chosenCall({ registry, t }, call, place, chosen) : undefined
    return changed ? [{ place, call: changed }] : []
  })
  const places = new Map(kept.map(({ place }, now) => [place, now]))
  const moved = kept.map(({ call, place }) => {
    const dropped = placesIn(call.arguments).find((one) => !places.has(one))
    if (dropped !== undefined)
      throw invalid('only', t('activity.step_needs', { step: place + 1, other: dropped + 1 }), [dropped, place])
    const given = movePlaces(call.arguments, (one) => places.get(one) ?? one) as Value
    return call.arguments === undefined ? call : { ...call, arguments: given }
  })
  return { calls: moved, places: [...places.keys()] }
}

/** A call without the parts that a person dropped; undefined if it can't do without them. */
function chosenCall(
  { registry, t }: { readonly registry: Registry; readonly t: Words },
  call: BatchCall,
  place: number,
  chosen: ChosenParts,
): BatchCall | undefined {
  const parts = partsOf(registry, call)
  const isKept = (one: CallPart) => !one.droppable || chosen.keepsPart(place, one)
  if (parts.length > 0 && parts.every(({ droppable }) => droppable) && !parts.some(isKept)) return undefined
  const required = registry.find(nameOf(call))?.input.required ?? []
  const isEmptied = (name: string) => {
    const members = parts.filter(({ path }) => path[0] === name && path.length > 1)
    return members.length > 0 && !members.some(isKept)
  }
  if (required.some((name) => isEmptied(name))) return undefined
  let given: Value = call.arguments ?? {}
  for (const one of parts.filter(isKept))
    given = withValue(given, one.path, () => valueFrom(t, one, chosen.text(place, one))) as Value
  // The last edit goes first, so that the places of the others stay.
  for (const one of parts.filter((part) => !isKept(part)).toReversed()) given = without(given, one.whole) as Value
  return { ...call, ...(call.arguments && { arguments: given }) }
}

/** @throws Failure `invalid` */
function valueFrom(t: Words, one: CallPart, text: string | undefined): unknown {
  if (text === undefined || text === textOfPart(one)) return one.value
  if (typeof one.value === 'string') return escapeReferences(text)
  try {
    return escapeReferences(JSON.parse(text))
  } catch {
    throw invalid(one.path.join('.'), t('activity.stays_json'), 'JSON')
  }
}

function withValue(given: unknown, [first, ...rest]: readonly string[], make: () => unknown): unknown {
  if (first === undefined) return make()
  if (Array.isArray(given))
    return given.map((one, place) => (String(place) === first ? withValue(one, rest, make) : (one as unknown)))
  return isObject(given) ? { ...given, [first]: withValue(given[first], rest, make) } : given
}

function without(given: unknown, [first = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(given))
    return rest.length === 0
      ? given.filter((_, place) => String(place) !== first)
      : given.map((one: unknown, place) => (String(place) === first ? without(one, rest) : one))
  if (!isObject(given)) return given
  const { [first]: member, ...others } = given
  const inner = rest.length === 0 ? undefined : without(member, rest)
  const isEmpty = inner === undefined || (isObject(inner) && Object.keys(inner).length === 0)
  return isEmpty ? others : { ...given, [first]: inner }
}
