// The terms of a call about several terms.

import { Type } from 'typebox'
import type { TermRow } from '../../../store/schema.ts'
import type { WriteContext } from '../../action.ts'
import { getTerm } from '../../term-names.ts'
import { termId } from './fields.ts'

export const idsProperty = Type.Array(termId, { description: 'Ids or names of terms.', minItems: 1, maxItems: 100 })

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
