// Old addresses of imported things: a placeholder that keeps the former paths of entries.

import type { Change } from '../../store/change/change.ts'

export interface OldAddress {
  readonly site: string
  readonly kind: string
  readonly old: string
  readonly targetKind: 'entry' | 'term' | 'media' | 'account'
  readonly targetId: string
}

export async function writeOldAddresses(change: Change, given: readonly OldAddress[]): Promise<void> {
  for (const { kind, old, targetKind, targetId } of given) {
    if (kind !== 'path' || targetKind !== 'entry' || old === '/') continue
    const known = await change.db.selectFrom('former_path').selectAll().where('path', '=', old).executeTakeFirst()
    if (!known) await change.insert('former_path', { path: old, entry_id: targetId, created_at: change.now })
  }
}
