import { Type } from 'typebox'
import { Failure, invalid } from '../../base/failure.ts'
import { closed, flag, nonEmptyText } from '../../base/schema.ts'
import { endMark, findNewsletterOf, startNewsletter } from '../../mail/newsletter/newsletter-store.ts'
import { countAudience } from '../../mail/newsletter/subscriber-store.ts'
import { getRelay } from '../../mail/relay.ts'
import type { MailAttempt } from '../../mail/transport.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { newId } from '../../store/core/ids.ts'
import type { EntryRow, MailRelayRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { itemAnswer, itemOutput, nullable } from '../call/write-answer.ts'
import { getNamed, idProperty } from '../content/named.ts'
import { receiverOf, sendNow } from '../mail/send-now.ts'
import { mailOrigin } from '../mail/site-mail.ts'
import { checkIsPublic, type NewsletterLetter, newsletterLetter } from './newsletter-letter.ts'

interface Made {
  readonly entry: EntryRow
  readonly origin: string
  readonly letter: NewsletterLetter
  readonly tried: MailAttempt | null
}

const triedOutput = Type.Object({
  taken: Type.Boolean(),
  code: nullable(Type.Integer()),
  answer: Type.String({ description: 'The sentence of the relay.' }),
})

export const send = action('SVC_Subscribers.send', {
  title: 'Send [{title}|an entry] to the subscribers',
  summary:
    'Sends a published entry as a newsletter: to all subscribers of its language, one mail each, or to one address as a test.',
  did: 'sent [{title}|an entry] to the subscribers',
  object: { kind: 'entry', page: 'editEntry' },
  tier: 'admin',
  effect: 'act',
  touches: { least: 'site', by: ({ to, hold }) => (to === 'all' && hold !== undefined ? 'site' : 'unlimited') },
  failures: ['not_found', 'refused', 'exists', 'unprocessable'],
  batchable: false,
  input: closed({
    entry: idProperty,
    to: Type.Enum(['test', 'all'], { description: '`test` sends one mail to you, or to `receiver`.' }),
    subject: Type.Optional(nonEmptyText('The subject. The default is the title.', 200)),
    receiver: Type.Optional(nonEmptyText('The address of a test.', 254)),
    hold: Type.Optional(
      nonEmptyText(
        'Makes the newsletter for all, and sends nothing until SVC_Subscribers.resume: the reason, which the owner reads.',
        200,
      ),
    ),
    again: flag('Sends an entry that was sent before.'),
  }),
  output: itemOutput(
    Type.Object({
      newsletter: nullable(Type.String(), 'Its id, for SVC_Subscribers.stop; null for a test.'),
      subject: Type.String(),
      receivers: Type.Integer(),
      test: nullable(triedOutput, 'What the relay said.'),
    }),
  ),
  examples: [{ title: 'Look at it first', input: { entry: '/about', to: 'test', receiver: 'owner@example.org' } }],
  async prepare(context, input): Promise<Made> {
    const { site, db, now } = context
    const entry = await getNamed(context, input.entry)
    checkIsPublic(entry, now)
    const relay = await getRelay(db)
    const isVerified = relay.verified_at !== null
    const origin = isVerified ? mailOrigin(site, relay) : undefined
    if (origin === undefined) throw notReady(!isVerified)
    const letter = await newsletterLetter(site, entry, { origin, subject: input.subject, now })
    const copy = { letter, origin, receiver: input.receiver }
    const tried = input.to === 'test' && !context.dryRun ? await sendTest(context, relay, copy) : null
    return { entry, origin, letter, tried }
  },
  async run(
    { db, now, caller, site, dryRun, afterCommit },
    { to, hold = null, again = false },
    { entry, origin, letter, tried }: Made,
  ) {
    const { audience, subject, text, html } = letter
    if (to === 'test') {
      const test = tried && { taken: tried.verdict === 'sent', code: tried.code, answer: tried.answer }
      return itemAnswer({ newsletter: null, subject, receivers: 1, test }, [])
    }
    const before = await findNewsletterOf(db, entry.id)
    if (before && !again) {
      throw new Failure('exists', `This entry was sent to the subscribers on ${formatDate(before.created_at)}.`, {
        field: 'entry',
        by: { id: before.id },
        hint: '`again: true` sends it once more.',
      })
    }
    const receivers = await countAudience(db, audience)
    if (receivers === 0)
      throw invalid('entry', 'Nobody has subscribed to the newsletter yet.', 'subscribers, from SVC_Subscribers.add')
    const given = { entry_id: entry.id, subject, text, html, origin, audience, hold, account_id: caller.account?.id ?? null }
    const { id } = dryRun ? { id: null } : await startNewsletter(db, given, now)
    afterCommit(() => site.mail.ring())
    return itemAnswer({ newsletter: id, subject, receivers, test: null }, ['newsletter'])
  },
})

const notReady = (isUnverified: boolean): Failure =>
  new Failure('refused', isUnverified ? 'The relay is not verified.' : 'The site has no address for links in mails.', {
    rule: 'a newsletter is sent through a relay that works, with a link that ends it',
    hint: isUnverified ? 'SVC_Mail.test verifies it.' : 'Set `site_url` with SVC_Mail.set-relay, or POSTERN_BASE_URL.',
  })

/** Sends one copy now. Its link leads to the home page, because nobody has subscribed with it. */
function sendTest(context: Context, relay: MailRelayRow, { letter, origin, receiver }: TestCopy): Promise<MailAttempt> {
  const linked = (form: string): string => form.replaceAll(endMark, `${origin}/`)
  const { subject, text, html } = letter
  const to = receiverOf(context, 'receiver', receiver)
  return sendNow(context, relay, { id: newId(context.now), to, subject, text: linked(text), html: linked(html) })
}

interface TestCopy {
  readonly letter: NewsletterLetter
  readonly origin: string
  readonly receiver: string | undefined
}
