// The maker of what was saved in between: another person, or the same one in another tab or window.

import { content } from '../../actions/content/index.ts'
import { run } from '../page.ts'
import type { SignedIn } from '../visit.ts'

/** The most revisions that are looked at. */
const limit = 50

/** True if the same person has saved everything since a revision, in the admin. */
export async function isSavedByOneself(visit: SignedIn, id: string, revision: number): Promise<boolean> {
  const { data } = await run(visit, content.revisions, { id, where: { revision: { gt: revision } }, limit })
  const items = data?.items ?? []
  const { name } = visit.session.account
  return items.length > 0 && items.length < limit && items.every(({ by, via }) => by === name && via === 'admin')
}
