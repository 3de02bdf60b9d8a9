// Working on a theme over `/api/`: revisions, warnings about styles and what the policy blocks, search, copies and zips.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deepTest } from '../deep-run.ts'
import { openVisitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'
import { themeIds } from '../themes/render-theme.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  await site.call('SVC_Themes.create', { slug: 'mine', base: 'default' })
})
after(() => site[Symbol.asyncDispose]())

const style = 'assets/style.css'
const write = (file: string, text: string, more = {}) => site.call('SVC_Themes.write', { id: 'mine', file, text, ...more })

test('the revision in the answer of a write is the one that `if_revision` of the next write takes', async () => {
  const first = (await write(style, 'h1 { color: red }\n')).item
  assert.deepEqual([first.file, typeof first.revision], [style, 'number'])
  const edits = [{ find: 'red', replace: 'blue' }]
  const second = (await site.call('SVC_Themes.edit', { id: 'mine', file: style, edits, if_revision: first.revision })).item
  assert.equal(second.revision, first.revision + 1)
  const stale = await site.api('SVC_Themes.write', { id: 'mine', file: style, text: 'h1 {}', if_revision: first.revision })
  assert.deepEqual([stale.status, stale.json.error.code], [409, 'conflict'])
  const configured = (await site.call('SVC_Themes.configure', { id: 'mine', settings: { accent: '#1d5a99' } })).item
  assert.equal(configured.file, undefined)
  await site.call('SVC_Themes.configure', { id: 'mine', settings: { accent: '#1d5a98' }, if_revision: configured.revision })
})

test('a copy of a configured theme has its settings', async () => {
  await site.call('SVC_Themes.configure', { id: 'mine', settings: { accent: '#1d5a99' } })
  await site.call('SVC_Themes.create', { slug: 'copy', from: 'mine' })
  const { settings } = (await site.call('SVC_Themes.get', { id: 'copy' })).item
  assert.equal(settings.find(({ id }: { id: string }) => id === 'accent').value, '#1d5a99')
})

const rows: readonly (readonly [rule: string, file: string, text: string, says: RegExp])[] = [
  [
    'a block that is not closed',
    style,
    'h1 { color: red }\nh2 { color: red\n',
    /line 2: The block that begins here is not closed/,
  ],
  ['a brace too many', style, 'h1 { color: red } }\n', /line 1: This "}" closes no block/],
  ['a declaration without a colon', style, 'h1 {\n  color red;\n}\n', /line 2: This declaration has no colon: browsers skip it/],
  ['a misspelt property', style, 'h1 {\n  margn: 0;\n}\n', /line 2: There is no property "margn"\. Did you mean "margin"\?/],
  ['a style sheet of another site', style, '@import "https://fonts.example/a.css";\n', /fonts\.example.*style-src/],
  [
    'a font of another site',
    style,
    '@font-face { font-family: A; src: url(https://fonts.example/a.woff2) }\n',
    /A font from .*font-src/,
  ],
  [
    'a script of another site',
    'partials/note.liquid',
    '<script src="https://cdn.example/a.js"></script>\n',
    /A script from .*script-src/,
  ],
  ['a script within the page', 'partials/note.liquid', '<p>Hi</p>\n<script>go()</script>\n', /line 2: A script within a page/],
  [
    'a frame of another site',
    'partials/note.liquid',
    '<iframe src="https://frame.example/"></iframe>\n',
    /A frame from .*frame-src/,
  ],
  [
    'a style in a template',
    'partials/note.liquid',
    '<style>\nh1 { colr: {{ theme.accent }} }\n</style>\n',
    /line 2: There is no property "colr"/,
  ],
]
for (const [rule, file, text, says] of rows)
  test(`${rule} is a warning with its line`, async () => {
    const { warnings } = await write(file, text, { dry_run: true })
    assert.match(warnings.map(({ message }: { message: string }) => message).join('\n'), says)
  })

test('good styles, pictures of other sites, own files and custom properties need no warning', async () => {
  const css =
    ':root { --gap: 1rem }\n@media (min-width: 40rem) { h1 { margin: var(--gap); background: url(https://img.example/a.png) } }\n'
  assert.deepEqual((await write(style, css)).warnings, [])
  const markup = '<img src="https://img.example/a.png" alt="A"><script src="{{ \'a.js\' | asset }}" defer></script>\n'
  assert.deepEqual((await write('partials/note.liquid', markup)).warnings, [])
})

test('attack 134: hostile style sheets of 256 KiB are read in time that grows with their length', async () => {
  const { findStyleSlips } = await import('../../src/themes/style-slips.ts')
  const cost = async (part: string, bytes: number): Promise<number> => {
    const text = `a{${part.repeat(bytes / part.length)}`
    const before = process.cpuUsage().user
    await findStyleSlips('assets/style.css', text)
    return process.cpuUsage().user - before
  }
  for (const part of [';b', 'b{', '@media x{', '(', '[', 'b:"\n', ':not(', '/*', 'colr:x;', '}']) {
    await cost(part, 1024)
    const [short, long] = [await cost(part, 32 * 1024), await cost(part, 256 * 1024)]
    assert.ok(long < 400_000 + 24 * short, `${part}: ${short} and ${long} µs`)
  }
})

test('an edit warns only about what it adds', async () => {
  await write(style, 'h1 { margn: 0 }\n')
  const edit = (text: string) => site.call('SVC_Themes.edit', { id: 'mine', file: style, edits: [{ append: text }] })
  assert.deepEqual((await edit('h2 { margin: 0 }\n')).warnings, [])
  assert.equal((await edit('h3 { colour: red }\n')).warnings.length, 1)
})

deepTest('shipped themes have no slips', async () => {
  for (const from of themeIds) {
    await site.call('SVC_Themes.create', { slug: `of-${from}`, from })
    const { files } = (await site.call('SVC_Themes.get', { id: from, full: true })).item
    for (const { file } of files.filter(({ file: name }: { file: string }) => /\.(?:css|liquid)$/.test(name))) {
      const { text, truncated } = await site.call('SVC_Themes.read', { id: from, file })
      if (truncated) continue
      const { warnings } = await site.call('SVC_Themes.write', { id: `of-${from}`, file, text, dry_run: true })
      assert.deepEqual(warnings, [], `${from}: ${file}`)
    }
  }
})

test('a search finds lines by a text in any case, with file and number, and reading goes on from there', async () => {
  await write(style, 'a { color: red }\n\n.Note { color: Teal }\n')
  const { items, total } = await site.call('SVC_Themes.search', { id: 'mine', query: 'teal' })
  assert.deepEqual([items, total], [[{ file: style, line: 3, text: '.Note { color: Teal }' }], 1])
  const { text, next } = await site.call('SVC_Themes.read', { id: 'mine', file: style, from: items[0].line, lines: 1 })
  assert.deepEqual([text, next], ['.Note { color: Teal }', 4])
  const inherited = await site.call('SVC_Themes.search', { id: 'mine', query: 'layout', base: true, limit: 3 })
  assert.ok(inherited.items.every(({ base }: { base?: string }) => base === 'default') && inherited.total > 3)
})

test('a theme goes out as a zip and comes back byte for byte; its link needs no token, and ends with its maker', async () => {
  const { token, item } = await site.call('SVC_Tokens.create', { name: 'designer', scope: 'read' })
  const { url, bytes } = (await site.api('SVC_Themes.export', { id: 'mine' }, { token })).json.data
  const answer = await fetch(url)
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type'), answer.headers.get('x-content-type-options')],
    [200, 'application/zip', 'nosniff'],
  )
  const zip = Buffer.from(await answer.arrayBuffer())
  assert.equal(zip.length, bytes)
  await site.call('SVC_Themes.create', { slug: 'back', base64: zip.toString('base64') })
  const filesOf = async (id: string) =>
    (await site.call('SVC_Themes.get', { id, full: true })).item.files.map(({ file, bytes: size }: Record<string, unknown>) => [
      file,
      size,
    ])
  assert.deepEqual(await filesOf('back'), await filesOf('mine'))
  await site.call('SVC_Tokens.revoke', { ids: [item.id], expect: 1 })
  assert.equal((await fetch(url)).status, 404, 'attack 159')
})

test('the page of the files of a theme has a button that downloads it', async () => {
  const owner = openVisitor(site)
  await owner.signIn()
  const [, href = ''] =
    /<a class="button" href="([^"]+\.zip)" download>Download as a zip/.exec(
      (await owner.open('/admin/themes/files?id=mine')).text,
    ) ?? []
  assert.equal((await fetch(href.replaceAll('&amp;', '&'))).status, 200)
})
