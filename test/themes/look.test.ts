// The themes that come with Postern: what they say in every language, that their settings, menus and files fit together, that their pages are valid
// HTML, and that their colours can be read.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { HtmlValidate } from 'html-validate'
import { pageKinds } from '../../src/themes/contract.ts'
import { retiredSettings, shippedFiles } from '../../src/themes/retired.ts'
import { retiredFiles } from '../../src/themes/shipped.ts'
import { siteMessages } from '../../src/themes/site-words.ts'
import { isDeep } from '../deep-run.ts'
import { root } from '../run-postern.ts'
import { coloursOf, contrast, type Scheme } from './colours.ts'
import { type Made, madePages, picture } from './made-site.ts'
import { filesOf, type Message, messagesOf, readManifest, renderPage, themeIds } from './render-theme.ts'

const ids = themeIds
const templatesOf = (theme: string) => [...filesOf(theme)].filter(([path]) => path.endsWith('.liquid'))
const styleOf = (theme: string) => filesOf(theme).get('assets/style.css') ?? ''
const sourceOf = (theme: string) =>
  templatesOf(theme)
    .map(([, text]) => text)
    .join('\n')
/** The templates of retired parts, which sites show that have values for them. */
const retired = [...retiredFiles().values()].map((files) => [...files.values()].join('\n'))
/** The templates that a page of a theme may show: those of its kinds, and what they include. */
function shownSource(theme: string): string {
  const files = filesOf(theme)
  const paths = [...files.keys()].filter((path) => /^\w+\.liquid$/.test(path))
  for (const path of paths)
    for (const partial of found(files.get(path) ?? '', /\{%-? include '([^']*)'/g))
      if (!paths.includes(`${partial}.liquid`)) paths.push(`${partial}.liquid`)
  return paths.map((path) => files.get(path) ?? '').join('\n')
}
const messageLanguages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'zh']
const sorted = (values: Iterable<string>) => [...new Set(values)].sort()
const found = (text: string, pattern: RegExp) => sorted([...text.matchAll(pattern)].map(([, name = '']) => name))

test('there are six themes, and a file of messages for each of ten languages', () => {
  assert.deepEqual(ids, ['business', 'default', 'documentation', 'magazine', 'portfolio', 'restaurant'])
  const files = readdirSync(join(root, 'src', 'themes', 'messages')).filter((name) => name.endsWith('.json'))
  assert.deepEqual(files.sort(), messageLanguages.map((language) => `${language}.json`).sort())
})

test('the templates and the site use every message, and no other', () => {
  assert.deepEqual(
    sorted([...[...ids.map(sourceOf), ...retired].flatMap((source) => found(source, /'(\w+)' \| t\b/g)), ...siteMessages]),
    sorted(Object.keys(messagesOf('en'))),
  )
})

for (const language of messageLanguages)
  test(`the messages in ${language} have the keys and placeholders of the English ones, and each plural form`, () => {
    const english = messagesOf('en')
    const messages = messagesOf(language)
    assert.deepEqual(Object.keys(messages).sort(), Object.keys(english).sort())
    for (const [key, message] of Object.entries(messages)) {
      const wanted = placeholders(english[key] ?? '')[0]
      for (const names of placeholders(message)) assert.deepEqual(names, wanted, key)
      if (typeof message !== 'string') assert.deepEqual(Object.keys(message).sort(), categoriesOf(language), key)
    }
  })

/** The placeholders of each form of a message. */
function placeholders(message: Message): string[][] {
  return (typeof message === 'string' ? [message] : Object.values(message)).map((text) => found(text, /\{(\w+)\}/g))
}

const categoriesOf = (language: string): string[] => [...new Intl.PluralRules(language).resolvedOptions().pluralCategories].sort()

test('each argument of a message is one of its placeholders, and none is left out', () => {
  const messages = messagesOf('en')
  for (const theme of ids)
    for (const [path, text] of templatesOf(theme))
      for (const [, key = '', named = ''] of text.matchAll(/'(\w+)' \| t\b([^}|]*)/g))
        assert.deepEqual(found(named, /(\w+): /g), placeholders(messages[key] ?? '')[0], `${theme}/${path}: ${key}`)
})

for (const theme of ids) {
  test(`theme.json of ${theme} declares the settings and menus that its templates use, and no other`, () => {
    const { contract, settings, menus } = readManifest(theme)
    assert.equal(contract, 1)
    assert.deepEqual(settings.map(({ id }) => id).sort(), found(shownSource(theme), /\bsettings\.(\w+)/g))
    assert.deepEqual(Object.keys(menus).sort(), found(shownSource(theme), /\bmenus\.(\w+)/g))
    for (const { id, type, options = [], default: value } of settings) {
      assert.equal(options.length > 0, type === 'select', id)
      if (type === 'select')
        assert.ok(
          options.some((option) => option.value === value),
          id,
        )
    }
  })

  test(`every partial that ${theme} names is there, and it uses all of its own`, () => {
    const used = found(shownSource(theme), /\{%-? include '([^']*)'/g)
    const partials = partialsOf(filesOf(theme))
    assert.deepEqual(
      used.filter((path) => !partials.includes(path)),
      [],
    )
    assert.deepEqual(
      partialsOf(folderOf('shipped', theme)).filter((path) => !used.includes(path)),
      [],
    )
  })

  test(`each choice of a setting of ${theme} that goes to the style sheet has its rule`, () => {
    for (const [, name = '', id = ''] of sourceOf(theme).matchAll(/data-(\w+)="\{\{ settings\.(\w+) \}\}"/g))
      for (const { value } of readManifest(theme).settings.find((setting) => setting.id === id)?.options ?? [])
        if (value !== 'auto' && value !== 'normal')
          assert.ok(styleOf(theme).includes(`[data-${name}='${value}']`), `${name} ${value}`)
  })

  test(`the style sheet of ${theme} is below 10 KB when compressed, and loads nothing`, () => {
    assert.ok(gzipSync(styleOf(theme)).length < 10_000)
    assert.doesNotMatch(styleOf(theme), /@import|url\(/)
  })

  test(`no template of ${theme} has a script but that which copies code, and one place alone puts a setting into styles`, () => {
    const scripts = sourceOf(theme).match(/<script[^]*?<\/script>/g) ?? []
    assert.deepEqual(scripts, theme === 'documentation' ? [`<script src="{{ 'copy.js' | asset }}" defer></script>`] : [])
    assert.doesNotMatch(sourceOf(theme), /\son\w+=|\sstyle=/i)
    const places = templatesOf(theme).filter(([, text]) => text.includes('<style>'))
    assert.deepEqual(
      places.map(([path]) => path),
      ['partials/head.liquid'],
    )
  })

  for (const scheme of ['light', 'dark'] as const)
    test(`in the ${scheme} scheme of ${theme} text has a contrast of 7, quiet text and code 4.5, and links 4.5 with any accent`, () =>
      checkContrast(theme, scheme))
}

const partialsOf = (files: ReadonlyMap<string, string>): string[] =>
  [...files.keys()].filter((path) => path.startsWith('partials/')).map((path) => path.replace('.liquid', ''))

test('with the retired parts of a theme, its settings are those that its templates use', () => {
  for (const [slug] of retiredFiles()) {
    const [first] = retiredSettings(slug)
    const files = shippedFiles(slug, { chosen: { [first?.id ?? '']: 'a value' } }) ?? new Map<string, string>()
    const { settings } = JSON.parse(files.get('theme.json') ?? '') as { settings: { id: string }[] }
    const templates = [...files].filter(([path]) => path.endsWith('.liquid')).map(([, text]) => text)
    for (const { id } of retiredSettings(slug)) assert.ok(!readManifest(slug).settings.some((one) => one.id === id), id)
    const used = found(templates.join('\n'), /\bsettings\.(\w+)/g)
    assert.deepEqual(
      settings.map(({ id }) => id).filter((id) => !used.includes(id)),
      [],
    )
    for (const { id } of retiredSettings(slug)) assert.ok(used.includes(id), id)
  }
})

test('every partial of the base is used by a theme', () => {
  const used = ids.flatMap((theme) => found(shownSource(theme), /\{%-? include '([^']*)'/g))
  assert.deepEqual(
    partialsOf(folderOf('base')).filter((path) => !used.includes(path)),
    [],
  )
})

const accents = [
  '#000000',
  '#ffffff',
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#ffff00',
  '#ff00ff',
  '#00ffff',
  '#808080',
  '#ffa500',
  '#ffc0cb',
  '#7fff00',
]

function checkContrast(theme: string, scheme: Scheme): void {
  const own = String(readManifest(theme).settings.find(({ id }) => id === 'accent')?.default)
  for (const accent of [own, ...accents]) {
    const colours = coloursOf(styleOf(theme), scheme, accent)
    for (const background of ['paper', 'raised', 'mark'])
      for (const [text, least] of [
        ['ink', 7],
        ['quiet', 4.5],
        ['link', 4.5],
        ['older link', 4.5],
        ['blue', 4.5],
        ['green', 4.5],
        ['violet', 4.5],
        ['amber', 4.5],
        ['red', 4.5],
      ] as const) {
        if (background === 'mark' && text !== 'ink') continue
        const [one, other] = [colours.get(text), colours.get(background)]
        assert.ok(one && other, `${text} on ${background}`)
        const ratio = contrast(one, other)
        assert.ok(ratio >= least, `${text} on ${background} with ${accent}: ${ratio.toFixed(2)}`)
      }
  }
}

/** The files of one folder below `src/themes`, by path. */
function folderOf(...names: string[]): ReadonlyMap<string, string> {
  const folder = join(root, 'src', 'themes', ...names)
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((name) => name.isFile())
  const paths = found.map((name) => join(name.parentPath, name.name))
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]))
}

test('an edit of a partial or of a rule of the base shows in every theme', () => {
  const base = folderOf('base')
  assert.ok(base.has('partials/entry.liquid') && base.has('assets/style.css'))
  for (const theme of ids)
    for (const [path, text] of base) {
      const own = folderOf('shipped', theme).get(path)
      if (path === 'theme.json') continue
      if (own === undefined) assert.equal(filesOf(theme).get(path), text, `${theme}/${path}`)
      else if (path === 'assets/style.css') assert.equal(styleOf(theme), `${text}\n${own}`)
      else assert.equal(filesOf(theme).get(path), own, `${theme}/${path}`)
    }
})

test('no file of a theme repeats a file of the base or of another theme', () => {
  const texts = [folderOf('base'), ...ids.map((theme) => folderOf('shipped', theme))].flatMap((files) => [...files.values()])
  assert.deepEqual(sorted(texts).length, texts.length)
})

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    'void-style': 'off',
    'no-trailing-whitespace': 'off',
    'doctype-style': 'off',
    'long-title': 'off',
    'no-inline-style': 'off',
  },
})

const hero = {
  hero_image: picture(1920, 1080, 150),
  hero_title: 'A title',
  hero_text: 'Text & more',
  hero_button: 'Go',
  hero_link: '/go',
}
const firm = {
  service_1_title: 'Repair',
  service_1_text: 'All of it',
  service_1_link: '/repair',
  service_2_title: 'Sale',
  address: 'Lane 4; Alma',
  phone: '+49 (30) 1',
  email: 'a@b.example',
  map: '/map',
  hours: 'Mon: 9–18; by appointment',
}
const sites: readonly Made[] = [
  { language: 'en', brief: true, settings: { ...hero, ...firm } },
  { language: 'ja', bare: true, settings: { brand: 'title', scheme: 'dark' } },
  { language: 'de', brief: true, settings: { ...hero, ...firm, posts_layout: 'cards', brand: 'logo' } },
  { language: 'ar', brief: true, settings: { home_posts: 'none', show_images: false, show_contents: false, show_dates: false } },
]

for (const theme of ids)
  test(`every kind of page of ${theme} is valid HTML, with much and with little to show`, async () => {
    for (const made of isDeep ? sites : sites.slice(0, 2))
      for (const { name, data } of await madePages(theme, made)) {
        const { results } = await validator.validateString(renderPage(theme, data))
        const wrong = results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message, line }) => `${ruleId}: ${message} (${line})`),
        )
        assert.deepEqual(wrong, [], `${name} in ${made.language}`)
      }
    assert.equal(pageKinds.length, 7)
  })

test('in documentation the page before and the page after are those of the tree', async () => {
  const page = (await madePages('documentation', { language: 'en', brief: true })).find(({ name }) => name === 'page')
  assert.ok(page)
  const at = (url: string, current: boolean) => ({ label: url, url, current, inside: current, new_tab: false, items: [] })
  const tree = [
    { ...at('/a', false), items: [at('/a/b', false), at('/a/c', true)] },
    { ...at('', false), items: [at('/d', false)] },
  ]
  const html = renderPage('documentation', { ...page.data, menus: { ...page.data.menus, tree } })
  const nav = /<nav class="neighbours"[^]*?<\/nav>/.exec(html)?.[0] ?? ''
  assert.deepEqual(found(nav, /href="([^"]*)"/g), ['/a/b', '/d'])
})

for (const theme of ids)
  test(`an entry of ${theme} shows its fields by kind, in the language of the page, with a label each`, async () => {
    const pageIn = async (made: Made) => {
      const page = (await madePages(theme, { brief: true, ...made })).find(({ name }) => name === 'page')
      return page === undefined ? '' : renderPage(theme, page.data).replaceAll(/\n\s*/g, '')
    }
    const german = await pageIn({ language: 'de' })
    for (const part of [
      '<dt>Place</dt><dd>The mill<br>at the &lt;ford&gt;</dd>',
      '<dt>Day</dt><dd><time datetime="2026-12-05">5. Dezember 2026</time></dd>',
      '<time datetime="2026-12-05T17:30:00.000Z">5. Dezember 2026 um 18:30</time>',
      '<dt>Free of charge</dt><dd>Ja</dd>',
      '<dd>0</dd>',
      '<dd>English</dd><dd>German</dd>',
      '<a href="https://example.com/tickets?for=all&amp;of=us">',
      '<a href="mailto:mill@example.org">',
      '<dd><a href="/ridge">The ridge</a></dd>',
      'Bring <strong>boots</strong>.',
      '<dt>Speaker</dt><dd>Ben</dd>',
    ])
      assert.ok(german.includes(part), part)
    assert.match(german, /<dt>Map<\/dt><dd><img/)
    const english = await pageIn({ language: 'en' })
    assert.ok(english.includes('December 5, 2026</time>') && english.includes('<dd>Yes</dd>'))
    assert.doesNotMatch(await pageIn({ language: 'en', bare: true }), /class="details"/)
  })
