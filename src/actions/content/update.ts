// SVC_Content.update: changes fields of an entry. A public entry changes at once, unless the change is staged.

import { Type } from 'typebox'
import { action } from '../call/action.ts'
import { combineFields } from '../call/combine.ts'
import { runsOfTerms, termsCreateProperty, termsOf } from './made-terms.ts'
import { columnsFrom, fieldProperties } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty } from './named.ts'
import { findingsIn, warningsOf } from './warnings.ts'
import { checkMayLock, hashedPassword, passwordProperty, passwordSecrets } from './page-password.ts'
import { sideOf, stageProperty, writeSide } from './side.ts'
import { getWritable, entryWrite, publishedSummary } from './writing.ts'
import { closed } from '../../base/schema.ts'

export const update = action('SVC_Content.update', {
  title: 'Change [{title}|an entry]',
  summary: 'Changes fields of an entry. A field that is left out stays, null clears it.',
  did: 'changed [{title}|an entry]',
  ...entryWrite,
  recorded: publishedSummary,
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use', 'unprocessable'],
  revisioned: true,
  combine: combineFields,
  runs: runsOfTerms,
  input: closed({
    id: idProperty,
    ...fieldProperties,
    terms_create: termsCreateProperty,
    stage: stageProperty,
    password: Type.Optional(passwordProperty),
  }),
  secrets: passwordSecrets,
  output: writeOutput({}),
  examples: [
    { title: 'Another title', input: { id: '/about', title: 'About us' } },
    { title: 'Clear the excerpt', input: { id: '/hello', excerpt: null } },
    { title: 'A title that waits for publish', input: { id: '/about', title: 'About our shop', stage: true } },
  ],
  prepares: ['body', 'password'],
  prepare: async (context, { id, body, password }) => ({
    found: await findingsIn(context, body),
    secret: await hashedPassword(context, password, id),
  }),
  async run(context, { id, stage, terms_create: makes, password: _password, ...input }, { found, secret }) {
    const side = await sideOf(context, await getWritable(context, id), stage)
    checkMayLock(context, side.entry, secret)
    const terms = termsOf(context, makes)
    const written = await writeSide(context, side, { ...(await columnsFrom(context, input, side.row, terms)), ...secret })
    const warnings = [...(await warningsOf(context, side.row, written, found)), ...terms.warnings]
    return wrote(context, written.row, written.changed, warnings, written.staged)
  },
})
