// The filters of templates: those of the contract, and the harmless ones of Liquid. Any other filter is a parse error. `raw` is
// left out, because no template may switch escaping off, and so are filters that take a regular expression or evaluate text.

import { type Liquid, toValue } from 'liquidjs'
import type { ThemeJob } from './theme-jobs.ts'
import { imageSet, imageUrl, picture } from './theme-images.ts'
import { escapeText, SafeMarkup, textOf } from './safe-markup.ts'
import { isoDate, shownDate, type ThemeDate } from './theme-dates.ts'
import { fontMarkup } from '../font-faces.ts'
import { networkIcon } from '../networks.ts'
import { colourDeclarations } from '../palettes.ts'
import { readableColour } from '../readable-colour.ts'
import { type MessageTables, translated } from './theme-words.ts'

const toDate = (value: unknown): ThemeDate => (typeof value === 'number' || value === null ? value : textOf(value))

/** Filters of Liquid itself. */
const kept: readonly string[] = (
  'abs append at_least at_most capitalize ceil compact concat default divided_by downcase first floor join last lstrip map minus modulo ' +
  'plus prepend remove remove_first replace replace_first reverse round rstrip size slice sort sort_natural split strip sum times uniq ' +
  'upcase url_encode where reject find has'
).split(' ')

/** The data that the filters of one rendering read. */
export interface FilterFacts {
  readonly data: ThemeJob['data']
  readonly assets: Readonly<Record<string, string>>
  readonly messages: MessageTables
}

/** Replaces all filters of an engine. `facts` returns the data of the current page. */
export function setFilters(liquid: Liquid, facts: () => FilterFacts): void {
  const own = liquid.filters
  for (const name of Object.keys(own)) if (!kept.includes(name)) delete own[name]
  Object.setPrototypeOf(own, null)
  for (const [name, filter] of Object.entries(ownFilters(facts)))
    liquid.registerFilter(name, (value: unknown, ...args: unknown[]) => filter(plain(value), ...args))
}

/** Converts the engine's objects for `null` and `blank` to plain values. */
const plain = (value: unknown): unknown => (value instanceof SafeMarkup ? value : (toValue(value) as unknown))
const ownFilters = (facts: () => FilterFacts): Readonly<Record<string, (value: unknown, ...args: unknown[]) => unknown>> => ({
  t(value, ...args) {
    const { data, messages } = facts()
    const placeholders = [...namedOf(args)].map(([name, one]) => [name, textOf(one)] as const)
    return translated(messages, data.page.language, textOf(value), new Map(placeholders))
  },
  date(value, format) {
    const { page, site } = facts().data
    return shownDate(toDate(value), textOf(format ?? 'long'), page.language, site.time_zone)
  },
  date_iso: (value) => isoDate(toDate(value)),
  url: (value) => siteUrl(facts().data, textOf(value)),
  asset: (value) => assetUrl(facts(), textOf(value)),
  image_url: imageUrl,
  srcset: imageSet,
  picture: (value, ...args) => picture(value, namedOf(args)),
  reading_time: (words) => Math.max(1, Math.round((Number(words) || 0) / wordsPerMinute)),
  truncate: (value, length, end) => truncated(textOf(value), Number(length ?? 50), textOf(end ?? '…')),
  readable: (value, scheme) => readableColour(textOf(value), textOf(scheme) === 'dark' ? 'dark' : 'light'),
  palette: (value, accent) => colourDeclarations(textOf(value), textOf(accent)),
  fonts: (value) => new SafeMarkup(fontMarkup(textOf(value), escapeText(facts().data.site.url))),
  network_icon: (value) => new SafeMarkup(networkIcon(textOf(value))),
  strip_html: (value) => withoutTags(textOf(value)),
  escape: (value) => (value instanceof SafeMarkup ? value : new SafeMarkup(escapeText(textOf(value)))),
  newline_to_br: (value) => new SafeMarkup(escapeText(textOf(value)).replaceAll('\n', '<br>\n')),
})

const wordsPerMinute = 220

/** `{{ 'key' | t: count: 3 }}` gives a filter its named arguments as pairs. */
function namedOf(args: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(args.filter((arg): arg is [string, unknown] => Array.isArray(arg) && typeof arg[0] === 'string'))
}

/** A path of the site as an address; other addresses stay as they are. */
function siteUrl({ site }: ThemeJob['data'], path: string): string {
  return path.startsWith('/') && !path.startsWith('//') ? site.url + path : path
}

function assetUrl({ data, assets }: FilterFacts, path: string): string {
  const name = path.startsWith('assets/') ? path.slice('assets/'.length) : path
  if (Object.hasOwn(assets, name)) return data.site.url + (assets[name] ?? '')
  throw new Error(`the theme has no file assets/${name.slice(0, 100)}`)
}

/** A text of at most `length` characters, cut at a space if possible. */
function truncated(text: string, length: number, end: string): string {
  const characters = Array.from(text.slice(0, 4 * Math.max(0, length) + 4))
  if (!(length >= 0) || (characters.length <= length && text.length <= 4 * length)) return text
  const head = characters.slice(0, Math.max(0, length - Array.from(end).length)).join('')
  const space = head.lastIndexOf(' ')
  return (space > head.length / 2 ? head.slice(0, space) : head).trimEnd() + end
}

const decoded: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0', amp: '&' }

/** Removes tags in one pass, in linear time (attack 103). */
function withoutTags(markup: string): string {
  const parts: string[] = []
  let at = 0
  while (at < markup.length) {
    const opens = markup.indexOf('<', at)
    if (opens < 0) break
    parts.push(markup.slice(at, opens))
    const closes = markup.indexOf('>', opens)
    // No later tag is closed.
    if (closes < 0) return decodeText(parts.join(''))
    at = closes + 1
  }
  return decodeText(parts.join('') + markup.slice(at))
}

const decodeText = (text: string): string =>
  text.replace(/&(lt|gt|quot|#39|nbsp|amp);/g, (whole, name: string) => decoded[name] ?? whole)
