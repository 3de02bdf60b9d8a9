import { Type } from 'typebox'
import { codes } from '../../base/failure.ts'
import { tiers } from '../../identity/caller.ts'
import { closed, boundedText, flag } from '../../base/schema.ts'
import { type Action, action, effects } from '../call/action.ts'
import { compactType } from './compact-type.ts'
import { failuresOf } from '../call/failures.ts'
import { takenOptions } from '../call/options.ts'
import { getVisible } from '../call/registry.ts'

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

export const describeAction = action('SVC_API.describe-action', {
  title: 'Describe an action',
  summary: 'Describes one action, or several: arguments, answer, examples, errors.',
  tier: 'any',
  effect: 'read',
  failures: ['unknown_action'],
  input: closed({
    class: Type.Optional(boundedText('The class, unless `action` includes it.', 200)),
    action: Type.Union(
      [Type.String({ maxLength: 200 }), Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 20 })],
      {
        description: 'The name, or a list of names with their classes: `["SVC_Content.get", "SVC_Content.list"]`.',
      },
    ),
    full: flag('Answers `output` as JSON Schema with descriptions, which is longer.'),
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
