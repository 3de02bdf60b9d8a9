// Automatic newsletters: new entries of the types that the owner chose. They are sent ten minutes after publication, which leaves
// time to correct or undo it. SVC_Subscribers.send does the work, so that nothing is sent twice.

import { hasEnded } from '../../identity/has-ended.ts'
import type { Recurring } from '../../jobs/recurring.ts'
import { ownerLanguage } from '../../mail/owner-letters.ts'
import { findWorkingRelay } from '../../mail/relay.ts'
import type { Db } from '../../store/core/database.ts'
import type { ActivityRow } from '../../store/core/schema.ts'
import type { Call, Outcome } from '../call/call.ts'
import type { Services } from '../call/services.ts'
import { countAudience } from '../../mail/newsletter/subscriber-store.ts'
import type { SaySentence } from '../mail/notices-turn.ts'
import { audienceOf } from './newsletter-letter.ts'

const delayMs = 10 * 60_000
/** An entry that could not be sent for this long, such as while the service was down, is no longer sent automatically. */
const lateMs = 86_400_000
/** The most newsletters of one turn. The rest waits for the next. */
const perTurn = 10
/** The most entries that one turn looks at. */
const perLook = 1000

/** The parts of the program that the turn needs. */
export interface NewsletterWork {
  /** Runs a call as Postern itself. */
  dispatch(call: Call): Promise<Outcome>
  /** Translates the reason why a newsletter waits. */
  readonly say: SaySentence
}

/** The turn, every minute; none while no type is chosen. */
export const newslettersTurn = (site: Services, work: NewsletterWork): readonly Recurring[] =>
  site.settings.values.newsletter_types.length === 0
    ? []
    : [{ name: 'newsletters', call: 'SVC_Subscribers.send', everyMs: 60_000, run: () => sendNew(site, work) }]

/** Sends the entries that are due. */
async function sendNew(site: Services, { dispatch, say }: NewsletterWork): Promise<{ readonly sent: number }> {
  const { read } = site.store
  const since = await findStart(site)
  if (since === undefined) return { sent: 0 }
  let sent = 0
  for (const id of await listDue(site, since)) {
    const maker = await findLastMaker(read, id)
    const reason = (await maySend(read, maker)) ? undefined : reasonToWait(maker)
    const language = ownerLanguage(site.settings.values.language)
    const input = { entry: id, to: 'all', ...(reason === undefined ? {} : { hold: await say(language, reason) }) }
    const outcome = await dispatch({ name: 'SVC_Subscribers.send', input, options: {} })
    if (outcome.ok) sent++
    // The last subscriber has left, or another process was faster.
    else if (outcome.failure.code !== 'invalid' && outcome.failure.code !== 'exists')
      site.log.warn('newsletter failed', { entry: id, failure: outcome.failure })
  }
  return { sent }
}

/**
 * Entries published before this time are not sent; undefined while no mail can be sent. A restored machine does not know what was
 * sent since its backup, but its relay is new. What is younger than the delay when the types are chosen is still to come.
 */
async function findStart({ store: { read }, clock }: Pick<Services, 'store' | 'clock'>): Promise<number | undefined> {
  const relay = await findWorkingRelay(read)
  const setting = await read.selectFrom('setting').select('updated_at').where('key', '=', 'newsletter_types').executeTakeFirst()
  if (!relay || !setting) return undefined
  return Math.max(setting.updated_at - delayMs, relay.updated_at - delayMs, clock.now() - lateMs)
}

/** The ids of entries to send. One whose language has no subscribers waits, and holds up no other. */
async function listDue(site: Services, since: number): Promise<readonly string[]> {
  const { read } = site.store
  const receivers = new Map<string | null, number>()
  const due: string[] = []
  for (const { id, locale } of await listNew(read, site, since)) {
    const audience = audienceOf(site, { locale })
    const count = receivers.get(audience.language) ?? (await countAudience(read, audience))
    receivers.set(audience.language, count)
    if (count > 0) due.push(id)
    if (due.length === perTurn) break
  }
  return due
}

/** New entries, oldest first. Imported ones are left out: their readers have seen them. */
const listNew = (db: Db, { settings, clock }: Pick<Services, 'settings' | 'clock'>, since: number) =>
  db
    .selectFrom('entry')
    .select(['id', 'locale'])
    .where('status', '=', 'published')
    .where('password_hash', 'is', null)
    .where('type', 'in', [...settings.values.newsletter_types])
    .where('published_at', '>', since)
    .where('published_at', '<=', clock.now() - delayMs)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('newsletter').select('newsletter.id').whereRef('newsletter.entry_id', '=', 'entry.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('import_item').select('import_item.id').whereRef('import_item.object_id', '=', 'entry.id'))),
    )
    .orderBy('published_at')
    .limit(perLook)
    .execute()

type Maker = Pick<ActivityRow, 'account_id' | 'token_id' | 'by_name' | 'token_name' | 'accepted_by_id' | 'door'>

/** The maker of the last change of an entry. The publication of a scheduled entry is nobody's change. */
const findLastMaker = (db: Db, entryId: string): Promise<Maker | undefined> =>
  db
    .selectFrom('activity_object')
    .innerJoin('activity', 'activity.id', 'activity_object.activity_id')
    .select(['account_id', 'token_id', 'by_name', 'token_name', 'accepted_by_id', 'door'])
    .where('activity_object.object_id', '=', entryId)
    .where('activity.door', '<>', 'system')
    .orderBy('activity.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** True if the maker may still send newsletters: an admin, also one who accepted the change, whose token has no limits. */
async function maySend(db: Db, maker: Maker | undefined): Promise<boolean> {
  if (!maker) return false
  const { account_id: accountId, accepted_by_id: acceptedBy, token_id: tokenId, door } = maker
  if (accountId === null && acceptedBy === null) return door === 'cli'
  const account = { id: acceptedBy ?? accountId ?? '', role: 'admin' } as const
  const admin = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', account.id)
    .where('role', '=', account.role)
    .where('disabled', '=', 0)
    .executeTakeFirst()
  if (!admin) return false
  if (tokenId === null || acceptedBy !== null) return true
  for (const { table, kind } of tokenTables) {
    const token = await db.selectFrom(table).select(['scope', 'limits']).where('id', '=', tokenId).executeTakeFirst()
    if (!token) continue
    if (token.scope !== 'admin' || token.limits !== '{}') return false
    return !(await hasEnded(db, { account, token: { kind, id: tokenId }, tier: 'admin' }))
  }
  return false
}

const tokenTables = [
  { table: 'token', kind: 'personal' },
  { table: 'app_grant', kind: 'access' },
] as const

function reasonToWait(maker: Maker | undefined): string {
  const who = maker?.token_name ?? maker?.by_name
  return who === undefined ? 'Nothing says who published this.' : `The last change is by ${who}, who may not send newsletters.`
}
