// SVC_API.batch: several calls in one transaction and one activity record, all or none, each at its own tier.

import { Type } from 'typebox'
import { withChangesSince } from '../../activity/since.ts'
import { Failure } from '../../failure.ts'
import type { Caller } from '../../identity/caller.ts'
import { JsonText } from '../../json.ts'
import { type Action, action, callName, type Context, storable, type WriteContext } from '../action.ts'
import type { Call } from '../call.ts'
import { authorOf } from '../dispatch.ts'
import { holdInput } from '../hold-input.ts'
import { holdOptions, optionNames } from '../options.ts'
import { getVisible } from '../registry.ts'
import type { Services } from '../services.ts'
import { fits } from '../validate.ts'
import { cutProperties } from '../write-answer.ts'

const maxCalls = 50

const oneCall = Type.Object(
  {
    class: Type.Optional(Type.String({ description: 'Class, unless `action` names both.', maxLength: 200 })),
    action: Type.String({ description: 'Action, such as `update`, or `SVC_Content.update`.', maxLength: 200 }),
    arguments: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'The action\'s arguments; `"$0.item.id"` is taken from the first call\'s result, and `"$$0.item.id"` is that text itself.',
      }),
    ),
    if_revision: Type.Optional(Type.Integer({ minimum: 0, description: 'Revision of what this call changes, as you read it.' })),
  },
  { additionalProperties: false },
)

const inputSchema = Type.Object(
  { calls: Type.Array(oneCall, { minItems: 1, maxItems: maxCalls, description: 'The calls, in their order.' }) },
  { additionalProperties: false },
)

type OneCall = {
  readonly class?: string
  readonly action: string
  readonly arguments?: Record<string, unknown>
  readonly if_revision?: number
}

export const batch = action({
  class: 'SVC_API',
  name: 'batch',
  summary: 'Runs several calls in one transaction: all or none.',
  tier: 'read',
  effect: 'write',
  touches: 'calls',
  input: inputSchema,
  output: Type.Object({
    results: Type.Array(Type.Unknown()),
    activity_id: Type.Union([Type.String(), Type.Null()]),
    diff: Type.Optional(Type.Array(Type.Unknown())),
    ...cutProperties,
  }),
  diffHint: 'Dry-run one of the calls by itself to see what it would change.',
  examples: [
    {
      title: 'Read two things at once',
      input: { calls: [{ action: 'SVC_API.welcome' }, { class: 'SVC_Content', action: 'get', arguments: { id: '/about' } }] },
    },
    {
      title: 'Write a page and publish it',
      input: {
        calls: [
          { action: 'SVC_Content.create', arguments: { type: 'page', title: 'Opening hours', body: 'Mondays to Fridays.' } },
          { action: 'SVC_Content.publish', arguments: { id: '$0.item.id' } },
        ],
      },
    },
  ],
  writes: (site: Services, caller: Caller, { calls }: { calls: OneCall[] }) =>
    calls.some((call) => site.registry.find(nameOf(call))?.effect !== 'read'),
  storable(site, input, result) {
    // Guards are asked before the input is held against its schema: what is no batch is shown as an empty one.
    const calls = fits(inputSchema, input) ? input.calls : []
    const results = Array.isArray(result['results']) ? (result['results'] as Shown[]) : []
    const kept = calls.map((call, place) => storableOne(site, call as OneCall, results[place]))
    return {
      input: { calls: kept.map(({ call }) => call) },
      result: { ...result, results: kept.slice(0, results.length).map((one) => one.result) },
    }
  },
  async prepare(context, { calls }) {
    const prepared: unknown[] = []
    for (const [place, call] of calls.entries())
      prepared.push(await at(context, calls, place, prepareOne(context, call as OneCall)))
    return prepared
  },
  async run(context, { calls }, prepared) {
    const results: unknown[] = []
    for (const [place, call] of calls.entries()) {
      const result = await at(context, calls, place, runOne(context, call as OneCall, prepared[place], results))
      results.push(result instanceof JsonText ? result.parse() : result)
    }
    return { results, activity_id: null }
  },
})

/** The calls that an input holds, as they would come by themselves. It was not held against the schema yet: what is no call is left out. */
export function callsIn({ calls }: Shown): readonly Call[] {
  const read = (one: unknown): Call[] => {
    const { class: className, action: named, arguments: input = {} } = (one ?? {}) as Record<string, unknown>
    const good = typeof named === 'string' && (className === undefined || typeof className === 'string') && isShown(input)
    return good ? [{ name: nameOf({ class: className, action: named } as OneCall), input, options: {} }] : []
  }
  return Array.isArray(calls) ? calls.slice(0, maxCalls).flatMap(read) : []
}

const isShown = (value: unknown): value is Shown => value !== null && typeof value === 'object' && !Array.isArray(value)

const nameOf = (call: OneCall): string => (call.class === undefined ? call.action : `${call.class}.${call.action}`)

/** Everything that can be held before the transaction: the call exists, may run here, and its own preparation. */
async function prepareOne(context: Context, call: OneCall): Promise<unknown> {
  const one = getVisible(context.site.registry, context.caller, nameOf(call))
  if (one.name === 'batch' && one.class === 'SVC_API') throw noBatch('A batch', 'goes into no other batch')
  if (one.effect === 'destroy' || one.job || one.batchable === false)
    throw noBatch(callName(one), 'goes into no batch: call it by itself')
  holdOptions(one, { ifRevision: call.if_revision })
  return holdsReference(call.arguments)
    ? undefined
    : prepareWith(context, one, resolveReferences(call.arguments ?? {}, []) as Shown)
}

async function prepareWith(context: Context, one: Action, input: Shown): Promise<unknown> {
  holdInput(context.caller, one, input)
  return one.prepare?.(context, input)
}

async function runOne(context: WriteContext, call: OneCall, prepared: unknown, results: readonly unknown[]): Promise<unknown> {
  const one: Action = getVisible(context.site.registry, context.caller, nameOf(call))
  const input = resolveReferences(call.arguments ?? {}, results) as Record<string, unknown>
  // What an earlier result is part of can't be prepared before the transaction.
  const ready = holdsReference(call.arguments) ? await prepareWith(context, one, input) : prepared
  if (one.effect === 'read') return one.run(context, input, ready)
  context.ran(one)
  const change = context.change.part(authorOf(context.caller, one), call.if_revision)
  const result = await one.run({ ...context, change }, input, ready)
  change.holdRevisionUsed()
  return result
}

type Shown = Readonly<Record<string, unknown>>

/** A call and its result without the secrets of its action. */
function storableOne(site: Services, call: OneCall, result: Shown = {}): { call: OneCall; result: Shown } {
  const one = site.registry.find(nameOf(call))
  if (!one) return { call, result }
  const { input, result: open } = storable(site, one, call.arguments ?? {}, result)
  return { call: call.arguments ? { ...call, arguments: input } : call, result: open }
}

/** `$2.item.id`: of the third result, its item's id. A text that only looks so is written with a second `$`. */
const reference = /^\$(\d{1,2})(\.[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)$/

function holdsReference(value: unknown): boolean {
  if (typeof value === 'string') return reference.test(value)
  return value !== null && typeof value === 'object' && Object.values(value).some(holdsReference)
}

function resolveReferences(value: unknown, results: readonly unknown[]): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? resolveReference(value, results) : value
  if (Array.isArray(value)) return value.map((part) => resolveReferences(part, results))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolveReferences(part, results)]))
}

function resolveReference(text: string, results: readonly unknown[]): unknown {
  const [, place = '', path = ''] = reference.exec(text) ?? []
  if (place === '') return text.startsWith('$$') && reference.test(text.slice(1)) ? text.slice(1) : text
  const found = path
    .slice(1)
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        value !== null && typeof value === 'object' && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      results[Number(place)],
    )
  if (found !== undefined) return found
  throw new Failure('invalid', `${JSON.stringify(text)} names nothing in an earlier result.`, {
    expected: 'such as `$0.item.id`, of a call before this one',
  })
}

/** What goes wrong in a call is told with its place in the batch, and a stale revision with what changed since. */
async function at<T>({ site }: Context, calls: readonly OneCall[], place: number, running: Promise<T>): Promise<T> {
  try {
    return await running
  } catch (error) {
    const told = await withChangesSince(site.store.read, calls[place]?.if_revision, error)
    if (!(told instanceof Failure)) throw told
    const { field } = told.detail
    const within = field === undefined ? '' : isOption(field) ? `.${field}` : `.arguments.${field}`
    throw new Failure(told.code, told.message, { ...told.detail, field: `calls.${place}${within}` }, { cause: told })
  }
}

const isOption = (field: string): boolean => (optionNames as readonly string[]).includes(field)

const noBatch = (what: string, rule: string) =>
  new Failure('refused', `${what} ${rule}.`, { rule: 'no destroying, no long-running and no batch calls inside a batch' })
