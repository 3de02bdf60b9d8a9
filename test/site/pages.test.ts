// The public pages: whatever a site or an entry is called, it is text on the page and nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codePoint, fc } from '../properties.ts'
import { parse, type DefaultTreeAdapterMap } from 'parse5'
import { builtInTypes } from '../../src/content/entry-types.ts'
import { entryPage, type EntryPage } from '../../src/site/entry-page.ts'
import { homePage } from '../../src/site/home-page.ts'
import { html, jsonLd, raw } from '../../src/doors/html.ts'
import { page } from '../../src/site/layout.ts'
import { messagePage, notFoundPage } from '../../src/site/message-page.ts'
import { stylesheet, stylesheetPath } from '../../src/site/style.ts'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

const site = { name: 'Notes', tagline: 'On boats', language: 'en', url: 'https://a.example/blog' }
const entry = {
  type: builtInTypes.of('post'),
  title: 'Title',
  html: '<p>Body</p>\n',
  canonical: 'https://a.example/blog/title',
}

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

test('a page has its language, title, one address, style sheet and one first heading', () => {
  const document = entryPage({ site, entry })
  assert.match(document, /^<!doctype html>/)
  assert.equal(attributeOf(one(document, 'html'), 'lang'), 'en')
  assert.equal(textOf(one(document, 'title')), 'Title – Notes')
  const links = elementsOf(document).filter(({ tagName }) => tagName === 'link')
  assert.deepEqual(
    links.map((link) => [attributeOf(link, 'rel'), attributeOf(link, 'href')]),
    [
      ['canonical', 'https://a.example/blog/title'],
      ['stylesheet', `/blog${stylesheetPath}`],
    ],
  )
  for (const each of [document, homePage({ site, canonical: site.url, posts: [] }), notFoundPage(site, '/x')]) {
    assert.equal(elementsOf(each).filter(({ tagName }) => tagName === 'h1').length, 1)
    assert.equal(elementsOf(each).filter(({ tagName }) => tagName === 'main').length, 1)
  }
})

test('languages written from right to left say so', () => {
  for (const [language, dir] of [
    ['ar', 'rtl'],
    ['he-IL', 'rtl'],
    ['de', undefined],
    ['arn', undefined],
  ] as const) {
    const document = entryPage({ site: { ...site, language }, entry })
    assert.equal(attributeOf(one(document, 'html'), 'dir'), dir)
  }
})

test('pages carry no script that runs, no styles and no handlers, as the CSP wants', () => {
  const documents = [
    entryPage({
      site,
      entry,
      menu: [{ label: 'M', href: '/m', current: true }],
    }),
    homePage({
      site,
      canonical: site.url,
      posts: [{ title: 'T', href: '/t', excerpt: 'E' }],
      older: '/2',
    }),
    messagePage({ site, title: 'Back soon', message: 'Soon.', linkHome: false }),
  ]
  for (const element of documents.flatMap(elementsOf)) {
    if (element.tagName === 'script') assert.equal(attributeOf(element, 'type'), 'application/ld+json')
    assert.notEqual(element.tagName, 'style')
    for (const { name } of element.attrs) assert.doesNotMatch(name, /^on|^style$/)
  }
  assert.doesNotMatch(stylesheet, /@import|url\(/)
})

test('an entry that asks not to be indexed, and a message, say so and name no address', () => {
  for (const document of [entryPage({ site, entry: { ...entry, noindex: true } }), notFoundPage(site, '/x')]) {
    assert.match(document, /<meta name="robots" content="noindex"/)
    assert.doesNotMatch(document, /rel="canonical"/)
  }
})

test('attack 94: a menu item with a javascript: or protocol-relative address has no address', () => {
  for (const href of ['javascript:alert(1)', 'java\tscript:alert(1)', '//evil.example', 'data:text/html,x']) {
    const bad = { label: 'bad', href }
    const document = entryPage({
      site,
      menu: [bad],
      entry,
    })
    const named = elementsOf(document).filter((element) => textOf(element).trim().endsWith('bad') && element.tagName === 'a')
    assert.equal(named.length, 1)
    for (const element of named) assert.equal(attributeOf(element, 'href'), undefined)
  }
})

test('attack 96: no text can end the JSON-LD block, and it reads back as it was', () => {
  const title = '</script><script>alert(1)</script><!--\u2028'
  const block = elementsOf(entryPage({ site, entry: { ...entry, title } })).filter(({ tagName }) => tagName === 'script')
  assert.equal(block.length, 1)
  assert.equal((JSON.parse(textOf(block[0])) as { headline: string }).headline, title)
  assert.doesNotMatch(jsonLd({ a: title }).toString().slice(1, -9), /<\/|<!--/)
})

test('attack 97: the 404 page shows the path it was asked as text, and not endlessly', () => {
  const path = '/<img src=x onerror=alert(1)>"\'&'
  const document = notFoundPage(site, path)
  assert.equal(one(document, 'img'), undefined)
  assert.equal(textOf(one(document, 'code')), path)
  assert.ok(notFoundPage(site, `/${'x'.repeat(100_000)}`).length < 4_000)
})

test('attack 96: whatever a site, an entry and its parts are called, the page has the same elements', () => {
  const view = (words: string): EntryPage => ({
    site: { name: words, tagline: words, language: words, url: 'https://a.example' },
    menu: [{ label: words, href: '/a' }],
    entry: {
      type: builtInTypes.of('post'),
      title: words,
      html: '<p>a</p>',
      canonical: 'https://a.example/t',
      description: words,
      author: words,
      published: { iso: words, label: words },
    },
  })
  const shape = (document: string) =>
    elementsOf(document).map(({ tagName, attrs }) => [tagName, attrs.map(({ name }) => name).filter((name) => name !== 'dir')])
  const expected = shape(entryPage(view('words')))
  const hostile = fc
    .array(
      fc.oneof(
        fc.string({ unit: codePoint, minLength: 1 }),
        fc.constantFrom('<', '"', "'", '</script>', '-->', '</title>', '<p onx=1>', '&', '`'),
      ),
      { minLength: 1 },
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(hostile, (words) => assert.deepEqual(shape(entryPage(view(words))), expected)),
    { numRuns: 300 },
  )
})

test('the home page names the site once, and lists posts or says that there are none', () => {
  assert.match(homePage({ site, canonical: site.url, posts: [] }), /Nothing has been published yet/)
  const listed = homePage({ site, canonical: site.url, posts: [{ title: 'T', href: '/t', excerpt: 'E' }] })
  assert.doesNotMatch(listed, /Nothing has been published yet/)
  assert.equal(textOf(one(listed, 'h2')), 'T')
  assert.equal(textOf(one(listed, 'title')), 'Notes – On boats')
})

test('the style sheet is named after its content', () => {
  assert.match(stylesheetPath, /^\/assets\/site-[0-9a-f]{12}\.css$/)
  assert.match(page({ site, title: 'T', kind: 'message', body: html`` }), new RegExp(stylesheetPath))
})

test('each type of entry has its dates and its class in schema.org by the table of types', () => {
  const published = { iso: '2026-11-21', label: '21 November 2026' }
  for (const type of builtInTypes.all) {
    const document = entryPage({ site, entry: { ...entry, type, published, author: 'Ann' } })
    assert.equal(document.includes('class="byline"'), type.dated)
    const block = JSON.parse(textOf(one(document, 'script'))) as Record<string, unknown>
    assert.equal(block['@type'], type.schemaOrg.type)
    assert.equal(block[type.schemaOrg.title], 'Title')
  }
})
