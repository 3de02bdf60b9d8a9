import { type Static, Type } from 'typebox'
import { findOldAddress, type OldAddress, writeOldAddresses } from '../../content/redirects/old-addresses.ts'
import { targetsNamed } from '../../content/redirects/old-names.ts'
import { closed, severalOf } from '../../base/schema.ts'
import { action, type WriteContext } from '../call/action.ts'
import { fullProperty, manyAnswer, manyOutput, sampleOf } from '../call/write-answer.ts'
import { oldRow } from './old-item.ts'

const row = closed(oldRow)
type Row = Static<typeof row>

export const putOld = action('SVC_Redirects.put-old', {
  title: 'Write [the old addresses {title}|old addresses]',
  summary:
    'Says what things of this site were called on an old site, so that their old addresses lead to them wherever they move.',
  did: 'wrote [the old addresses {title}|old addresses]',
  tier: 'content',
  effect: 'write',
  touches: 'site',
  input: closed({
    rows: severalOf(row, 'The old addresses, each instead of one with the same `site`, `kind` and `old`.', 1000),
    full: fullProperty,
  }),
  output: Type.Object({
    ...manyOutput.properties,
    passed_over: Type.Array(Type.Object({ old: Type.String(), why: Type.String() }), {
      description: 'Old addresses that were not written: the first ten, with `full` all.',
    }),
  }),
  examples: [
    {
      title: 'A post of WordPress, by its number and its path',
      input: {
        rows: [
          { site: 'https://old.example.org', kind: 'item', old: '123', to: '/about' },
          { site: 'https://old.example.org', kind: 'path', old: '/2019/05/about-us/', to: '/about' },
        ],
      },
    },
  ],
  async run(context, { rows, full }) {
    const targets = await targetsNamed(
      context.db,
      rows.flatMap(({ to }) => to ?? []),
    )
    const known: OldAddress[] = []
    const passedOver: { old: string; why: string }[] = []
    for (const { site, kind, old, to } of rows) {
      const target = to === null ? undefined : targets.get(to)
      if (target) known.push({ site, kind, old, ...target })
      else if (to !== null) passedOver.push({ old, why: `There is no ${to} on this site.` })
    }
    const written = await writeOldAddresses(context.change, known)
    for (const { old } of written.passedOver) passedOver.push({ old, why: notAskable })
    const removed = await removeEach(context, rows)
    const answer = manyAnswer([...written.done, ...removed], written.unchanged, full)
    return { ...answer, passed_over: sampleOf(passedOver, full) }
  },
})

const notAskable = 'Nobody can ask for it: it must be a number, or a path without a query that the service itself does not need.'

/** Removes the old addresses that lead nowhere any more. @returns their ids */
async function removeEach({ db, change }: WriteContext, rows: readonly Row[]): Promise<readonly string[]> {
  const removed: string[] = []
  for (const { site, kind, old } of rows.filter(({ to }) => to === null)) {
    const row = await findOldAddress(db, { site, kind, old })
    if (!row || removed.includes(row.id)) continue
    await change.remove('old_address', row)
    removed.push(row.id)
  }
  return removed
}
