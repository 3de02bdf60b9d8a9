import { Type } from 'typebox'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { bodyOfLetter } from '../../mail/letter.ts'
import { ownerLetter } from '../../mail/owner-letters.ts'
import { getRelay, noteVerified } from '../../mail/relay.ts'
import type { MailAttempt } from '../../mail/transport.ts'
import { newId } from '../../store/core/ids.ts'
import type { MailRelayRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { itemAnswer, itemOutput, nullable } from '../call/write-answer.ts'
import { receiverOf, sendNow } from './send-now.ts'
import { mailLook, mailOrigin } from './site-mail.ts'

interface Tried {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly relay: MailRelayRow
  readonly done: MailAttempt
}

export const test = action('SVC_Mail.test', {
  title: 'Send a test mail',
  summary: 'Sends a test mail now, also through a relay that is not verified. The answer is the code and sentence of the relay.',
  did: 'sent a test mail',
  tier: 'admin',
  effect: 'act',
  touches: 'unlimited',
  input: closed({ to: Type.Optional(nonEmptyText('The receiver. The default is your own address.', 254)) }),
  output: itemOutput(
    nullable(
      Type.Object({
        mail: Type.String(),
        to: Type.String(),
        taken: Type.Boolean(),
        code: nullable(Type.Integer()),
        answer: Type.String({ description: 'The sentence of the relay, or what went wrong before there was one.' }),
      }),
      'Null in a dry run.',
    ),
  ),
  examples: [{ title: 'To somebody', input: { to: 'owner@example.org' } }],
  async prepare(context, { to: given }): Promise<Tried | null> {
    const relay = await getRelay(context.db)
    const to = receiverOf(context, 'to', given)
    return context.dryRun ? null : send(context, relay, to)
  },
  async run({ db, now, makeStale, site, afterCommit }, _input, tried: Tried | null) {
    if (!tried) return itemAnswer(null, [])
    const { id, to, subject, relay, done } = tried
    const taken = done.verdict === 'sent'
    const { code, answer } = done
    const state = taken ? 'sent' : 'failed'
    const none = { account_id: null, reply_to: null, body: null, next_at: null, until: null }
    const row = {
      id,
      kind: 'test',
      recipient: to,
      subject,
      state,
      tries: 1,
      created_at: now,
      tried_at: now,
      code,
      answer,
      ...none,
    }
    await db.insertInto('mail').values(row).execute()
    if (taken && relay.verified_at === null) {
      await noteVerified(db, relay, now, null)
      makeStale(['settings'])
      afterCommit(() => site.mail.ring())
    }
    return itemAnswer({ mail: id, to, taken, code, answer }, [])
  },
})

async function send(context: Context, relay: MailRelayRow, to: string): Promise<Tried> {
  const { site, now } = context
  const look = await mailLook(site)
  const origin = mailOrigin(site, relay)
  const host = origin === undefined ? relay.from_address.slice(relay.from_address.lastIndexOf('@') + 1) : new URL(origin).host
  const letter = ownerLetter('test', look.language, { site: look.title, host })
  const id = newId(now)
  const done = await sendNow(context, relay, { id, to, subject: letter.subject, ...bodyOfLetter(letter, look) })
  return { id, to, subject: letter.subject, relay, done }
}
