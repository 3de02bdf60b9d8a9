// The order of pages below the same parent: by position, then title, as menus show them.

import { Failure } from '../../base/failure.ts'
import type { Db } from '../../store/core/database.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { typesThat } from '../types/entry-types.ts'

const maxSiblings = 500
const hierarchical = typesThat('hierarchical')

/**
 * The pages below a parent, or at the top, in their order.
 * @throws Failure `refused` if there are too many to number in one call
 */
export async function listSiblings(db: Db, parentId: string | null): Promise<readonly EntryRow[]> {
  const rows = await db
    .selectFrom('entry')
    .selectAll()
    .where('parent_id', parentId === null ? 'is' : '=', parentId)
    .where('type', 'in', hierarchical)
    .where('status', '!=', 'trash')
    .orderBy('position')
    .orderBy('title')
    .orderBy('id')
    .limit(maxSiblings + 1)
    .execute()
  if (rows.length <= maxSiblings) return rows
  throw new Failure('refused', `More than ${maxSiblings} pages stand there. Set \`position\` by SVC_Content.update.`, {
    rule: 'pages that one call orders',
  })
}

/**
 * The positions to write so that a page is next to another. Pages whose positions already fit keep them.
 * @param siblings in their order, with the page itself
 * @param behind true to place the page after the other one, false to place it before
 */
export function reorder<R extends Pick<EntryRow, 'id' | 'position'>>(
  siblings: readonly R[],
  id: string,
  otherId: string,
  behind: boolean,
): readonly { readonly row: R; readonly position: number }[] {
  const own = siblings.find((row) => row.id === id)
  const others = siblings.filter((row) => row.id !== id)
  const at = others.findIndex((row) => row.id === otherId) + (behind ? 1 : 0)
  if (!own) return []
  const ordered = [...others.slice(0, at), own, ...others.slice(at)]
  const written: { row: R; position: number }[] = []
  let last = -Infinity
  for (const [index, row] of ordered.entries()) {
    const next = ordered[index + 1]
    // The page itself takes a free position between its neighbours if there is one.
    const keeps =
      row.id === id ? row.position > last && (next === undefined || row.position < next.position) : row.position > last
    const position = keeps ? row.position : last === -Infinity ? (next?.position ?? 1) - 1 : last + 1
    if (position !== row.position) written.push({ row, position })
    last = position
  }
  return written
}
