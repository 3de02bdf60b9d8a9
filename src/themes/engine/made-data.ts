// Sample pages for checks of themes: every kind of page, once with every member of the contract and once with as few as possible. A
// template that fails with one of them would fail for a visitor some day.

import { builtInTypes } from '../../content/types/entry-types.ts'
import type { ThemeComment, ThemeData, ThemeEntry, ThemeImage, ThemePage, ThemePageKind, ThemeSummary } from '../contract.ts'
import { pageKinds } from '../contract.ts'
import { socialLink } from '../networks.ts'

const at = '2026-11-21T09:00:00.000Z'
const url = 'https://example.org'

const image: ThemeImage = {
  url: `${url}/user-content/uploads/boat.jpg`,
  alt: 'A boat',
  caption: 'On the lake',
  width: 1280,
  height: 853,
  variants: [320, 640, 1280].map((width) => ({ url: `${url}/boat-${width}.webp`, width, type: 'image/webp' })),
  placeholder: 'data:image/webp;base64,UklGRg==',
  focus: { x: 0.5, y: 0.4 },
}
const social = ['https://mastodon.social/@ann', 'https://boats.example'].map(socialLink)
const link = { title: 'Another page', url: `${url}/another` }
const author = { name: 'Ann Lee', url: `${url}/author/ann`, bio: 'Writes about boats.', image }
const term = { taxonomy: 'category', slug: 'news', title: 'News', url: `${url}/category/news`, text: 'What is new.' }

const fullSummary: ThemeSummary = {
  type: builtInTypes.all.find(({ dated }) => dated)?.slug ?? '',
  title: 'A day on the lake <&">',
  url: `${url}/lake`,
  excerpt: 'We went out early.',
  date: at,
  updated: at,
  dated: true,
  image,
  author,
  terms: [term],
  fields: {},
  shown: null,
  words: 640,
}
const bareSummary: ThemeSummary = {
  ...fullSummary,
  excerpt: '',
  date: null,
  dated: false,
  image: null,
  author: null,
  terms: [],
  words: 0,
}

const details: ThemeEntry['details'] = [
  { name: 'place', label: 'Place', kind: 'text', values: ['The harbour'] },
  { name: 'starts', label: 'Starts', kind: 'datetime', values: [at] },
  { name: 'free', label: 'Free', kind: 'boolean', values: [false] },
  { name: 'map', label: 'Map', kind: 'media', values: [image] },
  { name: 'near', label: 'Near', kind: 'entry', values: [link, link] },
  { name: 'notes', label: 'Notes', kind: 'markdown', values: [{ markup: '<p>Bring a coat.</p>' }] },
  {
    name: 'boat',
    label: 'Boat',
    kind: 'group',
    values: [[{ name: 'seats', label: 'Seats', kind: 'number', values: [4] }]],
  },
]

const comment: ThemeComment = {
  id: '01k8zq4v6m3t5c9e2n7r1x0bcm',
  name: 'Ben <&">',
  url: `${url}/ben`,
  date: at,
  own: false,
  content: { markup: '<p>We were there, too.</p>' },
  answers: [],
}

const comments: ThemeEntry['comments'] = {
  count: 2,
  items: [{ ...comment, answers: [{ ...comment, id: '01k8zq4v6m3t5c9e2n7r1x0bcn', url: null, own: true }] }],
  form: {
    action: '/lake',
    confirms: true,
    sent: true,
    max_name: 80,
    max_text: 5000,
    reply_to: '',
    typed: { name: 'Ben', email: 'ben', text: 'Where is this?' },
    faults: { name: 'Too long.', email: 'No address.', text: 'Too long.', form: 'Too many.' },
  },
}

const entryOf = (summary: ThemeSummary, full: boolean): ThemeEntry => ({
  ...summary,
  details: full ? details : [],
  content: { markup: full ? '<h2 id="h-morning">Morning</h2><p>We went out early.</p>' : '' },
  opening: false,
  sections: full,
  toc: full
    ? [
        { id: 'h-morning', title: 'Morning', level: 2 },
        { id: 'h-noon', title: 'Noon', level: 3 },
      ]
    : [],
  previous: full ? link : null,
  next: full ? link : null,
  related: full ? [summary] : [],
  children: full ? [link] : [],
  comments: full ? comments : null,
  preview: full,
})

function pageOf(kind: ThemePageKind, full: boolean): ThemePage {
  const summary = full ? fullSummary : bareSummary
  const hasEntry = kind === 'page' || kind === 'article' || (kind === 'home' && full)
  const lists = kind === 'home' || kind === 'list' || kind === 'archive' || kind === 'search'
  return {
    kind,
    title: 'A page',
    url: full ? `${url}/page` : null,
    description: full ? 'What the page is about.' : null,
    head: { markup: '<meta name="robots" content="noindex">' },
    crumbs: full && kind !== 'home' ? [{ title: 'Home', url: `${url}/` }, link] : [],
    language: 'en',
    translations: full
      ? [
          { language: 'en', name: 'English', url: `${url}/page`, current: true },
          { language: 'de', name: 'Deutsch', url: `${url}/de/seite`, current: false },
        ]
      : [],
    search_title: hasEntry && full ? 'A title for search' : null,
    entry: hasEntry ? entryOf(summary, full) : null,
    entries: lists && full ? [fullSummary, bareSummary] : [],
    paging: lists && full ? { page: 2, pages: 3, newer: `${url}/`, older: `${url}/page/3` } : null,
    term: kind === 'archive' && full ? term : null,
    author: null,
    period: kind === 'archive' && !full ? { text: 'November 2026', from: at } : null,
    query: kind === 'search' ? (full ? 'boats' : '') : null,
    results:
      kind === 'search' && full ? [{ title: 'A day', url: `${url}/lake`, snippet: { markup: 'a <mark>boat</mark>' } }] : [],
    did_you_mean: kind === 'search' && full ? { title: 'boats', url: `${url}/search?q=boats` } : null,
    status: kind === 'error' ? 404 : null,
    message: kind === 'error' ? 'Nothing was found here.' : null,
    suggestions: kind === 'error' && full ? [link] : [],
  }
}

/** The pages of all kinds. `base` has the members that do not depend on the page: the site, its settings and menus. */
export function madePages(base: ThemeData): readonly ThemeData[] {
  const item = { label: 'About', url: `${url}/about`, current: true, inside: true, new_tab: true, items: [] }
  const locations = Object.keys(base.menus)
  const menus = {
    full: Object.fromEntries(
      locations.map((location) => [location, [item, { ...item, current: false, url: '', items: [{ ...item, items: [item] }] }]]),
    ),
    bare: Object.fromEntries(locations.map((location) => [location, []])),
  }
  return pageKinds.flatMap((kind) =>
    [true, false].map((full) => ({
      ...base,
      site: full
        ? { ...base.site, logo: image, logo_dark: image, address: 'Harbour 4\nAlma', social }
        : { ...base.site, tagline: '' },
      menus: full ? menus.full : menus.bare,
      request: { path: '/page', preview: full },
      page: pageOf(kind, full),
    })),
  )
}
