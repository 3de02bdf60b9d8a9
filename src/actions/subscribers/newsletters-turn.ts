// Newsletters that go out by themselves: new entries of the types that the owner chose. Ten minutes lie between, so that a slip can
// be mended and a publication undone. SVC_Subscribers.send does the work, so that nothing is sent twice.

import type { Recurring } from '../../jobs/recurring.ts'
import { ownerLanguage } from '../../mail/owner-letters.ts'
import { findWorkingRelay } from '../../mail/relay.ts'
import type { Db } from '../../store/core/database.ts'
import type { ActivityRow } from '../../store/core/schema.ts'
import type { Call, Outcome } from '../call/call.ts'
import type { Services } from '../call/services.ts'
import type { SaySentence } from '../mail/notices-turn.ts'

const delayMs = 10 * 60_000
/** An entry that could not be sent for this long, such as while the service was down, is not sent by itself. */
const lateMs = 86_400_000
/** The most newsletters of one turn. The rest has the next. */
const perTurn = 10

/** The parts of the program that the turn needs. */
export interface NewsletterWork {
  /** Runs a call as Postern itself. */
  dispatch(call: Call): Promise<Outcome>
  /** Says the reason of one that waits as the admin does. */
  readonly say: SaySentence
}

/** The turn, every minute; none while no type is chosen. */
export const newslettersTurn = (site: Services, work: NewsletterWork): readonly Recurring[] =>
  site.settings.values.newsletter_types.length === 0
    ? []
    : [{ name: 'newsletters', call: 'SVC_Subscribers.send', everyMs: 60_000, run: () => sendNew(site, work) }]

/** Sends what is due. */
async function sendNew(site: Services, { dispatch, say }: NewsletterWork): Promise<{ readonly sent: number }> {
  const { read } = site.store
  const since = await findStart(site)
  if (since === undefined) return { sent: 0 }
  let sent = 0
  for (const { id } of await listNew(read, site, since)) {
    const maker = await findLastMaker(read, id)
    const reason = (await maySend(read, maker)) ? undefined : reasonToWait(maker)
    const language = ownerLanguage(site.settings.values.language)
    const input = { entry: id, to: 'all', ...(reason === undefined ? {} : { hold: await say(language, reason) }) }
    const outcome = await dispatch({ name: 'SVC_Subscribers.send', input, options: {} })
    if (outcome.ok) sent++
    // Nobody has subscribed, or another process was faster.
    else if (outcome.failure.code !== 'invalid' && outcome.failure.code !== 'exists')
      site.log.warn('newsletter failed', { entry: id, failure: outcome.failure })
  }
  return { sent }
}

/**
 * The time after which an entry must be published to be sent; undefined while no mail can be sent. A machine on which a backup was
 * restored does not know what was sent before, but its relay is new.
 */
async function findStart({ store: { read }, clock }: Pick<Services, 'store' | 'clock'>): Promise<number | undefined> {
  const relay = await findWorkingRelay(read)
  const setting = await read.selectFrom('setting').select('updated_at').where('key', '=', 'newsletter_types').executeTakeFirst()
  if (!relay || !setting) return undefined
  return Math.max(setting.updated_at, relay.updated_at - delayMs, clock.now() - lateMs)
}

/** Entries to send. Those of an import are none: their readers know them. */
const listNew = (db: Db, { settings, clock }: Pick<Services, 'settings' | 'clock'>, since: number) =>
  db
    .selectFrom('entry')
    .select('id')
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
    .limit(perTurn)
    .execute()

type Maker = Pick<ActivityRow, 'account_id' | 'token_id' | 'by_name' | 'token_name' | 'accepted_by_id' | 'door'>

/** The maker of the last change of an entry. The publication of a scheduled entry is not a change of somebody. */
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

/** True if somebody may send newsletters now: an admin, also one who accepted the change, with a token that nothing limits. */
async function maySend(db: Db, maker: Maker | undefined): Promise<boolean> {
  if (!maker) return false
  const { account_id: accountId, accepted_by_id: acceptedBy, token_id: tokenId, door } = maker
  if (accountId === null && acceptedBy === null) return door === 'cli'
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', acceptedBy ?? accountId)
    .where('role', '=', 'admin')
    .where('disabled', '=', 0)
    .executeTakeFirst()
  if (!account) return false
  if (tokenId === null || acceptedBy !== null) return true
  for (const table of ['token', 'app_grant'] as const) {
    const token = await db.selectFrom(table).select(['scope', 'limits']).where('id', '=', tokenId).executeTakeFirst()
    if (token) return token.scope === 'admin' && token.limits === '{}'
  }
  return false
}

function reasonToWait(maker: Maker | undefined): string {
  const who = maker?.token_name ?? maker?.by_name
  return who === undefined ? 'Nothing says who published this.' : `The last change is by ${who}, who may not send newsletters.`
}
