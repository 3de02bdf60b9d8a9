// The public pages: whatever a site or an entry is called, it is text on the page and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codePoint, fc } from '../properties.ts'
import { parse, type DefaultTreeAdapterMap } from 'parse5'
import { html, jsonLd, raw } from '../../src/doors/shared/html.ts'
import { headOf } from '../../src/site/pages/page-data/head.ts'
import { messagePage, notFoundPage } from '../../src/site/pages/message-page.ts'
import { pageOf } from '../../src/site/pages/page-data/page.ts'
import type { ThemeData, ThemePage } from '../../src/themes/contract.ts'
import { createEngine } from '../../src/themes/engine/engine.ts'
import { shippedThemes } from '../../src/themes/shipped.ts'
import { makeTheme, templateOf } from '../../src/themes/theme.ts'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

const site = { name: 'Notes', language: 'en', url: 'https://a.example/blog' }

const themes = [...shippedThemes()].map(([slug, files]) =>
  makeTheme({ slug, shipped: true, active: true, limited: new Set<string>(), own: files, chosen: {} }),
)
const engines = new Map(themes.map((theme) => [theme, createEngine(theme.source)]))

/** A page of a site of this name and language, in a shipped theme. */
function documentOf(theme: (typeof themes)[number], page: ThemePage, words = 'Notes', direction: 'ltr' | 'rtl' = 'ltr'): string {
  const data: ThemeData = {
    site: {
      title: words,
      tagline: words,
      url: site.url,
      home: '/blog/',
      language: 'en',
      direction,
      time_zone: 'UTC',
      logo: null,
      logo_dark: null,
      search: `${site.url}/search`,
      posts: `${site.url}/posts`,
      feed: `${site.url}/feed.xml`,
      address: '',
      social: [],
      year: 2026,
    },
    settings: theme.settings,
    menus: {
      main: [{ label: words, url: '/a', current: false, inside: false, new_tab: false, items: [] }],
      tree: [],
      links: [],
      footer: [],
    },
    request: { path: '/t', preview: false },
    page,
  }
  const result = engines.get(theme)?.render({ template: templateOf(theme, page.kind) ?? '', data })
  assert.ok(result && 'html' in result, JSON.stringify(result))
  return result.html
}

const summary = (words: string) => ({
  type: 'post',
  title: words,
  url: 'https://a.example/blog/title',
  excerpt: words,
  date: '2026-11-21T09:00:00.000Z',
  updated: '2026-11-21T09:00:00.000Z',
  dated: true,
  image: null,
  author: { name: words, url: null, bio: null, image: null },
  terms: [],
  fields: {},
  shown: null,
  words: 3,
})

const article = (words = 'Title') =>
  pageOf('article', {
    title: words,
    url: 'https://a.example/blog/title',
    description: words,
    language: 'en',
    head: headOf({
      title: words,
      siteTitle: 'Notes',
      description: words,
      canonical: 'https://a.example/blog/title',
      kind: 'article',
      structured: { '@type': 'BlogPosting', headline: words },
    }),
    entry: {
      ...summary(words),
      content: { markup: '<p>Body</p>' },
      comments: null,
      opening: false,
      sections: false,
      details: [],
      toc: [],
      previous: null,
      next: null,
      related: [],
      children: [],
      preview: false,
    },
  })

const home = (words = 'Notes') =>
  pageOf('home', {
    title: words,
    url: site.url,
    description: words,
    language: 'en',
    head: headOf({ title: words, siteTitle: words, description: words, canonical: site.url, kind: 'website' }),
    entries: [summary(words)],
  })

function elementsOf(document: string): readonly Element[] {
  const found: Element[] = []
  const visit = (node: Node): void => {
    if ('tagName' in node) found.push(node)
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(document))
  return found
}

const one = (document: string, tag: string) => elementsOf(document).find(({ tagName }) => tagName === tag)
const attributeOf = (element: Element | undefined, name: string) => element?.attrs.find((attr) => attr.name === name)?.value
const textOf = (node: Node | undefined): string =>
  node === undefined ? '' : 'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''

test('a template escapes what it holds, joins lists, and leaves out what is absent', () => {
  const words = '<b a="1" c=\'2\'>&'
  const escaped = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;'
  // By another name, since the formatter lays out what stands in `html` templates.
  const markup = html
  const made = markup`<p title="${words}">${words}${undefined}${null}${false}${0}${['<', markup`<i>${'>'}</i>`]}${raw('<hr>')}</p>`
  assert.equal(made.toString(), `<p title="${escaped}">${escaped}0&lt;<i>&gt;</i><hr></p>`)
})

const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: codePoint, minLength: 1 }),
      fc.constantFrom('<', '"', "'", '</script>', '-->', '</title>', '<p onx=1>', '&', '`', '{{ page }}', 'javascript:'),
    ),
    { minLength: 1 },
  )
  .map((parts) => parts.join(''))

for (const theme of themes) {
  test(`a page of the theme ${theme.slug} has its language, title, one address, style sheet and one first heading`, () => {
    const document = documentOf(theme, article())
    assert.match(document, /^<!doctype html>/)
    assert.equal(attributeOf(one(document, 'html'), 'lang'), 'en')
    assert.match(textOf(one(document, 'title')), /Title/)
    const links = elementsOf(document).filter(({ tagName }) => tagName === 'link')
    const hrefs = (rel: string) =>
      links.filter((link) => attributeOf(link, 'rel') === rel).map((link) => attributeOf(link, 'href'))
    assert.deepEqual(hrefs('canonical'), ['https://a.example/blog/title'])
    assert.deepEqual(hrefs('stylesheet'), [`${site.url}${theme.assetFolder}/style.css`])
    for (const each of [document, documentOf(theme, home())]) {
      assert.equal(elementsOf(each).filter(({ tagName }) => tagName === 'h1').length, 1)
      assert.equal(elementsOf(each).filter(({ tagName }) => tagName === 'main').length, 1)
    }
  })

  test(`pages of the theme ${theme.slug} carry no script that runs but a file of the theme, and no handlers, as the CSP wants`, () => {
    for (const element of [article(), home()].flatMap((page) => elementsOf(documentOf(theme, page)))) {
      if (element.tagName === 'script' && attributeOf(element, 'type') !== 'application/ld+json') {
        assert.equal(attributeOf(element, 'src'), `${site.url}${theme.assetFolder}/copy.js`)
        assert.deepEqual([theme.slug, textOf(element)], ['documentation', ''])
      }
      for (const { name } of element.attrs) assert.doesNotMatch(name, /^on/)
    }
  })

  test(`attack 96: whatever a site, an entry and its parts are called, a page of the theme ${theme.slug} has the same elements`, () => {
    const shape = (document: string) => elementsOf(document).map(({ tagName, attrs }) => [tagName, attrs.map(({ name }) => name)])
    for (const make of [article, home]) {
      const expected = shape(documentOf(theme, make('words'), 'words'))
      fc.assert(
        fc.property(hostile, (words) => assert.deepEqual(shape(documentOf(theme, make(words), words)), expected)),
        { numRuns: 60 },
      )
    }
  })

  test(`in the theme ${theme.slug}, languages written from right to left say so`, () => {
    assert.equal(attributeOf(one(documentOf(theme, article(), 'Notes', 'rtl'), 'html'), 'dir'), 'rtl')
  })
}

test('attack 96: no text can end the JSON-LD block, and it reads back as it was', () => {
  const title = '</script><script>alert(1)</script><!--\u2028'
  const [theme] = themes
  assert.ok(theme)
  const block = elementsOf(documentOf(theme, article(title))).filter(({ tagName }) => tagName === 'script')
  assert.equal(block.length, 1)
  assert.equal((JSON.parse(textOf(block[0])) as { headline: string }).headline, title)
  assert.doesNotMatch(jsonLd({ a: title }).toString().slice(1, -9), /<\/|<!--/)
})

test('a message says that it is not to be indexed, and names no address', () => {
  for (const document of [
    messagePage({ site, title: 'Back soon', message: 'Soon.', linkHome: false }),
    notFoundPage(site, '/x'),
  ]) {
    assert.match(document, /<meta name="robots" content="noindex"/)
    assert.doesNotMatch(document, /rel="canonical"/)
    assert.equal(elementsOf(document).filter(({ tagName }) => tagName === 'script').length, 0)
  }
})

test('attack 97: the 404 page shows the path it was asked as text, and not endlessly', () => {
  const path = '/<img src=x onerror=alert(1)>"\'&'
  const document = notFoundPage(site, path)
  assert.equal(one(document, 'img'), undefined)
  assert.equal(textOf(one(document, 'code')), path)
  assert.ok(notFoundPage(site, `/${'x'.repeat(100_000)}`).length < 4_000)
})
