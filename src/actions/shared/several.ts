// The common parts of calls about several objects: the rows that a call names, and its answer.

import { Failure } from '../../base/failure.ts'

interface Identified {
  readonly id: string
}

/** Returns each named row once, even if the call names it twice, such as by id and by path. */
export async function eachOnce<R extends Identified>(
  refs: readonly string[],
  get: (ref: string) => Promise<R>,
): Promise<readonly R[]> {
  const rows = new Map<string, R>()
  for (const ref of refs) {
    const row = await get(ref)
    rows.set(row.id, row)
  }
  return [...rows.values()]
}

/** Returns the answer of a write to several objects. */
export function doneAnswer(done: readonly Identified[], unchanged: readonly Identified[] = []) {
  const idsOf = (rows: readonly Identified[]) => rows.map(({ id }) => id)
  return { done: idsOf(done), unchanged: idsOf(unchanged), warnings: [], activity_id: null }
}

/** The failure of a purge of something that is not in the trash. @param remover the action that puts it there */
export const notInTrash = (name: string, remover: string): Failure =>
  new Failure('refused', `${name} is not in the trash.`, {
    field: 'ids',
    rule: 'purge from the trash only',
    hint: `${remover} puts it there.`,
  })
