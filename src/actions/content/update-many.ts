import { entryWrite } from './writing.ts'
import { Type } from 'typebox'
import type { EntryInput } from '../../content/entries/entry-input.ts'
import { maxTermsOfEntry, type TermChanges, withTerms } from '../../content/terms/terms.ts'
import { Failure } from '../../base/failure.ts'
import type { EntryPatch } from '../../content/entries/write-entry.ts'
import { termIdsOf } from '../../store/change/entry-terms.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { checkExpected, expectProperty } from '../shared/expect.ts'
import { runsOfTerms, type TermMaking, termsCreateProperty, termsOf } from './made-terms.ts'
import { findTermIds } from '../shared/term-names.ts'
import { entriesWait, waitsProperty } from '../call/waits.ts'
import { fullProperty, manyAnswer, manyOutput } from '../call/write-answer.ts'
import { checkChosen, checkMany, chosenProperties, listChosen, readEntries } from './chosen.ts'
import { columnsFrom, fieldProperties } from './fields.ts'
import { sideOf, writeSide } from './side.ts'
import { findingsIn } from './warnings.ts'
import { closed } from '../../base/schema.ts'

const maxEntries = 1000

const someTerms = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1100 }), { description, minItems: 1, maxItems: maxTermsOfEntry }),
  )

/** The fields to set. Terms can also be added to or removed from each entry's terms. */
const setProperties = {
  ...fieldProperties,
  terms: Type.Optional(
    Type.Union(
      [
        fieldProperties.terms,
        closed(
          { add: someTerms('Terms that all entries get.'), remove: someTerms('Terms that all entries lose.') },
          { minProperties: 1 },
        ),
      ],
      {
        description: '`{"add": ["tag/boats"], "remove": ["tag/old"]}` keeps the other terms of each entry; a list replaces them.',
      },
    ),
  ),
}

export const updateMany = action('SVC_Content.update-many', {
  title: 'Change [{title}|several entries]',
  summary: 'Sets the same fields of several entries, chosen by `ids` or `where`. All change, or none.',
  did: 'changed [{title}|several entries]',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found', 'conflict', 'exists', 'in_use', 'unprocessable'],
  runs: runsOfTerms,
  input: closed({
    ...chosenProperties,
    set: closed(setProperties, {
      minProperties: 1,
      description: 'Fields as in `update`. Where edits of published entries wait, these wait too.',
    }),
    terms_create: termsCreateProperty,
    expect: expectProperty('entries'),
    full: fullProperty,
  }),
  output: Type.Object({ ...manyOutput.properties, ...waitsProperty }),
  examples: [
    { title: 'All drafts get a language', input: { where: { status: 'draft', locale: 'xx' }, set: { locale: 'de' }, expect: 0 } },
    {
      title: 'Drafts get a tag and lose another',
      input: {
        where: { status: 'draft', locale: 'xx' },
        set: { terms: { add: ['tag/sale'], remove: ['category/news'] } },
        expect: 0,
      },
    },
    { title: 'Two entries get an excerpt', input: { ids: ['/about', '/hello'], set: { excerpt: 'In short.' }, expect: 2 } },
  ],
  prepares: ['set'],
  async prepare(context, { set }) {
    await findingsIn(context, set.body)
  },
  async run(context, { ids, where, set, terms_create: makes, expect, full }) {
    checkChosen({ ids, where })
    const chosen = await listChosen(context, { ids, where }, maxEntries)
    checkMany(chosen.length, maxEntries)
    checkExpected(chosen.length, expect, 'entries')
    const terms = termsOf(context, makes)
    const done: string[] = []
    const unchanged: string[] = []
    let waiting = 0
    for await (const rows of readEntries(context, chosen))
      for (const row of rows) {
        const side = await sideOf(context, row, undefined)
        const { changed, staged } = await writeSide(context, side, await patchFor(context, set, side.row, terms))
        if (staged && changed.length > 0) waiting += 1
        if (changed.length > 0) done.push(row.id)
        else unchanged.push(row.id)
      }
    const waits = waiting > 0 && !context.dryRun && { waits: entriesWait(context, waiting) }
    return { ...manyAnswer(done, unchanged, full), warnings: [...terms.warnings], ...waits }
  },
})

type SetFields = Omit<EntryInput, 'terms'> & { readonly terms?: EntryInput['terms'] | TermChanges }

async function patchFor(context: Context, { terms, ...set }: SetFields, row: EntryRow, unknown: TermMaking): Promise<EntryPatch> {
  if (terms === undefined || terms === null || Array.isArray(terms))
    return columnsFrom(context, { ...set, ...(terms !== undefined && { terms }) }, row, unknown)
  const { add = [], remove = [] } = terms
  const column = withTerms(row.terms, {
    add: await findTermIds(context, add, set.type ?? row.type, 'set.terms.add', unknown),
    remove: await findTermIds(context, remove, undefined, 'set.terms.remove'),
  })
  if (termIdsOf(column).length > maxTermsOfEntry)
    throw new Failure('refused', `${row.path ?? row.id} would have more than ${maxTermsOfEntry} terms.`, {
      field: 'set.terms.add',
      rule: 'number of terms of an entry',
    })
  return { ...(await columnsFrom(context, set, row)), terms: column }
}
