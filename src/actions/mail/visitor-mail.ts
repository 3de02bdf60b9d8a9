// The look and the words of mails to people without an account, in the ten languages of the themes.

import type { MailLook } from '../../mail/letter.ts'
import { type SiteMessage, siteWord } from '../../themes/site-words.ts'
import { mailLook, type MailSite } from './site-mail.ts'

export interface VisitorMail {
  readonly look: MailLook
  /** Returns a text, with the name and host of the site in it. */
  readonly word: (key: SiteMessage) => string
}

/**
 * @param language BCP 47
 * @param origin of the site in links
 * @param values of further placeholders
 */
export async function visitorMail(
  site: Pick<MailSite, 'settings' | 'themes'>,
  language: string,
  origin: string,
  values: Readonly<Record<string, string>> = {},
): Promise<VisitorMail> {
  const look = { ...(await mailLook(site)), language }
  const said = new Map(Object.entries({ site: look.title, host: new URL(origin).host, ...values }))
  return { look, word: (key) => siteWord(language, key, said) }
}
