import { Type } from 'typebox'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { invalid } from '../../base/failure.ts'
import { bodyOfLetter } from '../../mail/letter.ts'
import { checkAddress } from '../../mail/mail-address.ts'
import { ownerLetter } from '../../mail/owner-letters.ts'
import { getRelay, noteVerified, passwordOf } from '../../mail/relay.ts'
import { type MailAttempt, withTransport } from '../../mail/transport.ts'
import { newId } from '../../store/core/ids.ts'
import type { MailRelayRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { itemAnswer, itemOutput, nullable } from '../call/write-answer.ts'
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
    const to = checkAddress('to', given ?? context.caller.account?.email ?? noReceiver())
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

function noReceiver(): never {
  throw invalid('to', '"to" is needed, because this caller has no address.', 'the address of the receiver')
}

async function send({ site, now }: Context, relay: MailRelayRow, to: string): Promise<Tried> {
  const look = await mailLook(site)
  const origin = mailOrigin(site, relay)
  const host = origin === undefined ? relay.from_address.slice(relay.from_address.lastIndexOf('@') + 1) : new URL(origin).host
  const letter = ownerLetter('test', look.language, { site: look.title, host })
  const id = newId(now)
  const password = await passwordOf(site.key, relay, site.config.POSTERN_MAIL_PASSWORD_FILE)
  const mail = { id, to, replyTo: null, subject: letter.subject, ...bodyOfLetter(letter, look) }
  const done = await withTransport(site.outbound, relay, password, (transport) => transport.send(mail))
  return { id, to, subject: letter.subject, relay, done }
}
