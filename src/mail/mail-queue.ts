// The queue of mails, as rows that the processes of the site share. A sender claims a mail before it sends it. After a kill, the
// claim ends, and another try follows.

import { Failure, notFound } from '../base/failure.ts'
import { seal, unseal } from '../identity/sealed.ts'
import type { SiteKey } from '../identity/site-key.ts'
import type { Db, Store } from '../store/core/database.ts'
import { newId } from '../store/core/ids.ts'
import type { MailRow } from '../store/core/schema.ts'
import { bodyOfLetter, type Letter, type MailBody, type MailLook } from './letter.ts'
import { headerText } from './mail-address.ts'
import { noteCopy } from './newsletter/newsletter-store.ts'
import type { MailAttempt } from './transport.ts'

const purpose = 'mail'
/** A claim ends after this time, which is longer than a try. */
export const claimMs = 5 * 60_000
/** Mails are listed for this time. */
export const keptMs = 30 * 86_400_000
const minuteMs = 60_000
/** The delays after the tries that did not end a mail, in minutes. */
const delays: readonly number[] = [1, 5, 15, 60, 120, 300, 600, 1440]

/** A mail to queue. */
export interface NewMail {
  /** Its subject matter, such as `invitation`. */
  readonly kind: string
  readonly to: string
  readonly accountId?: string
  readonly replyTo?: string | null
  readonly letter: Letter
  /** After this time, the mail is of no use, and is not sent. */
  readonly until?: number
}

/** Queues a mail in the transaction of what it is about. @returns its id */
export async function queueMail(db: Db, key: SiteKey, look: MailLook, mail: NewMail, now: number): Promise<string> {
  const id = newId(now)
  await db
    .insertInto('mail')
    .values({
      id,
      kind: mail.kind,
      recipient: mail.to,
      account_id: mail.accountId ?? null,
      reply_to: mail.replyTo ?? null,
      subject: headerText(mail.letter.subject),
      body: seal(key, purpose, bodyOfLetter(mail.letter, look)),
      state: 'waiting',
      tries: 0,
      next_at: now,
      until: mail.until ?? null,
      created_at: now,
      tried_at: null,
      code: null,
      answer: null,
      newsletter_id: null,
      subscriber_id: null,
    })
    .execute()
  return id
}

/** Opens the body of a mail; undefined if another key sealed it. */
export function openBody(key: SiteKey, body: string): MailBody | undefined {
  return unseal(key, purpose, body) as MailBody | undefined
}

/** @throws Failure `not_found` */
export async function getMail(db: Db, id: string): Promise<MailRow> {
  const row = await db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirst()
  if (row) return row
  throw notFound('mail', id, 'SVC_Mail.list lists them.')
}

/** Claims the mail that has been due the longest. */
export async function claimMail({ read, write }: Pick<Store, 'read' | 'write'>, now: number): Promise<MailRow | undefined> {
  for (;;) {
    const due = await read
      .selectFrom('mail')
      .select(['id', 'next_at'])
      .where('state', '=', 'waiting')
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .limit(1)
      .executeTakeFirst()
    if (!due) return undefined
    const claimed = await write
      .updateTable('mail')
      .set(({ eb }) => ({ tries: eb('tries', '+', 1), next_at: now + claimMs, tried_at: now }))
      .where('id', '=', due.id)
      .where('state', '=', 'waiting')
      .where('next_at', '=', due.next_at)
      .returningAll()
      .executeTakeFirst()
    if (claimed) return claimed
  }
}

/** The number of tries in the last minute, by all processes. */
export async function countLastMinute(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('mail')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tried_at', '>', now - minuteMs)
    .executeTakeFirstOrThrow()
  return count
}

/** Stores what a try came to. A body is deleted once its mail is sent. */
export async function settleMail(
  { transaction }: Pick<Store, 'transaction'>,
  mail: MailRow,
  done: MailAttempt,
  now: number,
): Promise<void> {
  const { code, answer } = done
  const delay = delays[mail.tries - 1]
  const values =
    done.verdict === 'sent'
      ? { state: 'sent', next_at: null, body: null }
      : done.verdict === 'refused' || delay === undefined
        ? { state: 'failed', next_at: null }
        : { next_at: now + delay * minuteMs }
  await transaction(async (db) => {
    await db
      .updateTable('mail')
      .set({ ...values, code, answer })
      .where('id', '=', mail.id)
      .execute()
    await noteCopy(db, mail, done, 'state' in values, now)
  })
}

/** Ends a mail that can't be sent any more. */
export async function endMail({ write }: Pick<Store, 'write'>, { id }: Pick<MailRow, 'id'>, answer: string): Promise<void> {
  await write.updateTable('mail').set({ state: 'failed', next_at: null, body: null, answer }).where('id', '=', id).execute()
}

/** Gives back a claim that came to no try. */
export async function releaseMail({ write }: Pick<Store, 'write'>, mail: MailRow, answer: string, now: number): Promise<void> {
  await write
    .updateTable('mail')
    .set(({ eb }) => ({ tries: eb('tries', '-', 1), next_at: now, answer }))
    .where('id', '=', mail.id)
    .execute()
}

/** Makes mails due at once, also those that had failed. @throws Failure `not_found`; `refused` without a body */
export async function dueAgain(db: Db, id: string, now: number): Promise<void> {
  const mail = await getMail(db, id)
  if (mail.body === null && (mail.newsletter_id === null || mail.state === 'sent')) {
    throw new Failure('refused', `The mail ${id} was sent or has expired, so that its text is gone.`, {
      rule: 'the text of a mail is deleted once it is sent',
      hint: 'Do again what had sent it.',
    })
  }
  await db.updateTable('mail').set({ state: 'waiting', tries: 0, next_at: now }).where('id', '=', id).execute()
}
