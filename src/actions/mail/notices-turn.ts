// Mails that follow from the state of the site and from no single change: proposals and comments that wait, and faults that the
// checks find.

import { type Finding, needsWork } from '../../doctor/finding.ts'
import type { Recurring } from '../../jobs/recurring.ts'
import { ownerLanguage } from '../../mail/owner-letters.ts'
import type { Db } from '../../store/core/database.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import { findFact, putFact } from '../../store/core/site-fact.ts'
import type { Services } from '../call/services.ts'
import { type AccountMail, findMailOrigin, mailAccount } from './site-mail.ts'
import { type DecisionsWaiting, waitingComments, waitingProposals } from './waiting.ts'

/** The choices of a person for mails about proposals and comments: the shortest time between two, in milliseconds. */
export const proposalMails = { at_once: 0, hourly: 3_600_000, daily: 86_400_000, never: Infinity } as const
export type ProposalMails = keyof typeof proposalMails

/** The checks whose faults are told by mail. */
const toldChecks: readonly string[] = ['disk', 'backup', 'backups-elsewhere', 'webhooks']
const factName = 'mailed_faults'

/** Says the sentence of a finding in a language. */
export type SaySentence = (language: string, english: string) => Promise<string>

/**
 * The turn, every minute. Without a relay that works, it does nothing, and without news it writes nothing.
 * @param say says the findings as the admin does
 */
export const noticesTurn = (site: Services, say: SaySentence): Recurring => ({
  name: 'mail notices',
  call: 'SVC_Mail.list',
  everyMs: 60_000,
  async run(signal) {
    const { read } = site.store
    if ((await findMailOrigin(site, read)) === undefined) return { queued: 0 }
    const people = await read.selectFrom('account').selectAll().where('role', '=', 'admin').where('disabled', '=', 0).execute()
    const faults = await findFaults(site, signal)
    const mails = [
      ...(await mailsOfWaiting(site, people)),
      ...(await mailsOfFaults(people, faults, (english) => say(ownerLanguage(site.settings.values.language), english))),
    ]
    if (mails.length === 0 && !faults.haveChanged) return { queued: 0 }
    const queued = await site.store.transaction(async (db) => {
      if (faults.haveChanged) await putFact(db, factName, JSON.stringify(faults.all))
      let count = 0
      for (const mail of mails) if (await mailAccount(site, db, mail, site.clock.now())) count++
      return count
    })
    if (queued > 0) site.mail.ring()
    return { queued }
  },
})

/** Tells of what has come since the last such mail. */
async function mailsOfWaiting(site: Services, people: readonly AccountRow[]): Promise<readonly AccountMail[]> {
  const { read } = site.store
  const now = site.clock.now()
  const mails: AccountMail[] = []
  for (const { kind, count, newestAt, path, lineFor } of [await waitingProposals(read), await waitingComments(site, read)]) {
    if (newestAt === undefined) continue
    for (const account of people) {
      const told = await lastTold(read, kind, account)
      const between = proposalMails[account.proposal_mails as ProposalMails]
      if (newestAt <= told || now - told < between) continue
      mails.push({ kind, account, values: { count, list: lineFor(account, now) }, path })
    }
  }
  return mails
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

/** The faults of now. */
interface Faults {
  readonly all: readonly string[]
  readonly untold: readonly Finding[]
  /** True if these are others than at the last look. A fault that is gone and comes back is told again. */
  readonly haveChanged: boolean
}

async function findFaults(site: Services, signal: AbortSignal): Promise<Faults> {
  const found = await site.health.check(site, { only: toldChecks, outside: false }, signal)
  const faults = found.filter(needsWork)
  const told = JSON.parse((await findFact(site.store.read, factName)) ?? '[]') as readonly string[]
  const all = faults.map(({ id }) => id)
  const untold = faults.filter(({ id }) => !told.includes(id))
  return { all, untold, haveChanged: untold.length > 0 || told.some((id) => !all.includes(id)) }
}

/** Tells all admins of new faults. */
async function mailsOfFaults(
  people: readonly AccountRow[],
  { untold }: Faults,
  say: (english: string) => Promise<string>,
): Promise<readonly AccountMail[]> {
  if (untold.length === 0) return []
  const sentences = await Promise.all(untold.map(({ message }) => say(message)))
  const values = { list: sentences.map((sentence) => `– ${sentence}`).join('\n') }
  return people.map((account) => ({ kind: 'trouble', account, values, path: '/admin/health' }))
}
