// The names of all terms in memory, so that answers about entries show them without a query.

import type { Store } from '../store/database.ts'
import type { TermRow } from '../store/schema.ts'

/** A term as an entry shows it. `ref` is `taxonomy/slug`. */
export type TermName = Pick<TermRow, 'id' | 'ref' | 'name'>

export type TermOf = (id: string) => TermName | undefined

export interface TermIndex {
  readonly of: TermOf
  /** Reads all names again, after a term changed. */
  reload(): Promise<void>
}

export async function openTermIndex(store: Pick<Store, 'read'>): Promise<TermIndex> {
  let names: ReadonlyMap<string, TermName> = new Map()
  const reload = async () => {
    const rows = await store.read.selectFrom('term').select(['id', 'ref', 'name']).execute()
    names = new Map(rows.map((row) => [row.id, row]))
  }
  await reload()
  return { of: (id) => names.get(id), reload }
}
