import { Type } from 'typebox'
import { invalid } from '../../base/failure.ts'
import { closed, boundedText, flag } from '../../base/schema.ts'
import { type Action, action, callName, effects, titleWithoutObject } from '../call/action.ts'
import { isAlwaysRefused } from '../call/check-input.ts'
import { classesNamed } from '../call/vocabulary.ts'
import { nullable } from '../call/write-answer.ts'
import { findActions } from './find-actions.ts'

const listed = Type.Object({
  class: Type.String(),
  action: Type.String(),
  summary: Type.String(),
  effect: Type.Enum([...effects]),
})

export const listActions = action('SVC_API.list-actions', {
  title: 'List the actions',
  summary: 'Lists the actions that you may call, by class and effect, or the ones that a search is about.',
  tier: 'any',
  effect: 'read',
  input: closed({
    class: Type.Optional(boundedText('Only actions of this class, such as `SVC_Content`, with their summaries.', 200)),
    search: Type.Optional(boundedText('What you want to do, in words: the actions that match best come first.', 200)),
    effect: Type.Optional(
      Type.Enum([...effects], {
        description:
          'Only actions with this effect: read, write (can be undone), act (on credentials or the outside world) or destroy.',
      }),
    ),
    names: flag('Answers the names alone.'),
    full: flag('Answers each action with class, summary and effect, in `items`.'),
    cursor: Type.Optional(boundedText('`next_cursor` of the previous page.', 400)),
  }),
  output: Type.Object({
    classes: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'By class and effect, the actions with a few words on each; with `names` their names.',
      }),
    ),
    items: Type.Optional(Type.Array(listed, { description: 'What a search found, best first; with `full` every action.' })),
    hint: Type.Optional(Type.String({ description: 'What there is, if nothing was found.' })),
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
    { title: 'By what they do', input: { search: 'rename a page' } },
  ],
  run({ caller, site }, { class: ofClass, search, effect, names = false, full = site.release.catalogue === 'long', cursor }) {
    const visible = site.registry.visibleTo(caller)
    const classes = [...new Set(visible.map((one) => one.class))]
    const wanted = ofClass === undefined ? classes : classesNamed(ofClass, classes)
    const chosen = visible.filter((one) => wanted.includes(one.class) && (effect === undefined || one.effect === effect))
    const found = search === undefined ? chosen : findActions(search, chosen)
    if (found.length === 0) return { items: [], hint: nothingFound(classes), next_cursor: null }
    const allowed = found.filter((one) => !isAlwaysRefused(caller, one))
    const left = found.length - allowed.length
    const { shown, next } = pageOf(allowed, cursor)
    const page = { ...(left > 0 && { left_out: left }), next_cursor: next }
    if (names) return { classes: grouped(shown, namesOf), ...page }
    if (full || search !== undefined) return { items: shown.map(itemOf), ...page }
    const words = ofClass === undefined ? titleWithoutObject : summaryOf
    return { classes: grouped(shown, (some) => byEffect(some, words)), ...page }
  },
})

const nothingFound = (classes: readonly string[]): string =>
  `Nothing was found. These classes have actions that you may call: ${classes.join(', ')}. \`class\` lists those of one; {} lists all.`

/**
 * The number of actions per page: well below the limit of an answer, and enough for all actions of most
 * sites.
 */
const pageSize = 400

function pageOf(found: readonly Action[], cursor: string | undefined): { shown: readonly Action[]; next: string | null } {
  const start = cursor === undefined ? 0 : found.findIndex((one) => cursorOf(one) === cursor) + 1
  if (cursor !== undefined && start === 0) {
    throw invalid(
      'cursor',
      'This cursor belongs to another list. Start again without a cursor.',
      '`next_cursor` of the previous page',
    )
  }
  const shown = found.slice(start, start + pageSize)
  const last = shown.at(-1)
  return { shown, next: last !== undefined && start + pageSize < found.length ? cursorOf(last) : null }
}

const cursorOf = (last: Action): string => Buffer.from(callName(last)).toString('base64url')

const itemOf = ({ class: ofClass, name, summary, effect }: Action) => ({ class: ofClass, action: name, summary, effect })
const summaryOf = ({ summary }: Action): string => summary
const namesOf = (some: readonly Action[]): readonly string[] => some.map(({ name }) => name)

/** Groups actions by class, in the order in which the classes come first. */
function grouped(actions: readonly Action[], toShown: (some: readonly Action[]) => unknown): Record<string, unknown> {
  const classes = [...new Set(actions.map((one) => one.class))]
  return Object.fromEntries(classes.map((name) => [name, toShown(actions.filter((one) => one.class === name))]))
}

/** Returns `{"read": {"list": "List entries"}, "write": {…}}`. */
function byEffect(actions: readonly Action[], words: (one: Action) => string): Record<string, Record<string, string>> {
  const present = effects.filter((effect) => actions.some((one) => one.effect === effect))
  return Object.fromEntries(
    present.map((effect) => [
      effect,
      Object.fromEntries(actions.filter((one) => one.effect === effect).map((one) => [one.name, words(one)])),
    ]),
  )
}
