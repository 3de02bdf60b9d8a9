// SVC_API: lists and describes the actions of the registry. See also welcome.ts and batch.ts.

import { type Static, Type } from 'typebox'
import { codes, Failure } from '../../failure.ts'
import { tiers } from '../../identity/caller.ts'
import { type Action, action, callName, effects } from '../action.ts'
import { failuresOf } from '../failures.ts'
import { compactType } from '../compact-type.ts'
import { takenOptions } from '../options.ts'
import { getVisible } from '../registry.ts'
import { batch } from './batch.ts'
import { openApi } from './openapi.ts'
import { welcomeAction } from './welcome.ts'
import { closed } from '../../schema.ts'

const listed = Type.Object({
  class: Type.String(),
  action: Type.String(),
  summary: Type.String(),
  effect: Type.Enum([...effects]),
})

const listActions = action('SVC_API.list-actions', {
  title: 'List the actions',
  summary: 'Lists the actions that you may call.',
  tier: 'any',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed({
    class: Type.Optional(Type.String({ description: 'Only actions of this class, such as `SVC_Content`.', maxLength: 200 })),
    search: Type.Optional(
      Type.String({ description: 'Only actions whose name or summary contains all of these words.', maxLength: 200 }),
    ),
    effect: Type.Optional(
      Type.Enum([...effects], {
        description:
          'Only actions with this effect: read, write (can be undone), act (on credentials or the outside world) or destroy.',
      }),
    ),
    cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.', maxLength: 400 })),
  }),
  output: Type.Object({ items: Type.Array(listed), next_cursor: Type.Union([Type.String(), Type.Null()]) }),
  examples: [
    { title: 'All actions', input: {} },
    { title: 'Actions on content', input: { class: 'SVC_Content' } },
  ],
  run({ caller, site }, { class: ofClass, search = '', effect, cursor }) {
    const words = search
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    const found = site.registry
      .visibleTo(caller)
      .filter((one) => (ofClass === undefined || one.class === ofClass) && (effect === undefined || one.effect === effect))
      .filter((one) => words.every((word) => `${callName(one)} ${one.summary}`.toLowerCase().includes(word)))
    return page(found, cursor)
  },
})

/**
 * The number of actions per page, of about 200 bytes each: well below the limit of an answer, and enough for all actions of most
 * sites.
 */
const pageSize = 200

function page(
  found: readonly Action[],
  cursor: string | undefined,
): { items: Static<typeof listed>[]; next_cursor: string | null } {
  const start = cursor === undefined ? 0 : found.findIndex((one) => cursorOf(one) === cursor) + 1
  if (cursor !== undefined && start === 0) {
    throw new Failure('invalid', 'This cursor belongs to another list. Start again without a cursor.', {
      field: 'cursor',
      expected: '`next_cursor` of the previous page',
    })
  }
  const items = found.slice(start, start + pageSize)
  const last = items.at(-1)
  const more = last !== undefined && start + pageSize < found.length
  return {
    items: items.map((one) => ({ class: one.class, action: one.name, summary: one.summary, effect: one.effect })),
    next_cursor: more ? cursorOf(last) : null,
  }
}

const cursorOf = (last: Action): string => Buffer.from(callName(last)).toString('base64url')

const described = Type.Object({
  class: Type.String(),
  action: Type.String(),
  summary: Type.String(),
  tier: Type.Enum([...tiers]),
  effect: Type.Enum([...effects]),
  options: Type.Array(Type.String()),
  input: Type.Unknown({ description: 'JSON Schema of the arguments.' }),
  output: Type.Unknown({ description: "The answer's `data`, as a type in TypeScript's notation; with `full` its JSON Schema." }),
  examples: Type.Array(Type.Unknown()),
  errors: Type.Array(Type.Enum([...codes]), { description: 'Codes that a call can fail with.' }),
  job: Type.Optional(Type.String({ description: 'Only for an action whose work may outlast the call.' })),
})

const describeAction = action('SVC_API.describe-action', {
  title: 'Describe an action',
  summary: 'Describes one action, or several: arguments, answer, examples, errors.',
  tier: 'any',
  effect: 'read',
  failures: ['unknown_action'],
  touches: 'nothing',
  input: closed({
    class: Type.Optional(Type.String({ description: 'The class, unless `action` includes it.', maxLength: 200 })),
    action: Type.Union(
      [Type.String({ maxLength: 200 }), Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 20 })],
      {
        description: 'The name, or a list of names with their classes: `["SVC_Content.get", "SVC_Content.list"]`.',
      },
    ),
    full: Type.Optional(Type.Boolean({ description: 'Answers `output` as JSON Schema with descriptions, which is longer.' })),
  }),
  output: Type.Union([described, Type.Object({ items: Type.Array(described) })]) as never,
  examples: [
    { title: 'One action', input: { class: 'SVC_Content', action: 'get' } },
    { title: 'Two at once', input: { action: ['SVC_Content.get', 'SVC_Content.list'] } },
  ],
  run({ caller, site }, { class: ofClass, action: asked, full = false }) {
    const describe = (name: string) =>
      describeOne(getVisible(site.registry, caller, ofClass === undefined ? name : `${ofClass}.${name}`), full)
    return (Array.isArray(asked) ? { items: asked.map(describe) } : describe(asked)) as never
  },
})

const jobSentence =
  'Work that takes longer than some seconds is answered `{job: {id, state, next}}` and goes on: `SVC_Jobs.get` with the id shows its result.'

function describeOne(one: Action, full: boolean): Record<string, unknown> {
  const { class: ofClass, name, summary, tier, effect, input, output, examples } = one
  return {
    class: ofClass,
    action: name,
    summary,
    tier,
    effect,
    options: takenOptions(one),
    input,
    output: full ? output : compactType(output),
    examples,
    errors: [...failuresOf(one)],
    ...(one.job === true ? { job: jobSentence } : {}),
  }
}

/** Returns the actions of the class. Each registry gets its own, because welcome caches texts. */
export const apiActions = (): readonly Action[] => [welcomeAction(), listActions, describeAction, batch, openApi]
