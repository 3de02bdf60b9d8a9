// A subscriber and a newsletter as answers show them.

import { type Static, Type } from 'typebox'
import { checkAddress } from '../../mail/mail-address.ts'
import { type NewsletterState, newsletterStates } from '../../mail/newsletter/newsletter-store.ts'
import { type SubscriberState, subscriberStates } from '../../mail/newsletter/subscriber-store.ts'
import { formatDate, formatDateOrNull } from '../../settings/time-zone.ts'
import type { NewsletterRow, SubscriberRow } from '../../store/core/schema.ts'
import { nonEmptyText } from '../../base/schema.ts'
import { invalid } from '../../base/failure.ts'
import { languagesOf } from '../../content/languages/languages.ts'
import type { Services } from '../call/services.ts'
import { nullable } from '../call/write-answer.ts'

export const subscriberItem = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: nullable(Type.String()),
  language: Type.String({ description: 'The language of the mails, BCP 47.' }),
  state: Type.Enum([...subscriberStates], { description: '`pending` until the address is confirmed.' }),
  reason: nullable(Type.String(), 'Why it ended: `unsubscribed` or `bounced`.'),
  source: Type.String({ description: '`form`, `admin` or `import`.' }),
  consent: nullable(Type.String(), 'The sentence that the person agreed to, or how an admin says they agreed.'),
  consent_at: nullable(Type.String()),
  created_at: Type.String(),
})

export const toSubscriber = (row: SubscriberRow): Static<typeof subscriberItem> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  language: row.language,
  state: row.state as SubscriberState,
  reason: row.reason,
  source: row.source,
  consent: row.consent,
  consent_at: formatDateOrNull(row.consent_at),
  created_at: formatDate(row.created_at),
})

export const newsletterItem = Type.Object({
  id: Type.String(),
  entry: Type.String({ description: 'Id of the entry.' }),
  subject: Type.String(),
  language: nullable(Type.String(), 'The language of its receivers; null for all.'),
  state: Type.Enum([...newsletterStates]),
  error: nullable(Type.String(), 'Why the relay stopped it.'),
  sent: Type.Integer(),
  failed: Type.Integer(),
  created_at: Type.String(),
})

/** The columns that an answer shows: all but the mail itself, which is long. */
export const shownColumns = ['id', 'entry_id', 'subject', 'language', 'state', 'error', 'sent', 'failed', 'created_at'] as const

export const toNewsletter = (row: Pick<NewsletterRow, (typeof shownColumns)[number]>): Static<typeof newsletterItem> => ({
  id: row.id,
  entry: row.entry_id,
  subject: row.subject,
  language: row.language,
  state: row.state as NewsletterState,
  error: row.error,
  sent: row.sent,
  failed: row.failed,
  created_at: formatDate(row.created_at),
})

/** The words about how people agreed. */
export const consentProperty = nonEmptyText(
  'How they agreed, such as "signed the list in the shop, May 2026". It is kept as proof.',
  500,
)
export const languageProperty = nonEmptyText('Language of the mails, one of the site. The default is its main language.', 35)
export const newsletterIdProperty = nonEmptyText('Id of a newsletter, from SVC_Subscribers.sent.', 40)

type SiteSettings = Pick<Services, 'settings'>

/** The languages in which a site writes, the main one first. */
export function newsletterLanguages({ settings }: SiteSettings): readonly string[] {
  const { main, further } = languagesOf(settings.values)
  return [main || 'en', ...further]
}

/** @throws Failure `invalid` for a language that the site has not */
export function readLanguage(site: SiteSettings, given: string | undefined): string {
  const languages = newsletterLanguages(site)
  const found = languages.find((one) => one.toLowerCase() === given?.toLowerCase())
  if (given !== undefined && found === undefined)
    throw invalid('language', `The site has no language ${JSON.stringify(given)}.`, `one of ${languages.join(', ')}`)
  return found ?? languages[0] ?? 'en'
}

/** @throws Failure `invalid` */
export const readSubscriberAddress = (given: string): string => checkAddress('email', given).toLowerCase()
