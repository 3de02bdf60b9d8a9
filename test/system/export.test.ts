// The site out as files and in again, by the command line as a process of its own and by the link that an action gives.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { wxrFormat } from '../../src/imports/readers/wxr/wxr.ts'
import { partsOf, partsOfKind, sourceOf } from '../imports/parts.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let folder: string
before(async () => {
  site = await openSite()
  folder = await mkdtemp(join(tmpdir(), 'postern-export-'))
  await fill(site)
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const postern = (at: TestSite, args: readonly string[]) => at.postern(args)
const svg = (side: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h${side}"/></svg>`

const told = { entry: '/bread/apple', posted_at: '2020-01-02T03:04:05Z', approved: true }
/** The answer comes before what it answers by its id. */
const comments = [
  {
    ...told,
    id: 'b-first-comment-0123456789',
    name: 'Ann "the oven"',
    email: 'ann@example.net',
    text: '<b>Good</b>, warm.\n\nTwice.',
  },
  {
    ...told,
    id: 'a-answer-to-it-01234567890',
    parent: 'b-first-comment-0123456789',
    name: 'Bo',
    text: '=1+1, it is',
    website: 'https://bo.example/?a=1&b=2',
  },
  { ...told, id: 'c-waiting-0123456789012345', name: 'Cy', text: 'Not read yet.', approved: false },
]

/** A site with something of everything. */
async function fill(at: TestSite): Promise<void> {
  const call = (name: string, input: Record<string, unknown>) => at.call(name, input)
  await call('SVC_Settings.update', { set: { site_title: 'Corner bakery', languages: ['de'], time_zone: 'Europe/Berlin' } })
  await call('SVC_Types.create', {
    slug: 'bread',
    name: 'Bread',
    fields: [
      { name: 'price', kind: 'number', filter: true },
      { name: 'goes_with', kind: 'entry', many: true },
      { name: 'photo', kind: 'media' },
      { name: 'parts', kind: 'group', of: [{ name: 'flour', kind: 'term', of: 'flour' }] },
    ],
    taxonomies: ['flour'],
    list: { sort: '-price', shows: ['photo', 'price'] },
  })
  await call('SVC_Terms.save-taxonomy', { slug: 'flour', name: 'Flours', tree: true })
  await call('SVC_Terms.create', { taxonomy: 'flour', name: 'Rye', text: 'Dark.' })
  await call('SVC_Terms.create', { taxonomy: 'flour', name: 'A kind of rye', parent: 'flour/rye' })
  await call('SVC_Media.upload', {
    text: svg('9'),
    filename: 'loaf.svg',
    folder: 'breads',
    alt: 'A "loaf"',
    caption: 'From\nhere',
  })
  await call('SVC_Media.upload', { text: svg('8'), filename: 'private.svg', protected: true })
  await call('SVC_Content.create', {
    type: 'page',
    title: 'About: us',
    slug: 'about',
    body: 'Text\n\n![A loaf](/media/breads/loaf.svg)\n',
    status: 'published',
    seo: { description: 'Who we are', image: '/media/breads/loaf.svg' },
  })
  await call('SVC_Content.create', {
    type: 'page',
    title: 'Team',
    parent: '/about',
    body: '---\nno front matter',
    status: 'private',
  })
  await call('SVC_Content.update', { id: '/about/team', slug: 'people' })
  await call('SVC_Content.create', {
    type: 'page',
    title: 'Über uns',
    locale: 'de',
    translation_of: '/about',
    body: '\ufeffZeilen\r\n\r\nmit Wagenrücklauf',
  })
  await call('SVC_Content.create', { type: 'bread', title: 'Sourdough', slug: 'sourdough', status: 'published' })
  await call('SVC_Content.create', {
    type: 'bread',
    title: 'Apple bread',
    slug: 'apple',
    published_at: '2019-05-01T08:00',
    status: 'published',
    cover: '/media/breads/loaf.svg',
    terms: ['flour/a-kind-of-rye', 'flour/rye'],
    fields: {
      price: 4.5,
      goes_with: ['/bread/sourdough', '/about'],
      photo: '/media/breads/loaf.svg',
      parts: { flour: 'flour/rye' },
    },
    excerpt: 'Sweet.',
  })
  await call('SVC_Content.update', { id: '/about', body: 'Waits.', stage: true })
  await call('SVC_Import.put-comments', { comments: [comments[0], comments[1], comments[2]] })
  await call('SVC_Menus.create', {
    slug: 'main',
    name: 'Main',
    location: 'main',
    items: [
      { entry: '/about', items: [{ term: 'flour/rye', label: 'Rye' }] },
      { url: 'https://example.org/', label: 'Elsewhere', new_tab: true },
    ],
  })
  await call('SVC_Redirects.put-many', {
    rules: [
      { from: '/old', to: '/about', note: 'said "old", once' },
      { from: '/shop/*', to: '/bread/*', status: 302 },
      { from: '/gone', to: null },
    ],
  })
  await call('SVC_Redirects.put-old', {
    rows: [
      { site: 'https://old.example.org', kind: 'item', old: '12', to: '/about' },
      { site: 'https://old.example.org', kind: 'path', old: '/2019/05/%E6%BC%A2,%20"x"/', to: '/bread/apple' },
      { site: 'https://old.example.org', kind: 'path', old: '/wp-content/loaf-300x200.svg', to: '/media/breads/loaf.svg' },
      { site: 'https://old.example.org', kind: 'term', old: '5', to: 'flour/rye' },
      { site: 'https://other.example.org', kind: 'item', old: '12', to: '/about/people' },
    ],
  })
  await call('SVC_Settings.update', { set: { home: '/about', logo: '/media/breads/loaf.svg' } })
  await call('SVC_Themes.create', { slug: 'mine', base: 'default' })
  await call('SVC_Themes.write', { id: 'mine', file: 'partials/note.liquid', text: '<p>{{ site.tagline }}</p>\n' })
  await call('SVC_Themes.write', { id: 'mine', file: 'assets/dot.png', base64: 'iVBORw0KGgo=' })
  await call('SVC_Themes.activate', { id: 'mine' })
  await call('SVC_Site.put-file', { name: 'ads.txt', text: 'example.com, 1, DIRECT\n' })
}

async function filesIn(at: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const entry of await readdir(at, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name)
      files.set(path.slice(at.length + 1), await readFile(path, 'latin1'))
    }
  return files
}

test('an export has everything under its own name, and a second one writes nothing', async () => {
  const first = await postern(site, ['export', '--json', join(folder, 'out')])
  assert.equal(first.code, 0, first.stderr)
  const files = await filesIn(join(folder, 'out'))
  const expected = [
    'content/about/index.md',
    'content/about/people/index.md',
    'content/about/staged.md',
    'content/bread/apple/index.md',
    'content/de/uber-uns/index.md',
    'media/breads/loaf.svg',
    'media/private.svg',
    'media.yaml',
    'comments.csv',
    'menus.yaml',
    'redirects.csv',
    'old-addresses.csv',
    '_redirects',
    'root/ads.txt',
    'settings.yaml',
    'taxonomies.yaml',
    'terms.yaml',
    'themes/mine/partials/note.liquid',
    'themes/mine/assets/dot.png',
    'types.yaml',
  ]
  for (const name of expected) assert.ok(files.has(name), `${name} is not among ${[...files.keys()].join(', ')}`)
  const whole = [...files.values()].join('\n')
  for (const secret of ['owner@example', site.token, 'password', 'scrypt']) assert.ok(!whole.includes(secret), secret)
  assert.match(files.get('_redirects') ?? '', /^\/old \/about 301$/m)
  assert.equal(files.get('old-addresses.csv')?.split('\r\n').length, 1 + 5 + 1)
  const again = await postern(site, ['export', '--json', join(folder, 'out')])
  assert.deepEqual(JSON.parse(again.stdout).written, [])
})

/** An entry as another process reads it. The service may take a second to notice what the command line changed. */
async function stored(id: string) {
  return JSON.parse((await postern(site, ['call', 'SVC_Content.get', `id=${id}`])).stdout).data
}

test('a changed entry is one file, a deleted one leaves, and what somebody else put there stays', async () => {
  const out = join(folder, 'out')
  await writeFile(join(out, 'README'), 'ours')
  await site.call('SVC_Content.create', { type: 'page', title: 'Short lived', status: 'published' })
  const more = JSON.parse((await postern(site, ['export', '--json', out])).stdout)
  assert.deepEqual(more.written, ['content/short-lived/index.md'])
  await site.call('SVC_Content.delete', { ids: ['/short-lived'] })
  const less = JSON.parse((await postern(site, ['export', '--json', out])).stdout)
  assert.deepEqual([less.written, less.removed], [[], ['content/short-lived/index.md']])
  assert.equal(await readFile(join(out, 'README'), 'utf8'), 'ours')
  await rm(join(out, 'README'))
})

test('attack 165: an export never writes through a link, nor out of its folder', async () => {
  const [out, elsewhere] = [join(folder, 'linked'), join(folder, 'elsewhere')]
  await mkdir(elsewhere)
  await mkdir(out)
  await symlink(elsewhere, join(out, 'content'))
  const { code, stderr } = await postern(site, ['export', out])
  assert.equal(code, 4, stderr)
  assert.deepEqual(await readdir(elsewhere, { recursive: true }).then((all) => all.filter((name) => name.endsWith('.md'))), [])
})

for (const [database, form] of [
  ['sqlite', 'folder'],
  ['sqlite', 'tar'],
  ['postgres', 'zip'],
] as const)
  test(`export, an empty site, import, export: equal (${database}, ${form})`, async () => {
    const [out, back] = [join(folder, 'out'), join(folder, `back-${database}-${form}`)]
    const from = form === 'folder' ? out : join(folder, `out.${form}`)
    if (form !== 'folder') assert.equal((await postern(site, ['export', from])).code, 0)
    await using other = await openSite({ database })
    const planned = await other.postern(['import', '--dry-run', from])
    assert.equal(planned.code, 0, planned.stderr)
    const imported = await other.postern(['import', from])
    assert.equal(imported.code, 0, imported.stderr + imported.stdout)
    const exported = await other.postern(['export', back])
    assert.equal(exported.code, 0, exported.stderr)
    const [before, after] = [await filesIn(out), await filesIn(back)]
    const known = (files: Map<string, string>) => [...files].filter(([name]) => name !== 'postern.yaml')
    assert.deepEqual(Object.fromEntries(known(after)), Object.fromEntries(known(before)))
    const again = await other.postern(['import', '--json', '--delete-missing', from])
    assert.deepEqual(JSON.parse(again.stdout), { called: [], failed: [], passed_over: [], activity_id: null })
    assert.deepEqual(await readdir(join(other.home, 'data', 'imports')).catch(() => []), [], 'nothing of an archive is left')
  })

/** Sends a file through an upload link, and imports it. @returns the report */
async function importByDoor(at: TestSite, file: Buffer, options: Record<string, unknown> = {}) {
  const { url, file: id } = await at.call('SVC_Import.begin-upload', { filename: 'site.zip' })
  const link = new URL(url)
  await at.send(link.pathname + link.search, { method: 'PUT', body: file, token: null })
  const found = await at.call('SVC_Import.inspect', { file: id, ...options })
  const { run } = await at.call('SVC_Import.run', { file: id, ...options })
  return { found, report: (await at.call('SVC_Import.get', { id: run })).item }
}

const withoutMark = (files: Map<string, string>) => Object.fromEntries([...files].filter(([name]) => name !== 'postern.yaml'))

test('the zip of a whole site comes back through the door, and one undo takes all of it back', async () => {
  const [from, back, empty, undone] = ['door.zip', 'door-back', 'door-empty', 'door-undone'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  assert.equal((await postern(site, ['export', from])).code, 0)
  await using other = await openSite({ env: { POSTERN_JOB_WAIT_SECONDS: '120' } })
  await other.postern(['export', empty])
  const { found, report } = await importByDoor(other, await readFile(from))
  assert.deepEqual([found.format, report.format, report.state], ['postern', 'postern', 'done'])
  assert.deepEqual(found.counts, Object.fromEntries(Object.keys(found.counts).map((name) => [name, report.counts[name]])))
  assert.deepEqual([found.losses, report.losses, report.counts['entries.made']], [[], [], found.counts.entries])
  await other.postern(['export', back])
  assert.deepEqual(withoutMark(await filesIn(back)), withoutMark(await filesIn(join(folder, 'out'))))
  assert.deepEqual(
    (await readdir(join(other.home, 'data', 'imports'))).filter((name) => name.startsWith('own-')),
    [],
  )
  await other.call('SVC_Activity.undo', { ids: [report.activity_id] })
  await other.postern(['export', undone])
  assert.deepEqual(await filesIn(undone), await filesIn(empty))
})

test('the zip of an export asks before it overwrites, and takes no option that would change it', async () => {
  const from = join(folder, 'door.zip')
  await using other = await openSite({ env: { POSTERN_JOB_WAIT_SECONDS: '120' } })
  await other.call('SVC_Content.create', { type: 'page', title: 'Ours', slug: 'about', status: 'published' })
  const { found, report } = await importByDoor(other, await readFile(from), { on_clash: 'skip', site: 'never' })
  assert.deepEqual(
    [found.clashes, report.clashes].map(([clash]) => [clash.path, clash.why]),
    Array.from({ length: 2 }, () => ['/about', 'it stays as it is here']),
  )
  assert.deepEqual([(await other.call('SVC_Content.get', { id: '/about' })).item.title, found.settings], ['Ours', {}])
  const refused = await other.api('SVC_Import.run', { file: 'latest', status: 'draft' })
  assert.match(refused.text, /comes back as it was/)
})

for (const way of ['command', 'door'])
  test(`the entries of an export in Markdown come back with types, terms, languages and media, by the ${way}`, async () => {
    const [from, back] = [join(folder, `markdown-${way}.zip`), join(folder, `markdown-${way}-back`)]
    await postern(site, ['export', '--format', 'markdown', from])
    await postern(site, ['export', '--format', 'markdown', join(folder, 'markdown')])
    await using other = await openSite({ env: { POSTERN_JOB_WAIT_SECONDS: '120' } })
    if (way === 'door') assert.deepEqual((await importByDoor(other, await readFile(from))).report.losses, [])
    else {
      const imported = await other.postern(['import', from])
      assert.equal(imported.code, 0, imported.stderr + imported.stdout)
      const refused = await other.postern(['import', '--delete-missing', from])
      assert.match(refused.stderr, /nothing can be told to be missing/)
    }
    await other.postern(['export', '--format', 'markdown', back])
    const [wanted, came] = [await filesIn(join(folder, 'markdown')), await filesIn(back)]
    assert.ok(wanted.has('types.yaml') && wanted.has('content/bread/apple/index.md') && !wanted.has('settings.yaml'))
    assert.deepEqual(withoutMark(came), withoutMark(wanted))
  })

test('an edited folder is the truth: texts change, and what is missing goes where that is asked for', async () => {
  const out = join(folder, 'out')
  const apple = join(out, 'content/bread/apple/index.md')
  const text = await readFile(apple, 'utf8')
  await writeFile(
    apple,
    text
      .replace('price: 4.5', 'price: 5')
      .replace(/^excerpt: .*\n/m, '')
      .concat('\n\nNow with nuts.'),
  )
  const about = join(out, 'content/about/index.md')
  for (const file of [about, join(out, 'content/about/staged.md')])
    await writeFile(file, (await readFile(file, 'utf8')).replace('  description: Who we are\n', ''))
  await rm(join(out, 'content/bread/sourdough'), { recursive: true })
  const kept = await postern(site, ['import', '--json', out])
  assert.deepEqual(JSON.parse(kept.stdout).called, [
    { call: 'SVC_Content.put', path: 'content/about/index.md' },
    { call: 'SVC_Content.put', path: 'content/bread/apple/index.md' },
    { call: 'SVC_Content.put', path: 'content/about/staged.md' },
  ])
  const { item: page } = await stored('/about')
  assert.deepEqual([page.seo.description, typeof page.seo.image], [null, 'string'])
  const { item } = await stored('/bread/apple')
  assert.deepEqual([item.fields.price, item.excerpt, item.body.endsWith('Now with nuts.')], [5, null, true])
  const gone = await postern(site, ['import', '--json', '--delete-missing', out])
  assert.deepEqual(JSON.parse(gone.stdout).called, [{ call: 'SVC_Content.delete', path: 'content/bread/sourdough/index.md' }])
  assert.equal((await stored('/bread/sourdough')).item.status, 'trash')
  await site.call('SVC_Activity.undo', { ids: [JSON.parse(kept.stdout).activity_id] })
  assert.equal((await stored('/bread/apple')).item.fields.price, 4.5, 'one undo takes the import back')
})

test('a folder that is no export, and a broken file, change nothing', async () => {
  const [empty, out] = [join(folder, 'empty'), join(folder, 'out')]
  await mkdir(empty)
  const none = await postern(site, ['import', empty])
  assert.equal(none.code, 4)
  assert.match(none.stderr, /Nothing in "empty" is in a format that can be imported/)
  await writeFile(join(out, 'menus.yaml'), '- slug: [')
  const broken = await postern(site, ['import', out])
  assert.equal(broken.code, 4)
  assert.match(broken.stderr, /menus\.yaml is no YAML/)
})

const download = async (format: string, token = site.token) => {
  const { url, filename } = await site.call('SVC_Export.run', { format }, { token })
  const reply = await site.send(new URL(url).pathname, { token: null })
  return { url, filename, reply }
}

test('a link gives each format, without a token and to nobody else', async () => {
  const zip = await download('postern')
  assert.equal(zip.reply.status, 200)
  assert.equal(zip.reply.headers.get('content-type'), 'application/zip')
  assert.match(zip.reply.headers.get('content-disposition') ?? '', /^attachment; filename="?site\.zip/)
  assert.match(zip.reply.headers.get('cache-control') ?? '', /no-store/)
  assert.ok(zip.reply.text.startsWith('PK'))
  const csv = (await download('csv')).reply
  assert.match(csv.text, /^path,url,title,type,status,/)
  assert.match(csv.text, /^\/bread\/apple,/m)
  const wxr = (await download('wxr')).reply
  assert.match(wxr.text, /<wp:wxr_version>1\.2<\/wp:wxr_version>/)
  assert.match(wxr.text, /<wp:post_name><!\[CDATA\[apple\]\]><\/wp:post_name>/)
  const back = partsOfKind(await partsOf(wxrFormat, sourceOf({ 'wordpress.xml': wxr.text })), 'comment')
  assert.deepEqual(
    back.map(({ name, email, website, approved, parent, postedAt, html }) => ({
      name,
      email,
      website,
      approved,
      answers: parent === back[0]?.id,
      postedAt,
      html,
    })),
    [
      {
        name: 'Ann "the oven"',
        email: 'ann@example.net',
        website: undefined,
        approved: true,
        answers: false,
        html: '<p>&lt;b&gt;Good&lt;/b&gt;, warm.</p><p>Twice.</p>',
      },
      { name: 'Cy', email: undefined, website: undefined, approved: false, answers: false, html: '<p>Not read yet.</p>' },
      {
        name: 'Bo',
        email: undefined,
        website: 'https://bo.example/?a=1&b=2',
        approved: true,
        answers: true,
        html: '<p>=1+1, it is</p>',
      },
    ].map((one) => ({ ...one, postedAt: { utc: Date.parse(told.posted_at) } })),
  )
  const other = zip.url.replace('site.zip', 'wordpress.xml')
  assert.equal((await site.send(new URL(other).pathname, { token: null })).status, 404)
})

test('a tar comes out of a pipe, and a format of one file comes in none', async () => {
  const { url, filename } = await site.call('SVC_Export.run', { format: 'markdown', archive: 'tar' })
  assert.equal(filename, 'markdown.tar')
  const unpacked = join(folder, 'unpacked')
  await mkdir(unpacked)
  await promisify(execFile)('sh', ['-c', 'curl -fsS "$1" | tar x -C "$2"', 'sh', url, unpacked])
  const present = join(folder, 'present')
  await postern(site, ['export', '--format', 'markdown', present])
  const files = await filesIn(present)
  files.delete('.postern-export')
  assert.deepEqual(withoutMark(await filesIn(unpacked)), withoutMark(files))
  const refused = await site.api('SVC_Export.run', { format: 'wxr', archive: 'tar' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /The format `wxr` is one file, so it comes in no archive/)
})

test('a token that only reads has the texts, and not the settings', async () => {
  const { token: secret } = await site.call('SVC_Tokens.create', { name: 'reader', scope: 'read' })
  const refused = await site.api('SVC_Export.run', { format: 'postern' }, { token: secret })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /needs the tier admin/)
  const { reply } = await download('wxr', secret)
  assert.equal(reply.status, 200)
  for (const hidden of ['private.svg', 'ann@example.net', 'wp:comment>']) assert.ok(!reply.text.includes(hidden), hidden)
})
