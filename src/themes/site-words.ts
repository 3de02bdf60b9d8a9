// Words that the site itself says on pages of a theme, from the messages that ship with Postern.

import { shippedMessages } from './shipped.ts'
import { translated } from './theme-words.ts'

/** The messages that the site itself uses, because the site puts them into the data of a page. */
export const siteMessages = ['more', 'search'] as const
export type SiteMessage = (typeof siteMessages)[number]

const none: ReadonlyMap<string, unknown> = new Map()

export const siteWord = (language: string, key: SiteMessage, values = none): string =>
  translated([shippedMessages()], language, key, values)
