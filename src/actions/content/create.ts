import { Type } from 'typebox'
import { insertEntry, type NewEntry } from '../../content/entries/write-entry.ts'
import type { EntryInput } from '../../content/entries/entry-input.ts'
import type { Findings } from '../../content/markdown/markup.ts'
import { action, type WriteContext } from '../call/action.ts'
import { runsOfTerms, termsCreateProperty, termsOf } from './made-terms.ts'
import { columnsFrom, fieldProperties, requiredProperties } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { findingsIn, warningsOf } from './warnings.ts'
import { hashedPassword, type PasswordColumn, newPasswordProperty, passwordSecrets } from './page-password.ts'
import { writingOf, entryWrite, publishedSummary } from './writing.ts'
import { closed } from '../../base/schema.ts'

export const create = action('SVC_Content.create', {
  title: 'Create [{title}|an entry]',
  summary: 'Creates an entry, as a draft unless `status` says otherwise.',
  did: 'created [{title}|an entry]',
  ...entryWrite,
  recorded: publishedSummary,
  effect: 'write',
  failures: ['not_found', 'exists', 'unprocessable'],
  runs: runsOfTerms,
  input: closed({
    ...fieldProperties,
    ...requiredProperties,
    terms_create: termsCreateProperty,
    password: Type.Optional(newPasswordProperty),
  }),
  secrets: passwordSecrets,
  output: writeOutput({}),
  examples: [
    { title: 'A draft post', input: { type: 'post', title: 'Spring fair', body: 'We open at **ten**.' } },
    {
      title: 'A page below another, published',
      input: { type: 'page', title: 'Our team', parent: '/about', status: 'published' },
    },
  ],
  prepares: ['body', 'password'],
  prepare: async (context, { body, password }) => ({
    found: await findingsIn(context, body),
    secret: await hashedPassword(context, password),
  }),
  async run(context, { terms_create: makes, password: _password, ...input }, { found, secret }) {
    const terms = termsOf(context, makes)
    const { row, warnings } = await createEntry(context, input, found, terms, secret)
    return wrote(context, row, [], [...warnings, ...terms.warnings])
  },
})

/**
 * Creates an entry.
 * @param found the findings of its body
 * @param terms finds and makes its terms
 * @param secret its password
 * @throws Failure as `insertEntry` does
 */
export async function createEntry(
  context: WriteContext,
  input: EntryInput,
  found: Findings,
  terms: ReturnType<typeof termsOf>,
  secret: PasswordColumn = {},
) {
  const columns = await columnsFrom(context, input, undefined, terms)
  const author = input.author === undefined ? { author_id: context.caller.account?.id ?? null } : {}
  const written = await insertEntry(writingOf(context), { ...columns, ...author, ...secret } as NewEntry)
  return { row: written.row, warnings: await warningsOf(context, undefined, written, found) }
}
