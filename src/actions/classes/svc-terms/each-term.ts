// The terms of a call about several terms.

import type { TermRow } from '../../../store/schema.ts'
import type { WriteContext } from '../../action.ts'
import { getTerm } from '../../term-names.ts'
import { termId } from './fields.ts'
import { severalOf } from '../../../schema.ts'

export const idsProperty = severalOf(termId, 'Ids or names of terms.', 100)

/** Runs a function once for each term, with its present row. @returns the ids of the terms */
export async function eachTerm(
  { db }: WriteContext,
  refs: readonly string[],
  run: (row: TermRow, at: number) => Promise<void>,
): Promise<string[]> {
  const ids: string[] = []
  for (const ref of refs) {
    const { id } = await getTerm(db, ref)
    if (!ids.includes(id)) ids.push(id)
  }
  for (const [at, id] of ids.entries()) await run(await getTerm(db, id), at)
  return ids
}
