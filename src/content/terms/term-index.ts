// The cached names of all terms, so that answers about entries need no query for them.

import type { Store } from '../../store/core/database.ts'
import type { TermRow } from '../../store/core/schema.ts'

/** A term as an entry shows it. `ref` is `taxonomy/slug`. */
export type TermName = Pick<TermRow, 'id' | 'ref' | 'name'>

export type TermOf = (id: string) => TermName | undefined

export interface TermIndex {
  readonly of: TermOf
  /** These terms, and those above them. */
  withAbove(ids: readonly string[]): readonly string[]
  /** Reads all names again, after a term changed. */
  reload(): Promise<void>
}

export async function openTermIndex(store: Pick<Store, 'read'>): Promise<TermIndex> {
  let names: ReadonlyMap<string, TermName & Pick<TermRow, 'parent_id'>> = new Map()
  const reload = async () => {
    const rows = await store.read.selectFrom('term').select(['id', 'ref', 'name', 'parent_id']).execute()
    names = new Map(rows.map((row) => [row.id, row]))
  }
  await reload()
  const withAbove = (ids: readonly string[]): readonly string[] => {
    const all = new Set(ids)
    // Iterating a set also visits members that are added during the loop.
    for (const id of all) {
      const above = names.get(id)?.parent_id
      if (above) all.add(above)
    }
    return [...all]
  }
  return { of: (id) => names.get(id), withAbove, reload }
}
