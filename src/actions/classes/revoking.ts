// Ending credentials by name: personal tokens and connected apps alike. Their rows stay, so that nothing revives them.

import type { RowOf } from '../../store/kinds.ts'
import type { WriteContext } from '../action.ts'
import { checkExpected } from '../expect.ts'

/** Which things to end, as the input has it. */
export interface Named {
  readonly ids: readonly string[]
  readonly expect: number
}

/**
 * Ends what the names stand for, each once, all or none.
 * @param get finds one, or throws `not_found`
 * @throws Failure `conflict` when they are not as many as was meant
 */
export async function revokeNamed<K extends 'token' | 'app'>(
  { change, site, afterCommit }: WriteContext,
  kind: K,
  { ids, expect }: Named,
  get: (id: string) => Promise<RowOf<K>>,
): Promise<{ done: string[]; unchanged: string[]; warnings: never[]; activity_id: null }> {
  const rows = new Map<string, RowOf<K>>()
  for (const id of ids) {
    const row = await get(id)
    rows.set(row.id, row)
  }
  checkExpected(rows.size, expect, kind === 'token' ? 'tokens' : 'apps')
  const [done, unchanged]: [string[], string[]] = [[], []]
  for (const row of rows.values()) {
    if (row.revoked_at === null) await change.update(kind, row, { revoked_at: change.now } as Partial<RowOf<K>>)
    ;(row.revoked_at === null ? done : unchanged).push(row.id)
  }
  // What they began ends with them.
  afterCommit(() => site.jobs.look())
  return { done, unchanged, warnings: [], activity_id: null }
}
