// The way from one waiting proposal to the next, in the order of their list.

import type { Db } from '../../store/core/database.ts'
import type { ProposalRow } from '../../store/core/schema.ts'
import { html, type HtmlValue } from '../../doors/shared/html.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

interface Neighbours {
  /** Counts from 1. */
  readonly place: number
  readonly newer: string | undefined
  readonly older: string | undefined
}

/** The links to the previous and the next proposal; nothing if no other one waits. */
export async function neighbourLinks(visit: SignedIn, id: string): Promise<HtmlValue> {
  const { site, waiting = 0, t } = visit
  const found = waiting > 1 ? await findNeighbours(site.store.read, id) : undefined
  if (!found) return undefined
  return html`<nav class="neighbours" aria-label="${t('activity.neighbours')}">
    ${link(visit, found.newer, 'prev', t('activity.previous_proposal'))}
    <span class="quiet">${t('activity.place_of', { place: found.place, count: waiting })}</span>
    ${link(visit, found.older, 'next', t('activity.next_proposal'))}
  </nav>`
}

const link = ({ request }: SignedIn, id: string | undefined, rel: string, label: string): HtmlValue =>
  id !== undefined && html`<a rel="${rel}" href="${linkTo(request, adminPaths.approvals)}?id=${id}">${label}</a>`

async function findNeighbours(db: Db, id: string): Promise<Neighbours | undefined> {
  const at = await db.selectFrom('proposal').select(['id', 'created_at']).where('id', '=', id).executeTakeFirst()
  if (!at) return undefined
  const newer = beside(db, at, '>')
  const older = beside(db, at, '<')
  const [before, after, counted] = await Promise.all([
    newer.select('id').orderBy('created_at', 'asc').orderBy('id', 'asc').limit(1).executeTakeFirst(),
    older.select('id').orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst(),
    newer.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow(),
  ])
  return { place: Number(counted.count) + 1, newer: before?.id, older: after?.id }
}

/** The waiting proposals on one side of a proposal, in the order of time. */
const beside = (db: Db, { id, created_at: at }: Pick<ProposalRow, 'id' | 'created_at'>, side: '<' | '>') =>
  db
    .selectFrom('proposal')
    .where('state', '=', 'waiting')
    .where((eb) => eb.or([eb('created_at', side, at), eb.and([eb('created_at', '=', at), eb('id', side, id)])]))
