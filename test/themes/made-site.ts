// A made site as the data of the theme contract: every kind of page, with everything that a template may meet, and with as little as it may meet.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expandEmbeds } from '../../src/content/markdown/embeds.ts'
import { createMarkdown } from '../../src/content/markdown/markdown.ts'
import { createSanitizer } from '../../src/content/markdown/sanitize.ts'
import {
  type ThemeAuthor,
  type ThemeData,
  type ThemeEntry,
  type ThemeImage,
  type ThemeMenuItem,
  type ThemePage,
  type ThemePageKind,
  type ThemeSummary,
  pageKinds,
} from '../../src/themes/contract.ts'
import { socialLink } from '../../src/themes/networks.ts'
import { root } from '../run-postern.ts'
import { defaultsOf } from './render-theme.ts'

/** A page that is rendered: what it is, and its data. */
export interface MadePage {
  readonly name: string
  readonly data: ThemeData
}

/** A picture of hills and a sun, of any size. */
export function picture(width: number, height: number, hue: number, caption: string | null = null): ThemeImage {
  const hill = (top: number, light: number) =>
    `<path d="M0 ${height * top}Q${width * 0.3} ${height * (top - 0.25)} ${width * 0.55} ${height * top}T${width} ${height * (top - 0.1)}V${height}H0Z" fill="hsl(${hue} 35% ${light}%)"/>`
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="100%" height="100%" fill="hsl(${hue + 30} 55% 82%)"/>` +
    `<circle cx="${width * 0.72}" cy="${height * 0.3}" r="${height * 0.11}" fill="hsl(${hue + 60} 90% 92%)"/>${hill(0.6, 62)}${hill(0.75, 45)}${hill(0.92, 28)}</svg>`
  const url = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return { url, alt: 'Hills in the evening', caption, width, height, variants: [], placeholder: null, focus: { x: 0.5, y: 0.4 } }
}

const words = {
  en: {
    title: 'Notes from the Valley',
    tagline: 'Walking, weather and small machines, by a family of four.',
    posts: [
      'The bridge at Alma, one hundred years on',
      'How we mapped every spring',
      'A quiet winter',
      'Bees, the second year',
      'What the mill taught us',
    ],
    excerpt:
      'The river had risen in the night, and by the time we reached the old mill the lower path was gone. So we took the ridge, which nobody had walked since the summer.',
    menu: ['Journal', 'Walks', 'About', 'Contact', 'More'],
    below: ['Shop', 'Archive', 'Letters to the editor', 'Imprint'],
  },
  de: {
    title: 'Donaudampfschifffahrtsgesellschaft',
    tagline: 'Geschichten von Fluss und Ufer.',
    posts: [
      'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz und andere lange Wörter',
      'Im Winter',
      'Zwei',
      'Drei',
      'Vier',
    ],
    excerpt: 'Der Fluss war über Nacht gestiegen.',
    menu: ['Aktuelles', 'Unternehmensgeschichte', 'Veranstaltungen', 'Ansprechpartner', 'Weiteres'],
    below: ['Datenschutzerklärung', 'Impressum', 'Archiv', 'Barrierefreiheit'],
  },
  ar: {
    title: 'يوميات الوادي',
    tagline: 'مشي وطقس وآلات صغيرة.',
    posts: ['جسر ألما بعد مئة عام', 'كيف رسمنا خريطة كل نبع', 'شتاء هادئ', 'النحل', 'الطاحونة'],
    excerpt: 'ارتفع منسوب النهر ليلاً، وحين وصلنا إلى الطاحونة القديمة كان الطريق السفلي قد اختفى.',
    menu: ['اليوميات', 'المسارات', 'من نحن', 'اتصل بنا', 'المزيد'],
    below: ['المتجر', 'الأرشيف', 'رسائل', 'البيانات'],
  },
  ja: {
    title: '谷のノート',
    tagline: '散歩と天気と小さな機械について、四人家族が綴ります。',
    posts: [
      'アルマの橋、百年の歳月を経て今なお人々を渡し続ける',
      'すべての泉を地図にする',
      '静かな冬',
      '蜜蜂の二年目',
      '水車小屋の教え',
    ],
    excerpt: '夜のあいだに川の水かさが増し、古い水車小屋に着いたころには下の道は消えていた。',
    menu: ['日記', '散歩', 'このサイトについて', '連絡先', 'その他'],
    below: ['店', '保存庫', '手紙', '奥付'],
  },
} as const
export type MadeLanguage = keyof typeof words

const ada: ThemeAuthor = {
  name: 'Ada Marlowe',
  url: '/author/ada',
  bio: 'Ada keeps the weather station and the bees, and writes about both.',
  image: picture(320, 320, 20),
}

function item(
  label: string,
  url: string,
  items: readonly ThemeMenuItem[] = [],
  current = false,
  inside = current,
): ThemeMenuItem {
  return { label, url, current, inside, new_tab: false, items }
}

let body = ''

/** All examples of the document on Markdown as one text. */
async function bodyOfEverything(): Promise<string> {
  const [markdown, sanitize] = [await createMarkdown(), await createSanitizer()]
  const examples = readFileSync(join(root, 'src', 'docs', 'markdown.md'), 'utf8').matchAll(/^````markdown\n([^]*?)^````$/gm)
  const source = [...examples].map(([, example]) => example).join('\n\n')
  return expandEmbeds(sanitize(markdown.render(source).html).html, 'en')
}

/** What differs between the sites that are made. */
export interface Made {
  readonly language: MadeLanguage
  /** Lists are empty, and nothing has an image, a caption, an author or terms. */
  readonly bare?: boolean
  /** Entries have one paragraph in place of everything that Markdown can make. */
  readonly brief?: boolean
  readonly settings?: Readonly<Record<string, unknown>>
}

/** Every kind of page of a theme, and the forms of it that differ much. */
export async function madePages(theme: string, made: Made): Promise<readonly MadePage[]> {
  body ||= await bodyOfEverything()
  const pages = pageKinds.map((kind) => briefly(made, { name: kind, data: dataOf(theme, kind, made) }))
  const [home, , article, , archive, search, error] = pages
  if (home === undefined || article === undefined || archive === undefined || search === undefined || error === undefined)
    return pages
  return [
    ...pages,
    varied(home, 'home-entry', { entry: article.data.page.entry, paging: null }),
    varied(archive, 'archive-author', { title: ada.name, author: ada, term: null }),
    varied(search, 'search-nothing', { results: [], paging: null }),
    varied(search, 'search-empty', { results: [], query: null, did_you_mean: null }),
    varied(error, 'error-503', { status: 503, suggestions: [] }),
  ]
}

/** The page with one paragraph as its text, where that is asked for. */
function briefly({ brief }: Made, page: MadePage): MadePage {
  const { entry } = page.data.page
  return brief !== true || entry === null
    ? page
    : varied(page, page.name, {
        entry: { ...entry, content: { markup: '<p id="h-opening-hours">One paragraph.</p>' }, sections: false },
      })
}

const varied = ({ data }: MadePage, name: string, page: Partial<ThemePage>): MadePage => ({
  name,
  data: { ...data, page: { ...data.page, ...page } },
})

function dataOf(theme: string, kind: ThemePageKind, { language, bare = false, settings }: Made): ThemeData {
  const said = words[language]
  const entries = bare ? [] : said.posts.map((title, index) => summary(title, said.excerpt, index))
  return {
    site: {
      title: said.title,
      tagline: bare ? '' : said.tagline,
      url: 'https://example.org',
      home: '/',
      language,
      direction: language === 'ar' ? 'rtl' : 'ltr',
      time_zone: 'Europe/Berlin',
      logo_dark: null,
      logo: bare ? null : { ...picture(96, 96, 150), alt: '' },
      search: '/search',
      posts: '/posts',
      feed: '/feed.xml',
      address: bare ? '' : 'The Old Mill\nMill Lane 4\n12345 Alma',
      social: bare
        ? []
        : ['https://mastodon.social/@mill', 'https://www.instagram.com/mill', 'https://friends.example/mill'].map(socialLink),
      year: 2026,
    },
    settings: { ...defaultsOf(theme), ...settings },
    menus: menusOf(said, bare),
    request: { path: '/', preview: kind === 'page' && !bare },
    page: pageOf(kind, said, entries, language, bare),
  }
}

function menusOf(
  { menu, below }: (typeof words)[MadeLanguage],
  bare: boolean,
): Readonly<Record<string, readonly ThemeMenuItem[]>> {
  if (bare) return { main: [], tree: [], footer: [], links: [], editions: [] }
  const [first, second, third, fourth, more] = menu
  const deep = below.map((label, index) => item(label, `/more-${index}`))
  const main = [
    item(first, '/posts', [], true),
    item(second, '/walks', [item(below[1], '/walks/long', deep), item(below[2], '/walks/here', [], false, true)], false, true),
    item(third, '/about'),
    item(fourth, '/contact'),
    item(more, '', deep),
  ]
  const tree = [item(second, '/walks', main[1]?.items ?? [], false, true), item(third, '/about')]
  const editions = [item('2.0', '/walks', [], false, true), item('1.4', '/v1')]
  const footer = below.map((label, index) => item(label, `/foot-${index}`))
  return { main, tree, footer, links: [item(below[0], '/shop')], editions }
}

function summary(title: string, excerpt: string, index: number): ThemeSummary {
  return {
    type: 'post',
    title,
    url: `/posts/${index}`,
    excerpt,
    date: `2026-1${index % 2}-1${index}T09:30:00.000Z`,
    updated: '2026-11-20T09:30:00.000Z',
    dated: true,
    image: index % 2 === 0 ? picture(1280, 853, 40 + index * 50) : null,
    author: ada,
    terms: [
      { taxonomy: 'category', slug: 'walks', title: 'Walks', url: '/category/walks', text: null },
      { taxonomy: 'tag', slug: 'rivers', title: 'Rivers and springs', url: '/tag/rivers', text: null },
    ],
    fields: {},
    shown: null,
    words: 1200,
  }
}

/** A field of every kind. */
const details: ThemeEntry['details'] = [
  { name: 'place', label: 'Place', kind: 'text', values: ['The mill\nat the <ford>'] },
  { name: 'day', label: 'Day', kind: 'date', values: ['2026-12-05'] },
  { name: 'starts', label: 'Starts', kind: 'datetime', values: ['2026-12-05T17:30:00.000Z'] },
  { name: 'free', label: 'Free of charge', kind: 'boolean', values: [true] },
  { name: 'seats', label: 'Seats', kind: 'number', values: [0] },
  { name: 'languages', label: 'Spoken', kind: 'choice', values: ['English', 'German'] },
  { name: 'tickets', label: 'Tickets', kind: 'url', values: ['https://example.com/tickets?for=all&of=us'] },
  { name: 'ask', label: 'Questions', kind: 'email', values: ['mill@example.org'] },
  { name: 'map', label: 'Map', kind: 'media', values: [picture(640, 400, 90)] },
  { name: 'near', label: 'Near', kind: 'entry', values: [{ title: 'The ridge', url: '/ridge' }] },
  { name: 'topic', label: 'Topic', kind: 'term', values: [{ title: 'Walks', url: '/category/walks' }] },
  { name: 'notes', label: 'Notes', kind: 'markdown', values: [{ markup: '<p>Bring <strong>boots</strong>.</p>' }] },
  {
    name: 'talks',
    label: 'Talks',
    kind: 'group',
    values: [
      [
        { name: 'speaker', label: 'Speaker', kind: 'text', values: ['Ada'] },
        { name: 'at', label: 'At', kind: 'date', values: ['2026-12-06'] },
      ],
      [{ name: 'speaker', label: 'Speaker', kind: 'text', values: ['Ben'] }],
    ],
  },
]

function entryOf(
  kind: ThemePageKind,
  said: (typeof words)[MadeLanguage],
  bare: boolean,
  related: readonly ThemeSummary[],
): ThemeEntry {
  const base = summary(said.posts[0], said.excerpt, 0)
  const toc = [...body.matchAll(/<h([2-4]) id="([^"]*)"[^>]*><a [^>]*>([^<]*)/g)].map(([, level = '', id = '', title = '']) => ({
    id,
    title,
    level: Number(level),
  }))
  const contents = [
    ...toc,
    { id: 'h-opening-hours', title: 'A heading below it', level: 3 },
    { id: 'h-opening-hours', title: said.posts[1], level: 2 },
  ]
  const dated = kind === 'article'
  const full = {
    ...base,
    dated,
    details,
    content: { markup: body },
    opening: false,
    sections: body.includes('<section class="section '),
    toc: contents,
    comments: null,
    preview: false,
    type: dated ? 'post' : 'page',
  }
  const around = { previous: { title: said.posts[1], url: '/posts/1' }, next: { title: said.posts[2], url: '/posts/2' } }
  const children = [
    { title: said.below[0], url: '/a/b' },
    { title: said.below[1], url: '/a/c' },
  ]
  if (bare) {
    const nothing = {
      image: null,
      author: null,
      terms: [],
      date: null,
      words: 0,
      toc: [],
      details: [],
      excerpt: '',
      content: { markup: '' },
    }
    return { ...full, ...nothing, previous: null, next: null, related: [], children: [] }
  }
  const image = picture(1920, 1080, 150, 'The ridge in October, seen from the mill.')
  return { ...full, ...(dated ? around : { previous: null, next: null }), related, children, image }
}

function pageOf(
  kind: ThemePageKind,
  said: (typeof words)[MadeLanguage],
  entries: readonly ThemeSummary[],
  language: string,
  bare: boolean,
): ThemePage {
  const titles: Partial<Record<ThemePageKind, string>> = {
    home: said.title,
    list: said.menu[0],
    archive: 'Walks',
    search: 'Search',
    error: 'There is no such page',
  }
  const withEntry = kind === 'page' || kind === 'article'
  const withEntries = kind === 'home' || kind === 'list' || kind === 'archive'
  return {
    kind,
    title: titles[kind] ?? said.posts[0],
    search_title: null,
    url: 'https://example.org/here',
    description: kind === 'list' && !bare ? said.tagline : null,
    head: { markup: '<meta name="generator" content="Postern">' },
    crumbs:
      kind === 'home' || bare
        ? []
        : [
            { title: said.title, url: '/' },
            { title: said.menu[1], url: '/walks' },
          ],
    language,
    translations: bare
      ? []
      : [
          { language: 'en', name: 'English', url: '/here', current: language === 'en' },
          { language: 'de', name: 'Deutsch', url: '/de/here', current: language === 'de' },
          { language: 'ja', name: '日本語', url: '/ja/here', current: language === 'ja' },
          { language: 'ar', name: 'العربية', url: '/ar/here', current: language === 'ar' },
        ],
    entry: withEntry ? entryOf(kind, said, bare, entries.slice(1, 4)) : null,
    entries: withEntries ? entries : [],
    paging: withEntries && !bare ? { page: 2, pages: kind === 'home' ? null : 7, newer: '/posts', older: '/posts/page/3' } : null,
    term:
      kind === 'archive'
        ? { taxonomy: 'category', slug: 'walks', title: 'Walks', url: '/category/walks', text: bare ? null : said.excerpt }
        : null,
    author: null,
    period: null,
    query: kind === 'search' ? 'bridge "over" <water>' : null,
    results:
      kind === 'search'
        ? entries.map(({ title, url }) => ({
            title,
            url,
            snippet: { markup: 'Some words around a <mark>bridge</mark> that was found, and some more of them behind it.' },
          }))
        : [],
    did_you_mean: kind === 'search' && !bare ? { title: 'bridges', url: '/search?q=bridges' } : null,
    status: kind === 'error' ? 404 : null,
    message: kind === 'error' && !bare ? 'Nothing was found at /old-pages/the-one-that-moved.' : null,
    suggestions: kind === 'error' ? entries.slice(0, 3) : [],
  }
}
