// The places of pages: the type, the address, and what the path says. One function per generator, from its documented rules.

import { posix } from 'node:path'
import { isObject } from '../../../base/json.ts'
import { trimEndOf } from '../../../base/trim-text.ts'
import { sectionNames } from '../../../content/redirects/old-feeds.ts'
import { type PageFields, listOf, textOf } from './page-fields.ts'
import { type TreeDialect, settingIn } from './tree.ts'

export interface PlaceInput {
  /** The path below the root of the tree. */
  readonly path: string
  readonly fields: PageFields
  readonly config: Readonly<Record<string, unknown>>
}

export interface PagePlace {
  readonly type: 'post' | 'page'
  /** The address on the old site, from its root on. */
  readonly address: string
  readonly slug: string
  /** A date in the name of the file. */
  readonly date?: string | undefined
  readonly isDraft?: boolean | undefined
  readonly categories?: readonly string[] | undefined
  readonly language?: string | undefined
  /** The beginning of the addresses of its language, such as `/de`, if it is not the main one. */
  readonly prefix?: string | undefined
  /** The folder whose index is the page above it. */
  readonly folder?: string | undefined
}

const ending = /\.(?:md|markdown|mkdown|mkdn|mkd|mdx|html?|textile)$/i

/** @returns undefined for a file that is no page */
export const placeOf = (dialect: TreeDialect, input: PlaceInput): PagePlace | undefined => places[dialect](input)

const places: Readonly<Record<TreeDialect, (input: PlaceInput) => PagePlace | undefined>> = {
  jekyll: jekyllPlace,
  hugo: hugoPlace,
  zola: hugoPlace,
  eleventy: (input) => generatedPlace(input, /^(?:src\/|content\/)/),
  astro: (input) =>
    /^src\/(?:content|pages)\//.test(input.path) ? generatedPlace(input, /^src\/(?:content|pages)\//) : undefined,
  obsidian: (input) => generatedPlace(input, /^$/),
  plain: (input) => generatedPlace(input, /^(?:content|docs)\//),
}

const slugged = (text: string): string =>
  text
    .trim()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

const lastOf = (path: string): string => (trimEndOf(path, '/').split('/').at(-1) ?? '').replace(ending, '')

/** Returns a path of a file as a part of an address. Blanks and other letters may stand there as they are. */
export const addressOfFile = (path: string): string => path.replace(/[%#?]/g, encodeURIComponent)

/** Eleventy, Astro, notes and plain folders: the path without its ending, and a slash at its end. */
function generatedPlace({ path, fields }: PlaceInput, root: RegExp): PagePlace {
  const below = path.replace(root, '').replace(ending, '')
  const date = /(?:^|\/)(\d{4}-\d\d-\d\d)(?:-|$)/.exec(below)?.[1]
  const bare = below.replace(/(^|\/)\d{4}-\d\d-\d\d-/, '$1').replace(/(?:^|\/)(?:index|README)$/i, '')
  const own = textOf(fields, 'address')
  const [section = ''] = bare.split('/')
  const isPost = date !== undefined || (bare.includes('/') && sectionNames.test(section))
  return {
    type: isPost ? 'post' : 'page',
    address: own !== undefined && !own.includes('{{') ? rooted(own) : `/${addressOfFile(bare)}/`.replace(/\/+/g, '/'),
    slug: textOf(fields, 'slug') ?? lastOf(bare === '' ? 'home' : bare),
    date,
    folder: posix.dirname(/(?:^|\/)(?:index|README)\.\w+$/i.test(path) ? posix.dirname(path) : path),
  }
}

const rooted = (address: string): string => (/^(?:https?:)?\/\//.test(address) ? address : `/${address.replace(/^\/+/, '')}`)

/** The parts of the path of a post or draft: the folders above, and the date and title in its name. */
function postFile(path: string) {
  const parts = path.split('/')
  const at = parts.findIndex((part) => part === '_posts' || part === '_drafts')
  const name = parts.at(-1) ?? ''
  const end = name.lastIndexOf('.')
  if (at < 0 || end < 1) return undefined
  const [, year, month = '', day = '', title = ''] = /^(?:(\d{2,4})-(\d{1,2})-(\d{1,2})-)?(.+)$/.exec(name.slice(0, end)) ?? []
  return { above: parts.slice(0, at).join('/'), year, month, day, title }
}

/** Jekyll: posts have a date in their names, and an address by the setting `permalink`. */
function jekyllPlace({ path, fields, config }: PlaceInput): PagePlace | undefined {
  const post = postFile(path)
  const own = textOf(fields, 'address')
  if (!post) {
    if (/(?:^|\/)_/.test(path) && !/^_[^/]+\//.test(path)) return undefined
    const bare = path
      .replace(/^_/, '')
      .replace(ending, '')
      .replace(/(?:^|\/)index$/, '')
    const usual =
      config['permalink'] === 'pretty'
        ? `/${addressOfFile(bare)}/`
        : `/${addressOfFile(bare)}${bare === '' || /(?:^|\/)index\.\w+$/.test(path) ? '/' : '.html'}`
    return {
      type: 'page',
      address: rooted(own ?? usual).replace(/\/{2,}/g, '/'),
      slug: textOf(fields, 'slug') ?? lastOf(bare === '' ? 'home' : bare),
      folder: posix.dirname(path),
    }
  }
  const { above, year, month, day, title } = post
  const folders = above.split('/').filter((part) => part !== '' && !part.startsWith('_'))
  const date =
    year === undefined ? undefined : `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const shownDate = textOf(fields, 'date')?.slice(0, 10) ?? date
  const categories = [...folders, ...listOf(fields.get('categories') ?? fields.get('category'), /\s+/)]
  const template = own ?? permalinkStyle(config['permalink'])
  const address = fillTemplate(template, {
    title: addressOfFile(textOf(fields, 'slug') ?? title),
    date: shownDate,
    categories: categories.map(slugged),
  })
  return {
    type: 'post',
    address: rooted(address),
    slug: textOf(fields, 'slug') ?? title,
    date,
    isDraft: /(?:^|\/)_drafts\//.test(path) || undefined,
    categories: folders,
  }
}

const permalinkStyles: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title.html',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title.html',
  weekdate: '/:categories/:year/W:week/:short_day/:title.html',
  none: '/:categories/:title.html',
}

const permalinkStyle = (setting: unknown): string =>
  typeof setting === 'string' ? (permalinkStyles[setting] ?? setting) : (permalinkStyles['date'] ?? '')

interface TemplateValues {
  readonly title: string
  /** The last part of an address, where it is not made from the title. */
  readonly slug?: string | undefined
  /** The name of the file, where it is not the title. */
  readonly file?: string
  readonly date: string | undefined
  readonly categories?: readonly string[]
  readonly section?: string
}

/** Fills the placeholders of Jekyll and Hugo. Those that are not known stay, so that the address is visibly none. */
function fillTemplate(template: string, values: TemplateValues): string {
  const { title, date, categories = [], section = '', file = title, slug = slugged(title).toLowerCase() } = values
  const [year = '', month = '', day = ''] = date?.split('-') ?? []
  const yearDay = date === undefined ? NaN : (Date.parse(date) - Date.parse(`${year}-01-01`)) / 86_400_000 + 1
  const byName: Readonly<Record<string, string>> = {
    categories: categories.join('/'),
    slugified_categories: categories.join('/').toLowerCase(),
    year,
    short_year: year.slice(2),
    month,
    i_month: String(Number(month)),
    day,
    i_day: String(Number(day)),
    y_day: String(yearDay).padStart(3, '0'),
    yearday: String(yearDay),
    title,
    slug,
    slugorcontentbasename: values.slug ?? file,
    contentbasename: file,
    filename: file,
    section,
    sections: section,
    output_ext: '.html',
  }
  return template.replace(/:(\w+)/g, (whole, name: string) => byName[name.toLowerCase()] ?? whole).replace(/\/{2,}/g, '/')
}

/** Hugo and Zola: the path below `content`, with bundles, sections and languages. */
function hugoPlace({ path, fields, config }: PlaceInput): PagePlace | undefined {
  const whole = /^content\/(.*)$/.exec(path)?.[1]
  if (whole === undefined || !/\.(?:md|markdown|html?)$/i.test(whole)) return undefined
  const languages = languagesIn(config)
  const folderLanguage = languages.find((code) => whole.startsWith(`${code}/`))
  const suffix = /\.([a-z]{2}(?:-[a-z]{2,4})?)\.\w+$/i.exec(whole)?.[1]
  const language = folderLanguage ?? (suffix !== undefined && languages.includes(suffix) ? suffix : undefined)
  const below = (folderLanguage === undefined ? whole : whole.slice(folderLanguage.length + 1)).replace(ending, '')
  const named = suffix !== undefined && language === suffix ? below.slice(0, -suffix.length - 1) : below
  const bare = named.replace(/(?:^|\/)_?index$/, '')
  const isSection = /(?:^|\/)_index$/.test(named)
  const [section = ''] = bare.split('/')
  const isPost = !isSection && bare.includes('/') && sectionNames.test(section)
  const slug = textOf(fields, 'slug') ?? lastOf(bare === '' ? 'home' : bare)
  const template = permalinksOf(config)[section]
  const date = textOf(fields, 'date')?.slice(0, 10)
  const usual = `/${bare === '' ? '' : `${posix.join(posix.dirname(bare), slug)}/`}`.replace('/./', '/')
  const values = { title: slugged(textOf(fields, 'title') ?? slug), slug: textOf(fields, 'slug'), file: lastOf(bare) }
  const filled = template !== undefined && !isSection ? fillTemplate(template, { ...values, date, section }) : usual
  const prefix =
    language !== undefined && language !== settingIn(config, 'defaultContentLanguage', 'default_language') ? `/${language}` : ''
  const own = textOf(fields, 'address')
  return {
    type: isPost ? 'post' : 'page',
    address: own === undefined ? addressOfFile(prefix + filled).toLowerCase() : ownAddress(own, prefix),
    slug,
    language,
    prefix,
    folder: bare === '' ? undefined : posix.dirname(posix.join('content', bare)),
  }
}

/** An address that begins with a slash is of the whole site, and else of its language. */
const ownAddress = (own: string, prefix: string): string => (/^(?:\/|https?:)/.test(own) ? rooted(own) : `${prefix}/${own}`)

function languagesIn(config: Readonly<Record<string, unknown>>): readonly string[] {
  const listed = config['languages'] ?? config['Languages']
  return isObject(listed) ? Object.keys(listed) : []
}

function permalinksOf(config: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const listed = config['permalinks']
  if (!isObject(listed)) return {}
  const pages = isObject(listed['page']) ? listed['page'] : listed
  return Object.fromEntries(Object.entries(pages).filter((row): row is [string, string] => typeof row[1] === 'string'))
}
