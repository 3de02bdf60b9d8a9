// Finds a term by its name, as a person would: letter case and spacing don't matter. The names of a taxonomy are read once for the
// changes of a call, because a batch may ask for hundreds of them.

import type { Change, RowChange } from '../../store/change/change.ts'
import type { TermRow } from '../../store/core/schema.ts'

export type NamedTerm = Pick<TermRow, 'id' | 'ref' | 'slug' | 'name' | 'parent_id'>

/** A name in the form in which names are compared: `E-Mail` and `e mail` are one. */
export const plainTermName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .trim()
    .replace(/(?<=[\p{L}\p{N}])[\s_-]+(?=[\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')

/** The terms of a taxonomy with this name, in the order of their ids, including those that the change has written. */
export async function listTermsNamed(change: Change, taxonomy: string, name: string): Promise<readonly NamedTerm[]> {
  const names = await namesIn(change, taxonomy)
  return [...(names.byName.get(plainTermName(name))?.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1))
}

interface Names {
  readonly byId: Map<string, NamedTerm>
  readonly byName: Map<string, Map<string, NamedTerm>>
  /** The number of records of the change that the names include. */
  seen: number
}

/** The names by taxonomy, for the records of a change. Nobody else writes before its transaction ends. */
const known = new WeakMap<readonly RowChange[], Map<string, Names>>()

async function namesIn({ db, records }: Change, taxonomy: string): Promise<Names> {
  const read = known.get(records) ?? new Map<string, Names>()
  known.set(records, read)
  const names = read.get(taxonomy)
  if (names) {
    for (const record of records.slice(names.seen)) if (record.kind === 'term') follow(names, taxonomy, record)
    names.seen = records.length
    return names
  }
  const rows = await db.selectFrom('term').select(columns).where('taxonomy', '=', taxonomy).execute()
  const made: Names = { byId: new Map(), byName: new Map(), seen: records.length }
  for (const row of rows) put(made, row)
  read.set(taxonomy, made)
  return made
}

const columns = ['id', 'ref', 'slug', 'name', 'parent_id'] as const

/** Brings the names up to date with a change of a term. */
function follow(names: Names, taxonomy: string, { id, before, after }: RowChange): void {
  const earlier = names.byId.get(id)
  if (!earlier && (before !== null || after?.['taxonomy'] !== taxonomy)) return
  if (earlier) names.byName.get(plainTermName(earlier.name))?.delete(id)
  if (after === null) names.byId.delete(id)
  else put(names, { ...earlier, ...after } as NamedTerm)
}

function put({ byId, byName }: Names, term: NamedTerm): void {
  const name = plainTermName(term.name)
  byId.set(term.id, term)
  byName.set(name, (byName.get(name) ?? new Map<string, NamedTerm>()).set(term.id, term))
}
