// Mails that follow from the state of the site and from no single change: proposals and comments that wait, and faults that the
// checks find.

import { type Finding, needsWork } from '../../doctor/finding.ts'
import type { Recurring } from '../../jobs/recurring.ts'
import type { Db } from '../../store/core/database.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import type { Services } from '../call/services.ts'
import { findMailOrigin, mailAccount } from './site-mail.ts'
import { type DecisionsWaiting, waitingComments, waitingProposals } from './waiting.ts'

/** The choices of a person for mails about proposals and comments: the shortest time between two, in milliseconds. */
export const proposalMails = { at_once: 0, hourly: 3_600_000, daily: 86_400_000, never: Infinity } as const
export type ProposalMails = keyof typeof proposalMails

/** The checks whose faults are told by mail. */
const toldChecks: readonly string[] = ['disk', 'backup', 'backups-elsewhere', 'webhooks']
const factName = 'mailed_faults'

/** The turn, every minute. Without a relay that works, it does nothing. */
export const noticesTurn = (site: Services): Recurring => ({
  name: 'mail notices',
  call: 'SVC_Mail.list',
  everyMs: 60_000,
  async run(signal) {
    if ((await findMailOrigin(site, site.store.read)) === undefined) return { queued: 0 }
    const faults = await newFaults(site, signal)
    const queued = await site.store.transaction(async (db) => {
      const people = await db.selectFrom('account').selectAll().where('role', '=', 'admin').where('disabled', '=', 0).execute()
      return (await mailWaiting(site, db, people, await waitingOnes(site, db))) + (await mailFaults(site, db, people, faults))
    })
    if (queued > 0) site.mail.ring()
    return { queued }
  },
})

const waitingOnes = async (site: Services, db: Db): Promise<readonly DecisionsWaiting[]> => [
  await waitingProposals(db),
  await waitingComments(site, db),
]

/** Tells of what has come since the last such mail. @returns the number of mails */
async function mailWaiting(
  site: Services,
  db: Db,
  people: readonly AccountRow[],
  waiting: readonly DecisionsWaiting[],
): Promise<number> {
  const now = site.clock.now()
  let queued = 0
  for (const { kind, count, newestAt, path, lineFor } of waiting) {
    if (newestAt === undefined) continue
    for (const account of people) {
      const told = await lastTold(db, kind, account)
      const between = proposalMails[account.proposal_mails as ProposalMails]
      if (newestAt <= told || now - told < between) continue
      const values = { count, list: lineFor(account, now) }
      if (await mailAccount(site, db, { kind, account, values, path }, now)) queued++
    }
  }
  return queued
}

async function lastTold(db: Db, kind: DecisionsWaiting['kind'], { id }: AccountRow): Promise<number> {
  const { at } = await db
    .selectFrom('mail')
    .select((eb) => eb.fn.max<number | null>('created_at').as('at'))
    .where('account_id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return at ?? 0
}

/** The faults of now, and those among them that were not told. */
interface Faults {
  readonly all: readonly string[]
  readonly untold: readonly Finding[]
}

async function newFaults(site: Services, signal: AbortSignal): Promise<Faults> {
  const found = await site.health.check(site, { only: toldChecks, outside: false }, signal)
  const faults = found.filter(needsWork)
  const told = await toldFaults(site.store.read)
  return { all: faults.map(({ id }) => id), untold: faults.filter(({ id }) => !told.includes(id)) }
}

async function toldFaults(db: Db): Promise<readonly string[]> {
  const fact = await db.selectFrom('site_fact').select('value').where('name', '=', factName).executeTakeFirst()
  return fact ? (JSON.parse(fact.value) as readonly string[]) : []
}

/** Tells all admins of new faults. One that is gone and comes back is told again. @returns the number of mails */
async function mailFaults(site: Services, db: Db, people: readonly AccountRow[], { all, untold }: Faults): Promise<number> {
  const told = await toldFaults(db)
  if (untold.length === 0 && told.every((id) => all.includes(id))) return 0
  await db
    .insertInto('site_fact')
    .values({ name: factName, value: JSON.stringify(all) })
    .onConflict((on) => on.column('name').doUpdateSet({ value: JSON.stringify(all) }))
    .execute()
  if (untold.length === 0) return 0
  const values = { list: untold.map(({ message }) => `– ${message}`).join('\n') }
  let queued = 0
  for (const account of people)
    if (await mailAccount(site, db, { kind: 'trouble', account, values, path: '/admin/health' }, site.clock.now())) queued++
  return queued
}
