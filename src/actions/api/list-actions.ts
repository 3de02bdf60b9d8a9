import { type Static, Type } from 'typebox'
import { invalid } from '../../base/failure.ts'
import { closed, boundedText } from '../../base/schema.ts'
import { type Action, action, callName, effects } from '../call/action.ts'
import { isAlwaysRefused } from '../call/check-input.ts'
import { nullable } from '../call/write-answer.ts'

const listed = Type.Object({
  class: Type.String(),
  action: Type.String(),
  summary: Type.String(),
  effect: Type.Enum([...effects]),
})

export const listActions = action('SVC_API.list-actions', {
  title: 'List the actions',
  summary: 'Lists the actions that you may call.',
  tier: 'any',
  effect: 'read',
  input: closed({
    class: Type.Optional(boundedText('Only actions of this class, such as `SVC_Content`.', 200)),
    search: Type.Optional(boundedText('Only actions whose name or summary contains all of these words.', 200)),
    effect: Type.Optional(
      Type.Enum([...effects], {
        description:
          'Only actions with this effect: read, write (can be undone), act (on credentials or the outside world) or destroy.',
      }),
    ),
    cursor: Type.Optional(boundedText('`next_cursor` of the previous page.', 400)),
  }),
  output: Type.Object({
    items: Type.Array(listed),
    left_out: Type.Optional(
      Type.Integer({
        description:
          'How many more of these your limits always refuse: `you.limits` of SVC_API.welcome says them. They can be described.',
      }),
    ),
    next_cursor: nullable(Type.String()),
  }),
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
    const allowed = found.filter((one) => !isAlwaysRefused(caller, one))
    const leftOut = found.length - allowed.length
    return { ...page(allowed, cursor), ...(leftOut === 0 ? {} : { left_out: leftOut }) }
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
    throw invalid(
      'cursor',
      'This cursor belongs to another list. Start again without a cursor.',
      '`next_cursor` of the previous page',
    )
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
