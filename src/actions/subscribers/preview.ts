import { Type } from 'typebox'
import { closed, flag } from '../../base/schema.ts'
import { findNewsletterOf } from '../../mail/newsletter/newsletter-store.ts'
import { countAudience } from '../../mail/newsletter/subscriber-store.ts'
import { formatDateOrNull } from '../../settings/time-zone.ts'
import { action } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { getNamed, idProperty } from '../content/named.ts'
import { findMailOrigin } from '../mail/site-mail.ts'
import { checkIsPublic, newsletterLetter } from './newsletter-letter.ts'

export const preview = action('SVC_Subscribers.preview', {
  title: 'Show [{title}|an entry] as a newsletter',
  summary: 'Shows the mail that an entry would be, and how many people would get it. Nothing is sent.',
  object: { kind: 'entry', page: 'editEntry' },
  tier: 'admin',
  effect: 'read',
  touches: 'access',
  failures: ['not_found', 'refused', 'unprocessable'],
  input: closed({ entry: idProperty, html: flag('Answers the HTML form, too.') }),
  output: Type.Object({
    subject: Type.String(),
    text: Type.String(),
    html: Type.Optional(Type.String()),
    language: nullable(Type.String(), 'The language of the receivers; null for all, or all but those of the further languages.'),
    receivers: Type.Integer(),
    sent_at: nullable(Type.String(), 'When the entry was sent before.'),
    can_send: Type.Boolean({ description: 'False without a relay that works, or without an address of the site for links.' }),
  }),
  examples: [{ title: 'A page', input: { entry: '/about' } }],
  async run(context, { entry: ref, html: asHtml = false }) {
    const { site, db, now } = context
    const entry = await getNamed(context, ref)
    checkIsPublic(entry, now)
    const origin = await findMailOrigin(site, db)
    const { subject, text, html, audience } = await newsletterLetter(site, entry, { origin: origin ?? context.origin, now })
    const before = await findNewsletterOf(db, entry.id)
    return {
      subject,
      text,
      ...(asHtml && { html }),
      language: audience.language,
      receivers: await countAudience(db, audience),
      sent_at: formatDateOrNull(before?.created_at ?? null),
      can_send: origin !== undefined,
    }
  },
})
