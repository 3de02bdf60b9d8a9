// Messages for visitors who get no page, in the language of the requested path.

import { type SiteMessage, siteWord } from '../../themes/site-words.ts'

export interface VisitorWords {
  readonly title: string
  /** A sentence or two. */
  readonly message: string
}

/** The statuses whose words are translated. */
const told: Readonly<Record<number, readonly [title: SiteMessage, message: SiteMessage]>> = {
  403: ['forbidden_title', 'forbidden'],
  404: ['not_found_title', 'not_found'],
  410: ['gone_title', 'gone'],
  429: ['too_many_title', 'too_many'],
  500: ['failed_title', 'failed'],
  503: ['busy_title', 'busy'],
}

/** The words of a failure; undefined for a failure that only programs cause. @param values `count` for 429, `reference` for 500 */
export function wordsOfStatus(
  status: number,
  language: string,
  values: Readonly<Record<string, string | number | undefined>> = {},
): VisitorWords | undefined {
  const keys = told[status]
  if (!keys) return undefined
  const [title, message] = keys
  const texts = new Map(Object.entries(values).map(([name, value]) => [name, String(value ?? '')]))
  return { title: siteWord(language, title), message: siteWord(language, message, texts) }
}
