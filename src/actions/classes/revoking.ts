// Revokes personal tokens and connected apps. Their rows stay, so that nothing can revive them.

import type { RowOf } from '../../store/kinds.ts'
import type { WriteContext } from '../action.ts'
import { checkExpected } from '../expect.ts'

/** What to revoke, as in the input. */
export interface Named {
  readonly ids: readonly string[]
  readonly expect: number
}

/**
 * Revokes what the names mean, each once, all or none.
 * @param get finds one, or throws `not_found`
 * @throws Failure `conflict` where their number is not `expect`
 */
export async function revokeNamed<K extends 'token' | 'app'>(
  { change }: WriteContext,
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
  return { done, unchanged, warnings: [], activity_id: null }
}
