// The two sides of a comparison as rows of an entry, for the pages that show them.

import { Failure } from '../../base/failure.ts'
import { rowOfSnapshot } from '../../content/entries/entry-item.ts'
import { getEntry } from '../../content/entries/entry.ts'
import { mergeEntry } from '../../content/entries/pending.ts'
import { includesTier, type Tier } from '../../identity/caller.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { digestOf } from '../call/proposed-changes.ts'
import { findProposers } from '../call/proposer.ts'
import type { Compared, EntryState } from '../shared/compared-page.ts'
import { getSnapshot } from '../shared/revision-list.ts'
import { getProposal } from './proposal-item.ts'
import { type ProposedPage, proposedPages } from './proposed-pages.ts'
import { type Looking, tryProposal } from './try-proposal.ts'

type Looker = Looking & Pick<Context, 'db' | 'now'>

/**
 * Returns both sides. A proposal is tried, and shown only while it makes the changes that its page showed.
 * @throws Failure `not_found`; `conflict` for a proposal that would change something else now
 */
export const comparedRows = (context: Looker, compared: Compared): Promise<Omit<ProposedPage, 'id'>> =>
  'proposal' in compared ? proposedRows(context, compared) : entryRows(context, compared)

async function proposedRows(
  context: Looker,
  { proposal, place, digest }: Extract<Compared, { proposal: string }>,
): Promise<ProposedPage> {
  const row = await getProposal(context, proposal)
  const proposer = (await findProposers(context.db, [row], context.now))(row)
  if (row.state !== 'waiting' || !includesTier(context.caller.tier, row.tier as Tier)) throw changed()
  const { records, changes } = await tryProposal(context, row, proposer)
  const page = digestOf(changes) === digest ? proposedPages(records)[place] : undefined
  if (page === undefined) throw changed()
  return page
}

const changed = (): Failure =>
  new Failure('conflict', 'This proposal was decided, or would change something else now. Open it again to see it.')

async function entryRows(
  context: Looker,
  { entry: id, from, to }: Extract<Compared, { entry: string }>,
): Promise<Omit<ProposedPage, 'id'>> {
  const entry = await getEntry(context.db, id)
  const rowAt = async (state: EntryState): Promise<EntryRow> => {
    if (state === 'live') return entry
    if (state === 'staged') return (await mergeEntry(context.db, entry)).row
    return { ...entry, ...rowOfSnapshot(await getSnapshot(context.db, 'entry_revision', entry.id, state)) }
  }
  return { before: await rowAt(from), after: await rowAt(to) }
}
