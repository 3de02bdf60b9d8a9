// The settings that the owner changes while the site runs, one row per setting. Settings from the environment are in config.ts.

import type { Release } from '../base/release.ts'
import { isTimeZone } from './time-zone.ts'

export const settingKinds = ['text', 'long_text', 'choice', 'number', 'boolean', 'entry', 'picture', 'list'] as const
export type SettingKind = (typeof settingKinds)[number]

/** The groups in lists of settings. */
export const settingGroups = ['site', 'reading', 'assistants', 'security'] as const

/** The value to store, or the expected form, which reads well after "must be". */
type Parsed<T> = { readonly value: T } | { readonly expected: string }

interface Definition<T> {
  readonly group: (typeof settingGroups)[number]
  readonly kind: SettingKind
  readonly fallback: T
  /** The tier that a change needs: `admin` for settings of security. */
  readonly tier: 'read' | 'admin'
  readonly help: string
  /** Parses a JSON value. It is never null: null restores the default. */
  readonly parse: (value: unknown) => Parsed<NonNullable<T>>
  /** True if a release has the setting. In releases without it, the default applies. */
  readonly existsIn?: (release: Release) => boolean
}

const define = <T>(definition: Omit<Definition<T>, 'tier'> & Partial<Definition<T>>): Definition<T> => ({
  tier: 'read',
  ...definition,
})

const text =
  (maxLength: number, lines: 'one line' | 'lines') =>
  (value: unknown): Parsed<string> => {
    const forbidden = lines === 'lines' ? /[^\P{Cc}\n\r\t]/u : /\p{Cc}/u
    const good = typeof value === 'string' && value.length <= maxLength && value.isWellFormed() && !forbidden.test(value)
    return good ? { value } : { expected: `a text of at most ${maxLength} characters${lines === 'lines' ? '' : ' on one line'}` }
  }

const wholeNumber =
  (min: number, max: number) =>
  (value: unknown): Parsed<number> =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? { value }
      : { expected: `a whole number from ${min} to ${max}` }

const yesOrNo = (value: unknown): Parsed<boolean> => (typeof value === 'boolean' ? { value } : { expected: 'true or false' })
const oneOf =
  (...choices: readonly string[]) =>
  (value: unknown): Parsed<string> =>
    typeof value === 'string' && choices.includes(value) ? { value } : { expected: `one of ${choices.join(', ')}` }

function language(value: unknown): Parsed<string> {
  const expected = 'a language tag such as "en", "de" or "pt-BR" (BCP 47)'
  if (typeof value !== 'string' || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,5}$/.test(value)) return { expected }
  try {
    return { value: Intl.getCanonicalLocales(value)[0] ?? value }
  } catch {
    return { expected }
  }
}

const maxLanguages = 50

function languageList(value: unknown): Parsed<readonly string[]> {
  const expected = `a list of at most ${maxLanguages} different language tags such as ["de", "pt-BR"]`
  if (!Array.isArray(value) || value.length > maxLanguages) return { expected }
  const parsed = value.map(language)
  const tags = parsed.flatMap((one) => ('value' in one ? [one.value] : []))
  return tags.length === value.length && new Set(tags).size === tags.length ? { value: tags } : { expected }
}

function timeZone(value: unknown): Parsed<string> {
  return typeof value === 'string' && isTimeZone(value) ? { value } : { expected: 'a time zone such as "Europe/Berlin" or "UTC"' }
}

const maxOrigins = 50

function origins(value: unknown): Parsed<readonly string[]> {
  const good =
    Array.isArray(value) && value.length <= maxOrigins && value.every((item) => typeof item === 'string' && isOrigin(item))
  return good
    ? { value: value as string[] }
    : { expected: `a list of at most ${maxOrigins} origins such as "https://claude.ai", or null for the usual ones` }
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

function secureOrigins(value: unknown): Parsed<readonly string[]> {
  const parsed = origins(value)
  const good = 'value' in parsed && parsed.value.every((origin) => origin.startsWith('https://'))
  return good ? parsed : { expected: `a list of at most ${maxOrigins} origins such as "https://maps.example.org"` }
}

const textList =
  (maxItems: number, maxLength: number) =>
  (value: unknown): Parsed<readonly string[]> => {
    const parsed = Array.isArray(value) && value.length <= maxItems ? value.map(text(maxLength, 'one line')) : undefined
    const found = parsed?.flatMap((one) => ('value' in one && one.value !== '' ? [one.value] : []))
    return found && found.length === parsed?.length && new Set(found).size === found.length
      ? { value: found }
      : { expected: `a list of at most ${maxItems} different texts, each of at most ${maxLength} characters on one line` }
  }

const maxAddresses = 20

/** An address without a scheme is completed, because people copy it so. */
function webAddresses(value: unknown): Parsed<readonly string[]> {
  const expected = `a list of at most ${maxAddresses} different addresses such as "https://mastodon.social/@anna"`
  if (!Array.isArray(value) || value.length > maxAddresses) return { expected }
  const parsed = value.map((one) => (typeof one === 'string' ? webAddress(one.trim()) : undefined))
  const found = parsed.filter((one) => one !== undefined)
  return found.length === value.length && new Set(found).size === found.length ? { value: found } : { expected }
}

function webAddress(given: string): string | undefined {
  const text = /^[a-z][a-z0-9+.-]*:/i.test(given) ? given : `https://${given}`
  if (given.length > 500 || !URL.canParse(text)) return undefined
  const { protocol, hostname, username, password, href } = new URL(text)
  const isPlain = username === '' && password === '' && hostname.includes('.')
  return isPlain && (protocol === 'https:' || protocol === 'http:') ? href : undefined
}

export const definitions = {
  site_title: define({
    group: 'site',
    kind: 'text',
    fallback: 'My site',
    help: 'Name of the site.',
    parse: text(200, 'one line'),
  }),
  site_tagline: define({
    group: 'site',
    kind: 'text',
    fallback: '',
    help: 'What the site is about, in a few words.',
    parse: text(300, 'one line'),
  }),
  site_address: define({
    group: 'site',
    kind: 'long_text',
    fallback: '',
    help: 'Postal address for the footer of the site, in lines.',
    parse: text(500, 'lines'),
  }),
  social_links: define<readonly string[]>({
    group: 'site',
    kind: 'list',
    fallback: [],
    help: 'Addresses of the pages of the owner on social networks and elsewhere, for the footer of the site.',
    parse: webAddresses,
  }),
  logo: define<string | null>({
    group: 'site',
    kind: 'picture',
    fallback: null,
    help: 'Logo of the site, by the id or path of a picture.',
    parse: text(500, 'one line'),
  }),
  logo_dark: define<string | null>({
    group: 'site',
    kind: 'picture',
    fallback: null,
    help: 'Logo on a dark ground, if it is another.',
    parse: text(500, 'one line'),
  }),
  site_icon: define<string | null>({
    group: 'site',
    kind: 'picture',
    fallback: null,
    help: 'Icon of the site, else the logo.',
    parse: text(500, 'one line'),
  }),
  social_image: define<string | null>({
    group: 'site',
    kind: 'picture',
    fallback: null,
    help: 'Picture in cards of pages without one.',
    parse: text(500, 'one line'),
  }),
  language: define({
    group: 'site',
    kind: 'text',
    fallback: 'en',
    help: 'Language of the site, as a BCP 47 tag such as `en` or `pt-BR`.',
    parse: language,
  }),
  languages: define<readonly string[]>({
    group: 'site',
    kind: 'list',
    fallback: [],
    help: 'Further languages of the site, as BCP 47 tags. Entries of each live below its path: `/de` for `de`, `/pt-br` for `pt-BR`.',
    parse: languageList,
  }),
  time_zone: define({
    group: 'site',
    kind: 'text',
    fallback: 'UTC',
    help: 'Time zone in which dates are shown, and read where they have no offset: a name such as `Europe/Berlin`.',
    parse: timeZone,
    existsIn: (release) => release.timeZoneSetting,
  }),
  home: define<string | null>({
    group: 'reading',
    kind: 'entry',
    fallback: null,
    help: 'Entry shown at `/`, by id or path; null shows the latest posts.',
    parse: text(500, 'one line'),
  }),
  posts_page: define<string | null>({
    group: 'reading',
    kind: 'entry',
    fallback: null,
    help: 'Entry at whose path all posts are listed, by id or path; null lists them at `/posts`.',
    parse: text(500, 'one line'),
  }),
  posts_per_page: define({
    group: 'reading',
    kind: 'number',
    fallback: 10,
    help: 'Posts on one page of a list.',
    parse: wholeNumber(1, 100),
  }),
  comments: define<readonly string[]>({
    group: 'reading',
    kind: 'list',
    fallback: [],
    help: 'Types whose entries take comments of visitors, such as `post`. Each comment waits until it is approved.',
    parse: textList(50, 100),
  }),
  comments_closed: define<readonly string[]>({
    group: 'reading',
    kind: 'list',
    fallback: [],
    help: 'Entries that take no further comments, by id or path. Those that they have stay.',
    parse: textList(500, 1100),
  }),
  formulas: define<boolean>({
    group: 'reading',
    kind: 'boolean',
    fallback: false,
    help: 'Whether texts may have formulas in TeX between `$…$` and `$$…$$`, which become MathML.',
    parse: yesOrNo,
  }),
  cache_seconds: define({
    group: 'reading',
    kind: 'number',
    fallback: 0,
    help: 'For how many seconds a web server in front may answer with a page that it keeps. A change shows that much later; 0 keeps no page.',
    parse: wholeNumber(0, 3600),
  }),
  stage_edits: define<boolean>({
    group: 'site',
    kind: 'boolean',
    fallback: false,
    help: 'Whether edits of a published entry wait until it is published again. No caller can override this.',
    parse: yesOrNo,
  }),
  image_format: define<string>({
    group: 'site',
    kind: 'text',
    fallback: 'webp',
    help: 'Formats in which images are made: `webp`, or `avif` for AVIF beside it. AVIF is about a sixth smaller and takes twice the work.',
    parse: oneOf('webp', 'avif'),
  }),
  max_file_mib: define({
    group: 'site',
    kind: 'number',
    fallback: 1024,
    help: 'Largest file that can be uploaded, in MiB. Images have at most 64.',
    parse: wholeNumber(1, 1024),
  }),
  instructions: define<string | null>({
    group: 'assistants',
    kind: 'long_text',
    fallback: null,
    help: 'Standing instructions to assistants. `SVC_API.welcome` gives them to signed-in callers.',
    parse: text(10_000, 'lines'),
  }),
  mcp_origins: define<readonly string[] | null>({
    group: 'security',
    kind: 'list',
    fallback: null,
    tier: 'admin',
    help: 'Web origins whose pages may call `/mcp/`, besides the site itself; null allows loopback and any `https:` origin.',
    parse: origins,
  }),
  allowed_sources: define<readonly string[]>({
    group: 'security',
    kind: 'list',
    fallback: [],
    tier: 'admin',
    help: 'Origins from which public pages may load scripts, styles, images, fonts, media, data and frames, besides the site itself: such as `https://maps.example.org`.',
    parse: secureOrigins,
  }),
} as const

export type SettingKey = keyof typeof definitions

/** All settings by key. */
export type SettingValues = { readonly [K in SettingKey]: (typeof definitions)[K]['fallback'] }

/** The keys of the settings that a release has, in the order of the table. */
export function settingKeys(release: Release): readonly SettingKey[] {
  return (Object.keys(definitions) as SettingKey[]).filter((key) => definitionOf(key).existsIn?.(release) ?? true)
}

/** A row of the table, regardless of the type of its values. */
export function definitionOf(key: SettingKey): Definition<unknown> {
  return definitions[key]
}
