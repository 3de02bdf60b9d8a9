// An entry as a mail to subscribers: its rendered text in the site's colours, as HTML and as plain text, with the link that ends a
// subscription. Only what visitors see can be sent.

import { escapeHtml } from '../../content/markdown/escape-html.ts'
import { mediaIn, mediaNamed } from '../../content/markdown/media-images.ts'
import { branchOf, languageOf, languagesOf } from '../../content/languages/languages.ts'
import { Failure } from '../../base/failure.ts'
import { framedHtml, mailColour } from '../../mail/letter.ts'
import { headerText } from '../../mail/mail-address.ts'
import { mailHtml } from '../../mail/newsletter/mail-html.ts'
import { mailText } from '../../mail/newsletter/mail-text.ts'
import { endMark } from '../../mail/newsletter/newsletter-store.ts'
import type { Audience } from '../../mail/newsletter/subscriber-store.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Services } from '../call/services.ts'
import { linkedEntry } from '../content/shown-entry.ts'
import { visitorMail } from '../mail/visitor-mail.ts'
import { findMailImages } from '../media/page-media.ts'

/** A newsletter before it is sent. */
export interface NewsletterLetter {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly audience: Audience
}

/** @throws Failure `refused` for an entry that visitors can't see */
export function checkIsPublic(entry: EntryRow, now: number): void {
  const isPublic = entry.status === 'published' && entry.path !== null && (entry.published_at ?? 0) <= now
  if (isPublic && entry.password_hash === null) return
  throw new Failure('refused', isPublic ? 'This page has a password.' : 'This entry is not published.', {
    field: 'entry',
    rule: 'a newsletter has what visitors see',
    hint: isPublic ? 'Take the password away, or write a page for the newsletter.' : 'Publish it first.',
  })
}

/** The people who read an entry: those of its language. */
export function audienceOf({ settings }: Pick<Services, 'settings'>, entry: Pick<EntryRow, 'locale'>): Audience {
  const languages = languagesOf(settings.values)
  const branch = branchOf(languages, entry.locale)
  return { language: branch, excluded: branch === null ? languages.further : [] }
}

/**
 * Makes the mail of an entry.
 * @param origin of the site, with the base path
 * @param subject in place of the title
 * @throws Failure `unprocessable` for a text that can't be rendered in time
 */
export async function newsletterLetter(
  site: Services,
  entry: EntryRow,
  {
    origin,
    subject = entry.title,
    now,
  }: { readonly origin: string; readonly subject?: string | undefined; readonly now: number },
): Promise<NewsletterLetter> {
  const language = languageOf(languagesOf(site.settings.values), entry.locale) || 'en'
  const { look, word } = await visitorMail(site, language, origin)
  const url = `${origin}${entry.path ?? '/'}`
  const { html } = await linkedEntry(site, entry, origin)
  const images = await findMailImages(site.store.read, mediaIn(html, origin), { origin, now })
  const colour = mailColour(look.accent)
  const pictureOf = (src: string) => images.get(mediaNamed(src, origin) ?? '')
  const body = (await mailHtml(html, { url, title: entry.title, colour, pictureOf })).replaceAll(endMark, '')
  const link = (address: string, words: string): string =>
    `<a href="${escapeHtml(address)}" style="color:${colour}">${escapeHtml(words)}</a>`
  const heading = `<h1 style="margin:0 0 16px;font-size:26px;line-height:1.25">${escapeHtml(entry.title)}</h1>`
  const read = `<p style="margin:32px 0 0">${link(url, word('newsletter_read'))}</p>`
  const footer = `${escapeHtml(word('newsletter_footer'))}<br>${link(endMark, word('newsletter_end_title'))}`
  const content = `${heading}${body}${read}`
  return {
    subject: headerText(subject),
    text: `${mailText(content)}\n\n-- \n${word('newsletter_footer')}\n${word('newsletter_end_title')}: ${endMark}\n`,
    html: framedHtml(content, footer, look),
    audience: audienceOf(site, entry),
  }
}
