// The settings that the owner changes while the site runs, one row per setting. Settings from the environment are in config.ts.

import type { Release } from '../base/release.ts'
import {
  language,
  languageList,
  oneOf,
  origins,
  type Parsed,
  secureOrigins,
  text,
  textList,
  timeZone,
  webAddresses,
  wholeNumber,
  yesOrNo,
} from './setting-parsers.ts'

export const settingKinds = ['text', 'long_text', 'choice', 'number', 'boolean', 'entry', 'picture', 'list'] as const
export type SettingKind = (typeof settingKinds)[number]

/** The groups in lists of settings. */
export const settingGroups = ['site', 'reading', 'assistants', 'security'] as const

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

const onOff = (group: (typeof settingGroups)[number], fallback: boolean, help: string): Definition<boolean> =>
  define({ group, kind: 'boolean', fallback, help, parse: yesOrNo })

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
    help: 'Types whose entries take comments of visitors, such as `post`. Each comment waits until it is approved. An entry can differ.',
    parse: textList(50, 100),
  }),
  newsletter_types: define<readonly string[]>({
    group: 'reading',
    kind: 'list',
    fallback: [],
    help: 'Types whose new entries are mailed to subscribers by themselves.',
    parse: textList(50, 100),
  }),
  comments_trusted: onOff(
    'reading',
    false,
    'Whether comments of writers who were approved before appear at once. Each is confirmed by a link that is mailed to the address.',
  ),
  webmentions: onOff(
    'reading',
    false,
    'Whether entries that take comments also take webmentions: links from pages of other sites. Each waits until it is approved.',
  ),
  webmentions_send: onOff(
    'reading',
    false,
    'Whether pages that an entry links to are told by webmention when it is published or changed. It needs `POSTERN_BASE_URL`.',
  ),
  formulas: onOff('reading', false, 'Whether texts may have formulas in TeX between `$…$` and `$$…$$`, which become MathML.'),
  cache_seconds: define({
    group: 'reading',
    kind: 'number',
    fallback: 0,
    help: 'For how many seconds a web server in front may answer with a page that it keeps. A change shows that much later; 0 keeps no page.',
    parse: wholeNumber(0, 3600),
  }),
  statistics: onOff('site', true, 'Whether visits are counted: on this server, without cookies, and without storing addresses.'),
  statistics_obey_opt_out: onOff(
    'site',
    true,
    'Whether visitors whose browsers send `DNT: 1` or `Sec-GPC: 1` are left out of the statistics.',
  ),
  stage_edits: onOff(
    'site',
    false,
    'Whether edits of a published entry wait until it is published again. No caller can override this.',
  ),
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

/** The settings that are lists of the site's types. */
export const typeListSettings: readonly SettingKey[] = ['comments', 'newsletter_types']

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
