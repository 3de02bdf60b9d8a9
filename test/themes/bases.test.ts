// A theme of the owner on a shipped one: it has only what differs, and the rest is that of the release that runs.

import assert from 'node:assert/strict'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { shippedThemes } from '../../src/themes/shipped.ts'
import { overBase } from '../../src/themes/over-base.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'
import { writeRows } from '../rows.ts'
import { themeIds } from './render-theme.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  await site.call('SVC_Content.create', { type: 'page', title: 'About', status: 'published', body: 'Who we are.' })
  await site.call('SVC_Themes.create', { slug: 'mine', base: 'default' })
})
after(() => site[Symbol.asyncDispose]())

const page = async (path = '/about') => (await site.send(path, { token: null })).text
const write = (file: string, text: string, id = 'mine') => site.call('SVC_Themes.write', { id, file, text })
const problemsOf = async (id: string) => (await site.call('SVC_Themes.check', { id })).problems
const errorOf = async (call: string, input: Record<string, unknown>, token?: string) => {
  const answer = await site.api(call, input, token === undefined ? {} : { token })
  assert.equal(answer.json.success, false, `${call} succeeded`)
  return answer.json.error as { code: string; message: string; hint?: string }
}
const filesOf = async (id: string): Promise<{ file: string; base?: string; bytes: number }[]> =>
  (await site.call('SVC_Themes.get', { id, full: true })).item.files
const ownFiles = async (id: string) => (await filesOf(id)).filter(({ base }) => base === undefined).map(({ file }) => file)
const theme = (more: Record<string, unknown>) => JSON.stringify({ name: 'Mine', version: '1', contract: 1, ...more })

test('three files are a theme: its name, its rules and one partial, and everything else is that of the base', async () => {
  await write('partials/footer.liquid', '<footer class="bottom">By {{ site.title }} since {{ settings.since }}</footer>\n')
  await write('assets/style.css', '.bottom { color: teal }\n')
  const since = { id: 'since', type: 'text', label: 'Since', default: '1911', after: 'show_feed' }
  await write('theme.json', theme({ base: 'default', settings: [{ id: 'accent', default: '#102030' }, since] }))
  assert.deepEqual(await problemsOf('mine'), [])
  await site.call('SVC_Themes.activate', { id: 'mine' })
  const shown = await page()
  assert.match(shown, /By My site since 1911<\/footer>/)
  assert.match(shown, /<article class="entry">[^]*Who we are\./)
  assert.match(shown, /--accent:#102030/)
  // One style sheet, with the rules of the base before those of the theme.
  const sheets = [...shown.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)].map(([, url = '']) => new URL(url).pathname)
  assert.equal(sheets.length, 1)
  const css = (await site.send(sheets[0] ?? '', { token: null })).text
  assert.equal(css, `${shippedThemes().get('default')?.get('assets/style.css')}\n.bottom { color: teal }\n`)
  assert.deepEqual(await ownFiles('mine'), ['assets/style.css', 'partials/footer.liquid', 'theme.json'])
  assert.deepEqual((await readdir(join(site.home, 'user-content', 'themes', 'mine'))).sort(), [
    'assets',
    'partials',
    'theme.json',
  ])
})

test('a theme tells its base, which of its files come from there, and shows their texts', async () => {
  const { item } = await site.call('SVC_Themes.get', { id: 'mine', full: true })
  assert.equal(item.base, 'default')
  assert.equal(item.files.find(({ file }: { file: string }) => file === 'page.liquid').base, 'default')
  const settings = item.settings.map(({ id }: { id: string }) => id)
  assert.equal(settings[settings.indexOf('show_feed') + 1], 'since')
  const read = (file: string) => site.call('SVC_Themes.read', { id: 'mine', file })
  const inherited = await read('page.liquid')
  assert.deepEqual([inherited.text, inherited.base], [shippedThemes().get('default')?.get('page.liquid'), 'default'])
  const own = await read('assets/style.css')
  assert.deepEqual([own.text, own.base], ['.bottom { color: teal }\n', undefined])
  const { items } = await site.call('SVC_Themes.list')
  assert.deepEqual(
    items.map(({ id, base }: { id: string; base?: string }) => [id, base]),
    [['mine', 'default'], ...themeIds.map((id) => [id, undefined])],
  )
})

test('an edit of an inherited file makes one of the theme, and the base shows again when it is removed or undone', async () => {
  const plain = await page()
  const file = 'layout.liquid'
  const edits = [{ find: '</body>', replace: '<p>Marked</p>\n</body>' }]
  const { activity_id } = await site.call('SVC_Themes.edit', { id: 'mine', file, edits })
  assert.match(await page(), /<p>Marked<\/p>/)
  await site.call('SVC_Activity.undo', { ids: [activity_id] })
  assert.equal(await page(), plain)
  await site.call('SVC_Themes.edit', { id: 'mine', file, edits })
  await site.call('SVC_Themes.remove', { id: 'mine', file })
  assert.equal(await page(), plain)
  const again = await errorOf('SVC_Themes.remove', { id: 'mine', file })
  assert.deepEqual([again.code, /comes from the theme default/.test(again.hint ?? '')], ['not_found', true])
})

test('the folder has the files of the theme alone, and a file that is deleted there is that of the base again', async () => {
  const plain = await page()
  await write('partials/preview.liquid', '<p>By hand</p>\n')
  assert.match(await page(), /By hand/)
  const file = join(site.home, 'user-content', 'themes', 'mine', 'partials', 'preview.liquid')
  await site.call('SVC_Themes.list')
  await new Promise((done) => setTimeout(done, 400))
  await rm(file)
  await until('the base shows', async () => (await site.call('SVC_Themes.list')) && !(await page()).includes('By hand'))
  assert.equal(await page(), plain)
  await writeFile(file, '<p>By another hand</p>\n')
  await until('it is taken up', async () => (await site.call('SVC_Themes.list')) && (await page()).includes('By another hand'))
  await site.call('SVC_Themes.remove', { id: 'mine', file: 'partials/preview.liquid' })
})

test('words of the theme are added to those of Postern, in the language of the page', async () => {
  await write('locales/en.json', '{"skip_to_content": "To the words"}')
  const shown = await page()
  assert.match(shown, />To the words</)
  assert.match(shown, /\nMenu\n<\/button>/)
  assert.deepEqual(await problemsOf('mine'), [])
  await site.call('SVC_Themes.remove', { id: 'mine', file: 'locales/en.json' })
})

for (const [what, base] of [
  ['that nobody knows', 'nosuch'],
  ['that is the theme itself', 'mine'],
  ['that is a theme of the owner', 'other'],
  ['that is no text', 7],
] as const)
  test(`a base ${what} is refused with one sentence, and visitors see nothing of it`, async () => {
    const plain = await page()
    const failure = await errorOf('SVC_Themes.write', { id: 'mine', file: 'theme.json', text: theme({ base }) })
    const sentence = `must be one of the themes that come with Postern: ${themeIds.join(', ')}`
    assert.deepEqual(
      [failure.code, failure.message],
      ['unprocessable', `The theme mine fails in theme.json: "base" ${sentence}.`],
    )
    assert.equal(await page(), plain)
    if (typeof base !== 'string') return
    const made = await errorOf('SVC_Themes.create', { slug: 'another', base })
    assert.deepEqual([made.code, made.message], ['invalid', `"base" ${sentence}.`])
  })

test('a theme that lost its base says so, and is not activated', async () => {
  await site.call('SVC_Themes.create', { slug: 'lost', base: 'default' })
  await write('theme.json', theme({ base: 'gone' }), 'lost')
  const [problem, ...more] = await problemsOf('lost')
  assert.deepEqual([problem.file, more], ['theme.json', []])
  assert.match((await errorOf('SVC_Themes.activate', { id: 'lost' })).message, /"base" must be one of/)
})

test('create takes one of a base, a theme to copy and a zip; a copy of a theme on a base stays on it, one of a shipped theme has all files', async () => {
  assert.equal((await errorOf('SVC_Themes.create', { slug: 'x', base: 'default', from: 'default' })).code, 'invalid')
  await site.call('SVC_Themes.create', { slug: 'twin', from: 'mine' })
  assert.deepEqual(await ownFiles('twin'), await ownFiles('mine'))
  await site.call('SVC_Themes.create', { slug: 'whole', from: 'business' })
  assert.deepEqual(await ownFiles('whole'), [...(shippedThemes().get('business')?.keys() ?? [])])
  assert.equal((await site.call('SVC_Themes.get', { id: 'whole' })).item.base, undefined)
  assert.deepEqual(await problemsOf('whole'), [])
})

test('a state of a theme on a base is brought back without touching the files of the base', async () => {
  const { items } = await site.call('SVC_Themes.revisions', { id: 'twin' })
  await write('partials/terms.liquid', '<p>Terms</p>', 'twin')
  await site.call('SVC_Themes.revert', { id: 'twin', revision: items[0].revision })
  assert.deepEqual(await ownFiles('twin'), await ownFiles('mine'))
  assert.deepEqual(await problemsOf('twin'), [])
})

test('attack 153: a base is trusted, a file that a limited token puts in its place is not, and its edit of the base is its own', async () => {
  const limits = { classes: ['SVC_Themes'] }
  const { token } = await site.call('SVC_Tokens.create', { name: 'designer', scope: 'admin', limits })
  const sly = '<p class="h" o{% assign q = "}" %}nclick="e()">sly</p>\n'
  const file = 'partials/brand.liquid'
  const call = async (name: string, input: Record<string, unknown>, by?: string) => {
    const answer = await site.api(name, { id: 'mine', file, ...input }, by === undefined ? {} : { token: by })
    assert.equal(answer.json.success, true, answer.text)
  }
  await call('SVC_Themes.write', { text: sly }, token)
  assert.match(await page(), /<p class="h">sly/)
  await call('SVC_Themes.remove', {}, token)
  // The owner's edit of the base keeps what runs; the token's may not add any.
  const edits = [{ append: '<script src="/assets/own.js"></script>\n' }]
  assert.equal((await errorOf('SVC_Themes.edit', { id: 'mine', file, edits }, token)).code, 'refused')
  await call('SVC_Themes.edit', { edits })
  assert.match(await page(), /<script src="\/assets\/own\.js">/)
  await call('SVC_Themes.remove', {})
  await call('SVC_Themes.edit', { edits: [{ append: sly }] }, token)
  assert.match(await page(), /<p class="h">sly/)
  await call('SVC_Themes.remove', {})
})

test('a theme of the owner keeps its slug when a release brings a theme of that name', async () => {
  await site.call('SVC_Themes.create', { slug: 'younger', from: 'mine' })
  for (const statement of [
    "update theme set slug = 'business' where slug = 'younger'",
    "update theme_file set theme = 'business', id = 'business/' || path where theme = 'younger'",
  ])
    await writeRows(site.home, statement, [])
  const { item } = await site.call('SVC_Themes.get', { id: 'business' })
  assert.deepEqual([item.shipped, item.base], [false, 'default'])
  await write('partials/footer.liquid', '<footer>Still mine</footer>\n', 'business')
  const { items } = await site.call('SVC_Themes.list')
  const listed = items.filter(({ id }: { id: string }) => id === 'business')
  assert.deepEqual(
    listed.map(({ shipped }: { shipped: boolean }) => shipped),
    [false],
  )
  await site.call('SVC_Themes.delete', { id: 'business' })
  assert.equal((await site.call('SVC_Themes.get', { id: 'business' })).item.shipped, true)
})

test('visitors see the shipped theme while the active one has no base, and the health check says why', async () => {
  const row = "update theme_file set text = ? where id = 'mine/theme.json'"
  await writeRows(site.home, row, [theme({ base: 'gone' })])
  await site.call('SVC_Themes.configure', { id: 'twin', settings: { footer_text: 'touch' } })
  await site.call('SVC_Content.update', { id: '/about', body: 'New words.' })
  const shown = await page()
  assert.match(shown, /New words\./)
  assert.match(shown, /\/assets\/default-/)
  assert.match(JSON.stringify(await site.call('SVC_Health.check', { only: ['theme'] })), /theme\.json.*must be one of the themes/)
})

const base = new Map([
  [
    'theme.json',
    '{"settings": [{"id": "a", "default": 1}, {"id": "b", "default": 2}], "menus": {"main": "Main", "footer": "Footer"}}',
  ],
  ['locales/en.json', '{"one": "1", "two": "2"}'],
  ['page.liquid', 'base'],
])
const over = (own: Record<string, unknown>) =>
  JSON.parse(overBase(new Map([['theme.json', JSON.stringify(own)]]), base).get('theme.json') ?? '')

for (const [rule, settings, expected] of [
  [
    'without settings a theme has those of its base',
    undefined,
    [
      { id: 'a', default: 1 },
      { id: 'b', default: 2 },
    ],
  ],
  [
    'an id of the base changes the members that are given',
    [{ id: 'a', default: 9 }],
    [
      { id: 'a', default: 9 },
      { id: 'b', default: 2 },
    ],
  ],
  [
    'new settings follow those of the base',
    [{ id: 'c' }, { id: 'd' }],
    [{ id: 'a', default: 1 }, { id: 'b', default: 2 }, { id: 'c' }, { id: 'd' }],
  ],
  [
    '`after` says where new settings stand',
    [{ id: 'c', after: 'a' }, { id: 'd' }],
    [{ id: 'a', default: 1 }, { id: 'c' }, { id: 'd' }, { id: 'b', default: 2 }],
  ],
  [
    '`after` moves a setting of the base',
    [{ id: 'a', after: 'b' }],
    [
      { id: 'b', default: 2 },
      { id: 'a', default: 1 },
    ],
  ],
  [
    'an id that is there twice stays there twice, and is refused later',
    [{ id: 'c' }, { id: 'c' }],
    [{ id: 'a', default: 1 }, { id: 'b', default: 2 }, { id: 'c' }, { id: 'c' }],
  ],
  ['what is no list is left for the reader to refuse', 'x', 'x'],
] as const)
  test(`settings over those of a base: ${rule}`, () => {
    assert.deepEqual(over(settings === undefined ? {} : { settings }).settings, expected)
  })

test('a theme has no name, version or description from its base', async () => {
  assert.deepEqual(Object.keys(over({})).sort(), ['menus', 'settings'])
  await write('theme.json', JSON.stringify({ version: '1', contract: 1, base: 'default' }), 'whole')
  assert.match(JSON.stringify(await problemsOf('whole')), /"name\\+" must be a text/)
})

test('a wrong setting is named by its id, and a list that is too long is refused at once', async () => {
  const settings = [{ id: 'since', type: 'year', label: 'Since', default: 1 }]
  await write('theme.json', theme({ base: 'default', settings }), 'whole')
  assert.match(JSON.stringify(await problemsOf('whole')), /settings\.since.*\\"type\\" must be one of/)
  await write('theme.json', theme({ base: 'default', settings: Array.from({ length: 60_000 }, () => ({})) }), 'whole')
  assert.match(JSON.stringify(await problemsOf('whole')), /must be a list of at most 100 settings/)
})

test('menu locations of a theme come first, and words add to those of the base', () => {
  assert.deepEqual(Object.entries(over({ menus: { links: 'Links', footer: 'Foot' } }).menus), [
    ['links', 'Links'],
    ['footer', 'Foot'],
    ['main', 'Main'],
  ])
  const files = overBase(
    new Map([
      ['locales/en.json', '{"two": "II"}'],
      ['page.liquid', 'own'],
    ]),
    base,
  )
  assert.deepEqual(JSON.parse(files.get('locales/en.json') ?? ''), { one: '1', two: 'II' })
  assert.equal(files.get('page.liquid'), 'own')
})
