// Runs a call about several terms, one term after another.

import { doneAnswer, eachOnce } from '../shared/several.ts'
import type { TermRow } from '../../store/core/schema.ts'
import type { WriteContext } from '../call/action.ts'
import { getTerm } from '../shared/term-names.ts'
import { termId } from './fields.ts'
import { severalOf } from '../../base/schema.ts'

export const idsProperty = severalOf(termId, 'Ids or names of terms.', 100)

/** Runs a function once for each term, with its present row. @returns the answer */
export async function eachTerm({ db }: WriteContext, refs: readonly string[], run: (row: TermRow, at: number) => Promise<void>) {
  const rows = await eachOnce(refs, (ref) => getTerm(db, ref))
  for (const [at, { id }] of rows.entries()) await run(await getTerm(db, id), at)
  return doneAnswer(rows)
}
