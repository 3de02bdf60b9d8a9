// Newsletters that are sent, and their next mail. A newsletter is stored once, with a cursor at the last subscriber who got it. A
// mail for the next one is made when nothing else is due, so that the list may be long, a stop is immediate, and a kill loses
// nobody.

import { Failure, notFound } from '../../base/failure.ts'
import type { SiteKey } from '../../identity/site-key.ts'
import type { MailAttempt } from '../transport.ts'
import type { Db, Store } from '../../store/core/database.ts'
import { newId } from '../../store/core/ids.ts'
import type { MailRow, NewsletterRow, SubscriberRow } from '../../store/core/schema.ts'
import { type Audience, audienceQuery, endSubscriber } from './subscriber-store.ts'
import { subscriptionLink } from './subscription-link.ts'

/** The states of a newsletter. */
export const newsletterStates = ['sending', 'stopped', 'done'] as const
export type NewsletterState = (typeof newsletterStates)[number]

/** Stands for the link that ends a subscription. No text has this character, because `newsletterBody` takes it out. */
export const endMark = '\ue000'

/** Refusals of an address in a row that end its subscription. */
const maxBounces = 3
/** Refusals of the mail itself in a row that stop a newsletter. */
const maxRefusals = 3

/** A newsletter to send. */
export interface NewNewsletter extends Pick<NewsletterRow, 'entry_id' | 'subject' | 'origin' | 'text' | 'html' | 'account_id'> {
  readonly audience: Audience
  /** The reason for which it waits until somebody goes on with it; null if it is sent now. */
  readonly hold: string | null
}

/** Starts a newsletter, or makes one that waits. */
export async function startNewsletter(db: Db, { audience, hold, ...given }: NewNewsletter, now: number): Promise<NewsletterRow> {
  const counts = { sent: 0, failed: 0, refusals: 0 }
  const receivers = { language: audience.language, excluded: JSON.stringify(audience.excluded) }
  const row = {
    id: newId(now),
    ...given,
    ...receivers,
    state: hold === null ? 'sending' : 'stopped',
    error: hold,
    cursor: '',
    ...counts,
    created_at: now,
    updated_at: now,
  }
  await db.insertInto('newsletter').values(row).execute()
  return row
}

/** @throws Failure `not_found` */
export async function getNewsletter(db: Db, id: string): Promise<NewsletterRow> {
  const row = await db.selectFrom('newsletter').selectAll().where('id', '=', id).executeTakeFirst()
  if (row) return row
  throw notFound('newsletter', id, 'SVC_Subscribers.sent lists them.')
}

/** The newest newsletter of an entry. */
export const findNewsletterOf = (db: Db, entryId: string): Promise<Pick<NewsletterRow, 'id' | 'created_at'> | undefined> =>
  db
    .selectFrom('newsletter')
    .select(['id', 'created_at'])
    .where('entry_id', '=', entryId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Stops a newsletter, or goes on with it. @throws Failure `refused` for one that is done */
export async function switchNewsletter(db: Db, id: string, state: 'sending' | 'stopped', now: number): Promise<NewsletterRow> {
  const row = await getNewsletter(db, id)
  if (row.state === 'done') {
    throw new Failure('refused', 'This newsletter was sent to everybody already.', {
      rule: 'a newsletter that is done stays so',
      hint: 'SVC_Subscribers.sent has what was sent.',
    })
  }
  const values = { state, error: null, refusals: 0, updated_at: now }
  await db.updateTable('newsletter').set(values).where('id', '=', id).execute()
  return { ...row, ...values }
}

/**
 * Makes and claims the mail for the next subscriber.
 * @param claimMs after which another try follows, if this process is killed
 * @returns undefined if no newsletter is being sent
 */
export async function claimNextCopy(
  { read, transaction }: Pick<Store, 'read' | 'transaction'>,
  claimMs: number,
  now: number,
): Promise<MailRow | undefined> {
  for (;;) {
    const newsletter = await read
      .selectFrom('newsletter')
      .select(['id', 'cursor', 'language', 'excluded', 'subject'])
      .where('state', '=', 'sending')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!newsletter) return undefined
    const claimed = await transaction((db) => claimFor(db, newsletter, claimMs, now))
    if (claimed) return claimed
  }
}

/** The columns that the next mail needs. The newsletter itself is long. */
type NextOf = Pick<NewsletterRow, 'id' | 'cursor' | 'language' | 'excluded' | 'subject'>

/** @returns undefined if the newsletter is done, or if another process has taken this subscriber */
async function claimFor(db: Db, newsletter: NextOf, claimMs: number, now: number): Promise<MailRow | undefined> {
  const { id, cursor, language, subject } = newsletter
  const audience = audienceQuery(db, { language, excluded: JSON.parse(newsletter.excluded) as string[] })
  const next = await audience.select(['id', 'email']).where('id', '>', cursor).orderBy('id').limit(1).executeTakeFirst()
  const { numUpdatedRows } = await db
    .updateTable('newsletter')
    .set({ ...(next ? { cursor: next.id } : { state: 'done' }), updated_at: now })
    .where('id', '=', id)
    .where('cursor', '=', cursor)
    .where('state', '=', 'sending')
    .executeTakeFirst()
  if (!next || numUpdatedRows === 0n) return undefined
  const none = { account_id: null, reply_to: null, body: null, until: null, code: null, answer: null }
  const tried = { tries: 1, next_at: now + claimMs, created_at: now, tried_at: now }
  const about = { kind: 'newsletter', recipient: next.email, subject, newsletter_id: id, subscriber_id: next.id }
  const row: MailRow = { id: newId(now), state: 'waiting', ...about, ...tried, ...none }
  await db.insertInto('mail').values(row).execute()
  return row
}

/** A copy of a newsletter for one subscriber. */
export interface Copy {
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** The copy that a mail is; the reason if there is none any more. @see RFC 8058 for its headers */
export async function copyOf(db: Db, key: SiteKey, mail: MailRow): Promise<Copy | string> {
  const [newsletter, subscriber] = await Promise.all([
    findPart(db, 'newsletter', mail.newsletter_id),
    findPart(db, 'subscriber', mail.subscriber_id),
  ])
  if (!newsletter || subscriber?.state !== 'active') return 'The subscription has ended meanwhile.'
  const { text, html, origin } = newsletter
  const link = origin + subscriptionLink(key, 'end', subscriber.id)
  return {
    text: text.replaceAll(endMark, link),
    html: html.replaceAll(endMark, link),
    headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

const findPart = <T extends 'newsletter' | 'subscriber'>(db: Db, table: T, id: string | null) =>
  db
    .selectFrom<'newsletter' | 'subscriber'>(table)
    .selectAll()
    .where('id', '=', id ?? '')
    .executeTakeFirst() as Promise<(T extends 'newsletter' ? NewsletterRow : SubscriberRow) | undefined>

/** Notes the outcome of a try, in the transaction that settles it. @param ended true if no further try follows */
export async function noteCopy(db: Db, mail: MailRow, done: MailAttempt, ended: boolean, now: number): Promise<void> {
  const { newsletter_id: newsletterId, subscriber_id: subscriberId } = mail
  if (newsletterId === null || subscriberId === null || !ended) return
  const counted = db.updateTable('newsletter').where('id', '=', newsletterId)
  if (done.verdict === 'sent') {
    await counted.set(({ eb }) => ({ sent: eb('sent', '+', 1), refusals: 0, updated_at: now })).execute()
    await db.updateTable('subscriber').set({ bounces: 0 }).where('id', '=', subscriberId).where('bounces', '>', 0).execute()
    return
  }
  await counted.set(({ eb }) => ({ failed: eb('failed', '+', 1), updated_at: now })).execute()
  if (done.verdict !== 'refused') return
  if (done.isReceiver) await noteBounce(db, subscriberId, now)
  else await noteRefusal(db, newsletterId, done.answer)
}

async function noteRefusal(db: Db, id: string, answer: string): Promise<void> {
  const newsletter = db.updateTable('newsletter').where('id', '=', id)
  await newsletter.set(({ eb }) => ({ refusals: eb('refusals', '+', 1) })).execute()
  await newsletter
    .set({ state: 'stopped', error: answer })
    .where('state', '=', 'sending')
    .where('refusals', '>=', maxRefusals)
    .execute()
}

async function noteBounce(db: Db, id: string, now: number): Promise<void> {
  const row = await db
    .updateTable('subscriber')
    .set(({ eb }) => ({ bounces: eb('bounces', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .returning('bounces')
    .executeTakeFirst()
  if (row && row.bounces >= maxBounces) await endSubscriber(db, id, 'bounced', now)
}
