import { type TObject, type TSchema, Type } from 'typebox'
import { codes } from '../../base/failure.ts'
import { tiers } from '../../identity/caller.ts'
import { closed, boundedText, flag } from '../../base/schema.ts'
import { type Action, action, effects } from '../call/action.ts'
import { compactType, describedType } from './compact-type.ts'
import { failuresOf } from '../call/failures.ts'
import { takenOptions } from '../call/options.ts'
import { getVisible, nameIn } from '../call/registry.ts'

const described = Type.Object({
  class: Type.String(),
  action: Type.String(),
  summary: Type.String(),
  tier: Type.Enum([...tiers]),
  effect: Type.Enum([...effects]),
  options: Type.Array(Type.String()),
  input: Type.Unknown({ description: "The arguments, as a type in TypeScript's notation; with `full` their JSON Schema." }),
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
    full: flag('Answers `input` and `output` as JSON Schema with all bounds, which is longer.'),
  }),
  output: Type.Union([described, Type.Object({ items: Type.Array(described) })]) as never,
  examples: [
    { title: 'One action', input: { class: 'SVC_Content', action: 'get' } },
    { title: 'Two at once', input: { action: ['SVC_Content.get', 'SVC_Content.list'] } },
  ],
  run({ caller, site }, { class: ofClass, action: asked, full = false }) {
    const describe = (name: string) =>
      describeOne(getVisible(site.registry, caller, nameIn(ofClass, name)), {
        input: full || site.release.catalogue === 'long',
        output: full,
      })
    return (Array.isArray(asked) ? { items: asked.map(describe) } : describe(asked)) as never
  },
})

const jobSentence =
  'Work that takes longer than some seconds is answered `{job: {id, state, next}}` and goes on: `SVC_Jobs.get` with the id shows its result.'

/** The members of the answer of a dry run. The document `actions` describes them, so the short type leaves them out. */
const ofDryRuns: ReadonlySet<string> = new Set(['diff', 'truncated', 'diff_summary'])

function withoutDiff(output: TObject): TSchema {
  // The answer of some actions is a union, which has no properties.
  if (!('diff' in ((output.properties as TObject['properties'] | undefined) ?? {}))) return output
  const { properties, ...rest } = output as TObject & { readonly required?: readonly string[] }
  return { ...rest, properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !ofDryRuns.has(name))) }
}

/** @param full says which of the two is answered as JSON Schema */
function describeOne(one: Action, full: { readonly input: boolean; readonly output: boolean }): Record<string, unknown> {
  const { class: ofClass, name, summary, tier, effect, input, output, examples } = one
  return {
    class: ofClass,
    action: name,
    summary,
    tier,
    effect,
    options: takenOptions(one),
    input: full.input ? input : describedType(input),
    output: full.output ? output : compactType(withoutDiff(output)),
    examples,
    errors: [...failuresOf(one)],
    ...(one.job === true ? { job: jobSentence } : {}),
  }
}
