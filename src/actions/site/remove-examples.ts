// SVC_Site.remove-examples: only what nobody has changed goes, so one click can't lose anybody's work.

import { Type } from 'typebox'
import { Failure } from '../../base/failure.ts'
import { closed } from '../../base/schema.ts'
import { prepareCalls, runCalls } from '../api/batch.ts'
import { action } from '../call/action.ts'
import { nullable, writeProperties } from '../call/write-answer.ts'
import { type ExamplePage, findExamples } from './examples.ts'
import { removalCalls } from './removal.ts'

const exampleItem = Type.Object({ id: Type.String(), title: Type.String(), path: nullable(Type.String()) })

export const removeExamples = action('SVC_Site.remove-examples', {
  title: 'Throw the example pages away',
  summary: 'Moves the examples of SVC_Site.begin to the trash, except those that somebody has changed.',
  did: 'threw the example pages away',
  tier: 'admin',
  effect: 'write',
  touches: 'site',
  failures: ['refused', 'in_use'],
  runs: () => ['SVC_Content.delete', 'SVC_Menus.delete', 'SVC_Settings.update'],
  input: closed({}),
  output: Type.Object({
    removed: Type.Array(exampleItem),
    kept: Type.Array(exampleItem, { description: 'What somebody has changed, which belongs to the site now.' }),
    ...writeProperties,
  }),
  examples: [{ title: 'After the first own pages', input: {} }],
  async prepare(context) {
    const found = await findExamples(context.db)
    if (found.unchanged.length === 0)
      throw new Failure('refused', 'There are no example pages to throw away.', {
        rule: 'only unchanged examples are thrown away',
        hint: 'SVC_Content.delete moves any entry to the trash.',
      })
    const calls = await removalCalls(context, found.unchanged)
    return { found, calls, prepared: await prepareCalls(context, calls) }
  },
  async run(context, _input, { found, calls, prepared }) {
    await runCalls(context, calls, prepared)
    return { removed: shown(found.unchanged), kept: shown(found.changed), warnings: [], activity_id: null }
  },
})

const shown = (examples: readonly ExamplePage[]) => examples.map(({ id, title, path }) => ({ id, title, path }))
