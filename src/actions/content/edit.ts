// SVC_Content.edit: exact changes in the texts of an entry. A caller can change a word without sending the whole body.

import { Type } from 'typebox'
import { cutDiff } from '../../activity/diff.ts'
import { applyEdits, type Edit, editedFields, type EditedTexts, editsSection } from '../../content/markdown/edits.ts'
import { shownValues } from '../../content/types/custom-values.ts'
import { findEntry } from '../../content/entries/entry.ts'
import { checkBody, checkText, checkTitle, maxBodyBytes, maxExcerptChars } from '../../content/entries/entry-text.ts'
import { editedNames, follow } from '../../content/types/followed-schemas.ts'
import type { EntryPatch } from '../../content/entries/write-entry.ts'
import { Failure } from '../../base/failure.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { combineEdits } from '../call/combine.ts'
import { columnsFrom } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty, named } from './named.ts'
import { sideOf, stageProperty, writeSide } from './side.ts'
import { findingsIn, findingsOfEdit, warningsOf } from './warnings.ts'
import { getWritable, entryWrite, publishedSummary } from './writing.ts'
import { boundedInteger, closed, nonEmptyText, severalOf } from '../../base/schema.ts'

const text = (description: string, maxLength = maxBodyBytes) => Type.Optional(Type.String({ description, maxLength }))

/** The most edits of a call. */
const maxEdits = 50

/** One object for all forms, because validating a union of four would give worse messages. */
const oneEdit = Type.Object(
  {
    find: Type.Optional(nonEmptyText('Exact text to replace; needs `replace`.', maxBodyBytes)),
    replace: text('The text in its place.'),
    expect: Type.Optional(boundedInteger('How often `find` must occur. The default is 1.', 1, 1_000_000)),
    field: Type.Optional(
      Type.Enum([...editedFields] as string[], { description: 'The field to search. The default is body.', ...follow('edited') }),
    ),
    section: text('Id or title of a section to rewrite; needs `text`.', 300),
    text: text("The section's new text. Without a heading of its own, the section keeps its old heading."),
    append: text('Text to add below the body, as a separate block.'),
    prepend: text('Text to add above the body.'),
  },
  { additionalProperties: false, description: 'One of {find, replace, expect, field}, {section, text}, {append}, {prepend}.' },
)

export const edit = action('SVC_Content.edit', {
  title: 'Change the text of [{title}|an entry]',
  summary: "Makes exact changes in an entry's texts: replace, rewrite a section, append, prepend.",
  did: 'changed the text of [{title}|an entry]',
  ...entryWrite,
  recorded: publishedSummary,
  effect: 'write',
  failures: ['not_found', 'unprocessable'],
  revisioned: true,
  combine: (earlier, later) => combineEdits(earlier, later, maxEdits),
  input: closed({
    id: idProperty,
    edits: severalOf(oneEdit, 'Applied one after the other: all or none.', maxEdits),
    stage: stageProperty,
  }),
  output: writeOutput({}),
  examples: [
    { title: 'Add a paragraph', input: { id: '/about', edits: [{ append: 'We are closed in August.' }] } },
    {
      title: 'Two changes at once',
      input: { id: '/hello', edits: [{ prepend: 'Opening soon.' }, { find: 'Opening soon', replace: 'Opening on Friday' }] },
    },
  ],
  prepares: ['edits', 'stage'],
  async prepare(context, { id, edits, stage }) {
    const entry = await findEntry(context.db, named(context, id))
    const row = entry && (await sideOf(context, entry, stage)).row
    const made = row && (await makeEdits(context, row, edits as readonly Edit[]))
    // If there is no edited text, the new parts are checked on their own: an earlier call of a batch may create the entry, or the
    // text to find.
    const parts = edits.map((one) => one.replace ?? one.text ?? one.append ?? one.prepend ?? '').join('\n\n')
    const whole = row && made && !(made.outcome instanceof Failure) ? made.outcome.body : undefined
    const found = whole === undefined ? await findingsIn(context, parts) : await findingsOfEdit(context, row?.body ?? '', whole)
    return { found, bySection: editsSection(edits as readonly Edit[]) ? made : undefined }
  },
  async run(context, { id, edits, stage }, prepared) {
    const side = await sideOf(context, await getWritable(context, id), stage)
    const before = side.row
    const known = context.change.records.length
    const texts = editsSection(edits as readonly Edit[])
      ? textsBySection(before, prepared?.bySection)
      : await applyEdits(textsOf(context, before), edits as readonly Edit[], context.site.renderer)
    const { title, body, excerpt } = texts
    const patch = {
      ...(await changedFields(context, before, texts)),
      title: checkTitle(title),
      body: checkBody(body),
      excerpt: before.excerpt === null && excerpt === '' ? null : checkText(excerpt, 'excerpt', maxExcerptChars),
    }
    const written = await writeSide(context, side, onlyChanged(before, patch), { whole: false })
    const cut = cutDiff(context.change.records.slice(known), seeOne)
    const warnings = await warningsOf(context, before, written, prepared?.found)
    return { ...wrote(context, written.row, written.changed, warnings, written.staged), ...cut }
  },
})

function textsOf({ site }: Context, { title, body, excerpt, fields, type }: EntryRow): EditedTexts {
  const ofType = site.types.current.of(type)
  const values = shownValues(fields, ofType)
  const own = editedNames(ofType.fields).map((field) => [field, values[field.slice('fields.'.length)] ?? ''])
  return { title, body, excerpt: excerpt ?? '', ...Object.fromEntries(own) } as EditedTexts
}

/**
 * Returns the column of the fields that the edits have changed, with the checks for a caller's input. An empty text clears a field.
 */
async function changedFields(context: Context, before: EntryRow, texts: EditedTexts): Promise<EntryPatch> {
  const earlier = textsOf(context, before)
  const changed = Object.entries(texts).filter(
    ([field, value]) => field.startsWith('fields.') && value !== earlier[field as `fields.${string}`],
  )
  if (changed.length === 0) return {}
  const fields = Object.fromEntries(changed.map(([field, value]) => [field.slice('fields.'.length), value === '' ? null : value]))
  return columnsFrom(context, { fields }, before)
}

/** Returns the texts that the edits have changed, because unchanged texts must not be staged. */
const onlyChanged = <T extends Partial<EntryRow>>(before: EntryRow, texts: T): Partial<T> =>
  Object.fromEntries(Object.entries(texts).filter(([column, text]) => text !== before[column as keyof EntryRow])) as Partial<T>

/** The result of edits, or their failure, for the entry as it was before the transaction. */
interface EditsMade {
  readonly entryId: string
  readonly revision: number
  readonly outcome: EditedTexts | Failure
}

/**
 * Makes the edits before the transaction: the renderer checks their result, and finding sections takes too long for the writer.
 * `run` throws a failure later, because the call may still be answered from its idempotency key.
 */
async function makeEdits(context: Context, row: EntryRow, edits: readonly Edit[]): Promise<EditsMade> {
  const outcome = await applyEdits(textsOf(context, row), edits, context.site.renderer).catch((error: unknown) => {
    if (error instanceof Failure) return error
    throw error
  })
  return { entryId: row.id, revision: row.revision, outcome }
}

/** @throws Failure `conflict` if the entry changed since, or was created in this transaction */
function textsBySection(row: EntryRow, made: EditsMade | undefined): EditedTexts {
  if (made === undefined || made.entryId !== row.id || made.revision !== row.revision)
    throw new Failure('conflict', 'The entry changed while its section was being looked for.', {
      revision: row.revision,
      hint: 'Send the call again. In a batch, edits by section do not work on an entry that an earlier call of the batch writes: put all edits into one call.',
    })
  if (made.outcome instanceof Failure) throw made.outcome
  return made.outcome
}

const seeOne =
  'SVC_Content.get with a `section` shows the present text; SVC_Activity.get with `object` shows what this call changed.'
