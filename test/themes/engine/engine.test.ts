// The engine of themes: what templates may do, and hostile ones in the thread with its real limits.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '../../../src/base/log.ts'
import { pageKinds, type ThemeData } from '../../../src/themes/contract.ts'
import { madePages } from '../../../src/themes/engine/made-data.ts'
import { shippedMessages, shippedThemes } from '../../../src/themes/shipped.ts'
import { makeTheme, templateOf } from '../../../src/themes/theme.ts'
import type { ThemeProblem } from '../../../src/themes/engine/theme-jobs.ts'
import { createThemeRenderer } from '../../../src/themes/engine/theme-renderer.ts'

const log = createLog('error', () => undefined)
const renderer = createThemeRenderer({ log })
after(() => renderer.close())

const base: ThemeData = {
  site: {
    title: 'Notes <&">',
    tagline: '',
    url: 'https://a.example/blog',
    home: '/blog/',
    language: 'en',
    direction: 'ltr',
    time_zone: 'Europe/Berlin',
    logo: null,
    logo_dark: null,
    search: '',
    posts: '',
    feed: '',
    address: '',
    social: [],
    year: 2026,
  },
  settings: {},
  menus: { main: [], footer: [], links: [], tree: [] },
  request: { path: '/', preview: false },
  page: undefined as never,
}
const pages = madePages(base)
const [, , page = pages[0]] = pages
assert.ok(page)
const data: ThemeData = page

let version = 0
async function render(templates: Readonly<Record<string, string>> | string, given: ThemeData = data, own = renderer) {
  const files = typeof templates === 'string' ? { 'page.liquid': templates } : templates
  const source = {
    version: `test ${++version}`,
    templates: files,
    limited: [],
    assets: { 'style.css': '/assets/x/style.css' },
    messages: [shippedMessages()],
  }
  return own.render(source, 'page', given)
}
async function html(templates: Readonly<Record<string, string>> | string, given?: ThemeData): Promise<string> {
  const result = await render(templates, given)
  assert.ok('html' in result, JSON.stringify(result))
  return result.html
}
async function problem(templates: Readonly<Record<string, string>> | string): Promise<ThemeProblem> {
  const result = await render(templates)
  assert.ok('problems' in result, JSON.stringify(result).slice(0, 300))
  const [first] = result.problems
  assert.ok(first)
  return first
}

test('every value is escaped once, and what Postern made as markup is not', async () => {
  assert.equal(await html('{{ site.title }}'), 'Notes &lt;&amp;&quot;&gt;')
  assert.equal(await html('{{ page.entry.content }}'), '<h2 id="h-morning">Morning</h2><p>We went out early.</p>')
  assert.equal(await html('{% capture x %}<b>{{ site.title }}</b>{% endcapture %}{{ x }}'), '<b>Notes &lt;&amp;&quot;&gt;</b>')
  assert.equal(await html("{{ site.title | escape }}{{ '<i>' | append: '<b>' }}"), 'Notes &lt;&amp;&quot;&gt;&lt;i&gt;&lt;b&gt;')
  // ThemeMarkup that a filter has worked on is text again.
  assert.match(await html("{{ page.entry.content | append: 'x' }}"), /^&lt;h2/)
  assert.equal(
    await html("{% assign x = '<b>' %}{% echo x %}{% cycle x %}{% if page.entry.content == blank %}blank{% endif %}"),
    '&lt;b&gt;&lt;b&gt;',
  )
})

test('layouts and blocks, with the words of the layout', async () => {
  const files = {
    'layout.liquid': '<{% block main %}base{% endblock %}>',
    'page.liquid': "{% layout 'layout' %}{% block main %}{{ block.super }}+{{ page.title }}{% endblock %}",
  }
  assert.equal(await html(files), '<base+A page>')
})

test('the filters of the contract', async () => {
  for (const [template, expected] of [
    ["{{ '2026-11-21T23:30:00Z' | date: 'long' }}", 'November 22, 2026'],
    ["{{ '2026-11-21T23:30:00Z' | date: 'month' }}", 'November 2026'],
    ["{{ '2026-11-21T23:30:00Z' | date_iso }}{{ null | date }}", '2026-11-21T23:30:00.000Z'],
    ["{{ '/about' | url }} {{ 'style.css' | asset }}", 'https://a.example/blog/about https://a.example/blog/assets/x/style.css'],
    ["{{ 'reading_time' | t: count: 3 }}", '3 minute read'],
    ['{{ 660 | reading_time }}', '3'],
    ["{{ 'A long sentence to cut' | truncate: 12 }}", 'A long…'],
    ['{{ page.entry.content | strip_html }}', 'MorningWe went out early.'],
    ['{{ page.entry.image | image_url: 500 }}', 'https://example.org/boat-640.webp'],
    [
      '{{ page.entry.image | srcset }}',
      'https://example.org/boat-320.webp 320w, https://example.org/boat-640.webp 640w, https://example.org/boat-1280.webp 1280w',
    ],
  ] as const)
    assert.equal(await html(template), expected, template)
  const picture = await html("{{ page.entry.image | picture: sizes: '50vw', class: 'a\"b' }}")
  assert.match(picture, /^<picture><source type="image\/webp" srcset="[^"]+" sizes="50vw"><img class="a&quot;b" src=/)
  assert.match(picture, /width="1280" height="853" alt="A boat" loading="lazy"/)
})

test('attack 94: no attribute has an address that runs a script, and text that speaks of one stays', async () => {
  for (const bad of ['javascript:alert(1)', ' JaVaScript:x', 'java\tscript:x', '\u0001javascript:x', 'vbscript:x'])
    assert.doesNotMatch(
      await html(`<a href="{{ page.title }}">`, { ...data, page: { ...data.page, title: bad } }),
      /script:/i,
      bad,
    )
  const given = { ...data, page: { ...data.page, title: 'x="javascript:a"' } }
  assert.equal(
    await html('<p>{{ page.title }}</p><p>a = javascript: b</p>', given),
    '<p>x=&quot;javascript:a&quot;</p><p>a = javascript: b</p>',
  )
})

test('attack 101: a template names no file but those of its theme', async () => {
  for (const name of [
    '/etc/passwd',
    '../page',
    './page',
    'partials/../page',
    'page.liquid/../../x',
    'constructor',
    '__proto__',
    'toString',
  ])
    for (const tag of ['include', 'render', 'layout']) {
      const { message } = await problem(`{% ${tag} '${name}' %}`)
      assert.match(message, /the theme has no file/, `${tag} ${name}`)
    }
  assert.match((await problem("{% assign x = '../../etc/passwd' %}{% include x %}")).message, /the theme has no file/)
})

test('attack 102: no method, prototype or object of the program can be reached or printed', async () => {
  for (const path of [
    'constructor',
    'page.constructor',
    'page.__proto__',
    'page.entries.constructor.constructor',
    'site.title.constructor',
    'page.entry.content.constructor',
    'page.toString',
    'site.title.replace',
    'page["__proto__"]',
    'page.hasOwnProperty',
  ])
    assert.match((await problem(`{{ ${path} }}`)).message, /undefined variable/, path)
  assert.equal(await html('[{{ page }}{{ page.entry }}{{ page.entries }}{{ site }}]'), '[]')
  for (const filter of ['raw', 'json', 'inspect', 'constructor', 'where_exp', 'date_to_string', 'base64_decode', 'to_integer'])
    assert.match((await problem(`{{ page.title | ${filter} }}`)).message, /undefined filter/, filter)
  for (const tag of ['constructor', 'toString', '__proto__']) assert.match((await problem(`{% ${tag} %}`)).message, /not found/)
  // A field of an entry that looks like markup is none.
  const fields = { evil: { markup: '<script>' } }
  assert.ok(data.page.entry)
  const entry = { ...data.page.entry, fields }
  assert.equal(
    await html('{{ page.entry.fields.evil.markup }}{{ page.entry.fields.evil }}', { ...data, page: { ...data.page, entry } }),
    '&lt;script&gt;',
  )
})

/** Templates that never end or grow without end. Each must be stopped, and the next page must come at once. */
const hostile: readonly (readonly [what: string, templates: Readonly<Record<string, string>> | string])[] = [
  ['a range of 1e9', '{% for i in (1..1000000000) %}{% endfor %}'],
  ['nested loops', `${'{% for i in (1..1000) %}'.repeat(6)}x${'{% endfor %}'.repeat(6)}`],
  ['a file that renders itself', { 'page.liquid': "{% include 'page' %}" }],
  ['a file that renders itself in a scope of its own', { 'page.liquid': "{% render 'page' %}" }],
  ['a layout that is its own', { 'page.liquid': "{% layout 'page' %}{% block a %}{% endblock %}" }],
  ['a text that doubles', "{% assign x = 'ab' %}{% for i in (1..60) %}{% assign x = x | append: x %}{% endfor %}{{ x }}"],
  [
    'a capture that doubles',
    '{% assign x = "ab" %}{% for i in (1..60) %}{% capture x %}{{ x }}{{ x }}{% endcapture %}{% endfor %}{{ x }}',
  ],
  [
    'a page without end',
    '{% for i in (1..90000) %}{{ page.entry.content }}{{ page.entry.content }}{{ page.entry.content }}{{ page.entry.content }}{% endfor %}',
  ],
  ['an unknown format of a date', "{{ 'now' | date: '%5000000d' }}"],
  ['deep nesting', '{% if true %}'.repeat(20_000) + '{% endif %}'.repeat(20_000)],
]
for (const [what, templates] of hostile)
  test(`attack 103: ${what} is stopped, and the next page is shown`, async () => {
    const { message } = await problem(templates)
    assert.match(message, /takes longer|too much memory|renders itself|too long|longer than|no format|not closed/)
    assert.equal(await html('{{ page.title }}'), 'A page')
  })

test('attack 103: strip_html of 50,000 open tags takes no longer than its length', async () => {
  const markup = '<script '.repeat(50_000)
  assert.ok(data.page.entry)
  const given = { ...data, page: { ...data.page, entry: { ...data.page.entry, content: { markup } } } }
  assert.equal(await html('[{{ page.entry.content | strip_html }}]', given), '[]')
})

test('attack 103: a thread that does not answer is ended at its deadline, and the next page gets another one', async () => {
  const short = createThemeRenderer({ log, timeoutMs: 40 })
  const loops = `${'{% for i in (1..1000) %}'.repeat(6)}x${'{% endfor %}'.repeat(6)}`
  const result = await render(loops, data, short)
  assert.ok('problems' in result)
  assert.match(result.problems[0]?.message ?? '', /takes longer than 40 ms/)
  await short.close()
})

test('the shipped themes show every kind of page, with everything in it and with nothing', async () => {
  for (const [slug, files] of shippedThemes()) {
    const theme = makeTheme({ slug, shipped: true, active: false, limited: new Set(), own: files, chosen: {} })
    assert.deepEqual(theme.problems, [], slug)
    for (const made of madePages({ ...base, settings: theme.settings })) {
      const result = await renderer.render(theme.source, templateOf(theme, made.page.kind) ?? '', made)
      assert.ok('html' in result, `${slug} ${made.page.kind}: ${JSON.stringify(result)}`)
    }
  }
  assert.equal(pages.length, 2 * pageKinds.length)
})
