// The values that are counted, made from what visitors send. Each is short, and tells nothing about a single visitor. They are
// still strangers' texts: pages escape them, and answers mark them.

import { cutText } from '../base/cut-text.ts'
import { maskSecrets } from '../base/mask.ts'
import { joined } from './parts.ts'

const maxReferrerLength = 2000
const maxHostLength = 100
const maxWordLength = 60
const maxSearchLength = 80
const maxPathLength = 300

/** The host of a page that linked here: without `www.`; `joined` for one that is not a name in public; undefined for none. */
export function referrerHost(referrer: string | undefined, ownHost: string): string | undefined {
  if (referrer === undefined || referrer === '') return undefined
  const isAddress = referrer.length <= maxReferrerLength && /^(?:https?|android-app):\/\//i.test(referrer)
  if (!isAddress || !URL.canParse(referrer)) return joined
  const host = bare(new URL(referrer).hostname.toLowerCase())
  if (host === bare(ownHost.replace(/:\d+$/, ''))) return undefined
  // Neither an address of a machine nor a name in a private network.
  return host.length <= maxHostLength && /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(host) ? host : joined
}

const bare = (host: string): string => (host.startsWith('www.') ? host.slice(4) : host)

/** The language that a visitor prefers, such as `de`; `joined` if none is told. */
export function languageIn(acceptLanguage: string | undefined): string {
  const [, language] = /^\s*([a-z]{2,3})(?![a-z])/i.exec(acceptLanguage?.slice(0, 20) ?? '') ?? []
  return language?.toLowerCase() ?? joined
}

/** The parameters of a campaign: `newsletter / email / spring`. Undefined without any. All other parameters are dropped. */
export function campaignIn(query: URLSearchParams): string | undefined {
  const words = ['utm_source', 'utm_medium', 'utm_campaign'].map((name) => cleanWords(query.get(name) ?? '', maxWordLength))
  return words.every((word) => word === '') ? undefined : words.map((word) => word || '–').join(' / ')
}

/** The words of a search, in lower case. */
export const searchWords = (query: string): string => cleanWords(query, maxSearchLength)

/** A path of the site. */
export const countedPath = (path: string): string => (path.length <= maxPathLength && path.isWellFormed() ? path : joined)

/** A short text without secrets, addresses of mail, long numbers and control characters. */
function cleanWords(text: string, maxLength: number): string {
  const plain = text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
  const words = maskSecrets(plain)
    .split(' ')
    .map((word) => (word.includes('@') || /\d.?\d.?\d.?\d.?\d.?\d/.test(word) ? '…' : word))
  return cutText(words.join(' ').trim().toLowerCase(), maxLength)
}
