import { namesOfFields, revertedColumns } from '../../content/types/field-lists.ts'
import { shownValues } from '../../content/types/custom-values.ts'
import { rowOfSnapshot } from '../../content/entries/entry-item.ts'
import { withoutDeletedTerms } from '../../content/terms/terms.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { getSnapshot, revisionNumber } from '../shared/revision-list.ts'
import { columnsFrom } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty } from './named.ts'
import { sideOf, stageProperty, writeSide } from './side.ts'
import { warningsOf } from './warnings.ts'
import { getWritable, entryWrite } from './writing.ts'

/** The fields that a revert restores. Address, status, dates, author, parent and position stay as they are. */
const reverted = namesOfFields(({ reverts }) => reverts).join(', ')

export const revert = action('SVC_Content.revert', {
  title: 'Return [{title}|an entry] to an earlier revision',
  summary: `Gives an entry the ${reverted} of an earlier revision, as a new one.`,
  did: 'returned [{title}|an entry] to an earlier revision',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use', 'unprocessable'],
  revisioned: true,
  input: closed({
    id: idProperty,
    revision: revisionNumber('Number of the revision, from SVC_Content.revisions.'),
    stage: stageProperty,
  }),
  output: writeOutput({}),
  examples: [{ title: 'Restore the first revision', input: { id: '/about', revision: 1 } }],
  async run(context, { id, revision, stage }) {
    const side = await sideOf(context, await getWritable(context, id), stage)
    const then = rowOfSnapshot(await getSnapshot(context.db, 'entry_revision', side.entry.id, revision))
    const terms = await withoutDeletedTerms(context.db, then.terms)
    const columns = Object.fromEntries(revertedColumns.map((column) => [column, { ...then, terms }[column]]))
    // The type may have changed since, so the values of fields are checked like a caller's input.
    const fields = shownValues(then.fields, context.site.types.current.of(side.row.type))
    const patch = { ...columns, ...(await columnsFrom(context, { fields }, side.row)) }
    const written = await writeSide(context, side, patch)
    return wrote(context, written.row, written.changed, await warningsOf(context, side.row, written), written.staged)
  },
})
