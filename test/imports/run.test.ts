// An import from the file to the site: by the command, as the owner of an old site does it.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { csvLines } from '../../src/base/csv.ts'
import { readRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'
import { oldFile, oldItem, oldPoint, oldSite, oldUrl } from './old-site.ts'

const folder = await mkdtemp(join(tmpdir(), 'postern-import-'))
after(() => rm(folder, { recursive: true, force: true }))

const category = '<category domain="category" nicename="bread"><![CDATA[Bread]]></category>'
const comment = `<wp:comment><wp:comment_id>9</wp:comment_id><wp:comment_author><![CDATA[Bo]]></wp:comment_author>
<wp:comment_author_email>bo@elsewhere.example</wp:comment_author_email><wp:comment_date_gmt>2019-05-05 10:00:00</wp:comment_date_gmt>
<wp:comment_content><![CDATA[Good <script>alert(1)</script>bread]]></wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>`

const items = [
  oldItem({
    id: 1,
    title: 'Rye',
    slug: 'rye',
    terms: category,
    more: comment,
    body: `<p>See <a href="${oldUrl}/2019/05/wheat/">wheat</a>, <a href="${oldUrl}/gone/">gone</a>.</p><img src="${oldUrl}/wp-content/uploads/2019/05/loaf-300x200.jpg" alt="A loaf"><script>alert(1)</script>`,
  }),
  oldItem({ id: 2, title: 'Wheat', slug: 'wheat' }),
  oldItem({ id: 4, title: 'Team', slug: 'team', type: 'page', parent: 3, link: '/about-us/team/' }),
  oldItem({ id: 3, title: 'About us', slug: 'about-us', type: 'page', link: '/about-us/' }),
  oldItem({ id: 5, title: 'Secret', slug: 'secret', password: 'hunter2' }),
  oldItem({ id: 6, title: 'Diary', slug: 'diary', status: 'private' }),
  oldItem({ id: 7, title: 'Recipe', slug: 'soup', type: 'recipe', link: '/recipe/soup/' }),
  oldFile(10, '2019/05/loaf.jpg'),
]

async function fixture(): Promise<{ file: string; media: string }> {
  const file = join(folder, 'export.xml')
  await writeFile(file, oldSite(items.join('')))
  const media = join(folder, 'uploads')
  await mkdir(join(media, '2019/05'), { recursive: true })
  const loaf = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#963' } })
    .jpeg()
    .toBuffer()
  await writeFile(join(media, '2019/05/loaf.jpg'), loaf)
  return { file, media }
}

async function imported(site: TestSite, ...args: readonly string[]) {
  const { code, stdout, stderr } = await site.postern(['import', '--json', ...args])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

const pathsOf = async (site: TestSite): Promise<string[]> => {
  const { items: entries } = await site.call('SVC_Content.list', { limit: 100 })
  return entries.map(({ path }: { path: string }) => path).sort()
}

test('a site comes with texts, pictures, terms, parents, authors and old addresses; once more it changes nothing; one undo takes it back', async () => {
  await using site = await openSite()
  const before = await pathsOf(site)
  const { file, media } = await fixture()
  const found = await imported(site, '--inspect', '--media', media, file)
  assert.deepEqual(await pathsOf(site), before, 'inspect changes nothing')
  assert.equal(found.media.in_files, 1)
  const done = await imported(site, '--media', media, file)
  for (const name of ['entries', 'type.post', 'status.held', 'comments'])
    assert.equal(done.counts[name], found.counts[name], `${name}: what inspect counts is what comes`)
  assert.equal(done.counts['entries.made'], 7)
  const { items: comments } = await site.call('SVC_Comments.list', {})
  assert.equal(comments.length, done.counts['comments.kept'])
  assert.ok(comments.length > 0)
  for (const { source, status, body } of comments) {
    assert.equal(source, 'import')
    assert.match(status, /^(?:approved|pending)$/)
    assert.doesNotMatch(body, /<[a-z]/)
  }
  const paths = await pathsOf(site)
  for (const path of ['/rye', '/wheat', '/about-us', '/about-us/team', '/recipe/soup']) assert.ok(paths.includes(path), path)

  const { item: rye } = await site.call('SVC_Content.get', { id: '/rye' })
  assert.equal(rye.published_at, '2019-05-04T10:00:00.000Z')
  assert.equal(rye.updated_at, '2020-01-01T00:00:00.000Z')
  assert.match(rye.body, /\[wheat\]\(\/wheat\)/)
  assert.match(rye.body, /!\[A loaf\]\(\/media\/loaf\.jpg/)
  assert.doesNotMatch(rye.body, /script|alert/, 'attack 163')
  assert.deepEqual(
    done.links.map(({ name }: { name: string }) => name),
    [`${oldUrl}/gone/`],
  )
  const page = await site.send('/2019/05/rye/', { token: null })
  assert.equal(page.status, 301)
  assert.match(page.headers.get('location') ?? '', /\/rye$/, 'the old address leads to the entry')
  // Attack 164: what was private stays out of sight.
  for (const path of ['/secret', '/diary', '/2019/05/secret']) assert.equal((await site.send(path, { token: null })).status, 404)
  assert.equal(done.counts['entries.held'], 2)
  assert.doesNotMatch(JSON.stringify(done), /hunter2/)

  const { item: run } = await site.call('SVC_Import.get', { id: 'latest' })
  const csv = await site.send(new URL(run.addresses_url).pathname, { token: null })
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
  const table = new Map([...csvLines(csv.text)].map(({ cells: [from = '', ...rest] }) => [from, rest]))
  assert.deepEqual(table.get('from'), ['to', 'kind', 'state'])
  for (const [from, path, kind, state] of [
    ['/2019/05/rye/', '/rye', 'entry', 'published'],
    ['/about-us/team/', '/about-us/team', 'entry', 'published'],
    ['/2019/05/secret/', '/secret', 'entry', 'draft'],
    ['/wp-content/uploads/2019/05/loaf.jpg', '/media/loaf.jpg', 'media', 'published'],
  ] as const)
    assert.deepEqual(table.get(oldUrl + from), [`${site.base}${path}`, kind, state], from)
  assert.equal(table.get('/?cat=5')?.[0], `${site.base}/category/bread`)

  const list = join(folder, 'addresses.csv')
  const again = await imported(site, '--media', media, '--addresses', list, file)
  assert.equal((await readFile(list, 'utf8')).split('\r\n').length, table.size + 1, 'the command writes the same list')
  assert.equal(again.counts['entries.unchanged'], 7)
  assert.equal(again.counts['entries.made'], undefined)
  assert.deepEqual(await pathsOf(site), paths)

  const { activity_id: second } = again
  assert.deepEqual(second === done.activity_id, false)
  await site.call('SVC_Content.update', { id: '/wheat', title: 'Wheat, by me' })
  const undone = await site.call('SVC_Activity.undo', { ids: [done.activity_id] })
  const { items: runs } = await site.call('SVC_Import.list')
  assert.deepEqual(
    runs.map((run: any) => [run.activity_id === done.activity_id, run.taken_back]).toSorted(),
    [
      [false, false],
      [true, true],
    ],
    'the run says that it was taken back',
  )
  assert.ok(
    undone.skipped.some(({ reason }: { reason: string }) => /Wheat/.test(reason)),
    'what was changed is named',
  )
  assert.deepEqual(
    (await pathsOf(site)).filter((path) => !before.includes(path)),
    ['/wheat'],
  )
  assert.equal((await site.call('SVC_Terms.list', { taxonomy: 'category' })).items.length, 0)
  assert.equal((await site.call('SVC_Media.list')).items.length, 0)
  const listed = await site.call('SVC_Activity.list', { limit: 100 })
  assert.ok(listed.items.length < 20, 'the list has the import as one record')

  const third = await imported(site, '--media', media, file)
  assert.equal(third.counts['entries.made'], 6, 'what the undo took back comes again')
  assert.deepEqual(
    third.conflicts.map(({ path }: { path: string }) => path),
    ['/wheat'],
  )
})

test('inspect and the report count blocks, shortcodes and meta keys, known and unknown, with an example', async () => {
  await using site = await openSite()
  const file = join(folder, 'blocks.xml')
  const blocks = '<!-- wp:paragraph --><p>One</p><!-- /wp:paragraph -->'
  const meta = '<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>4</wp:meta_value></wp:postmeta>'
  const texts = [
    `${blocks}${blocks}<!-- wp:acme/map {"zoom":3} /-->`,
    'A [gallery] and [rev_slider alias="x"] [/rev_slider] or [1].',
  ]
  await writeFile(file, oldSite(texts.map((body, id) => oldItem({ id, title: 'T', slug: `t-${id}`, body, more: meta })).join('')))
  const found = await imported(site, '--inspect', '--media', 'none', file)
  const rows = (of: { constructs: { group: string; name: string; count: number }[] }) =>
    of.constructs.map(({ group, name, count }) => `${count} ${group} ${name}`)
  assert.deepEqual(rows(found), [
    '2 block wp:paragraph',
    '1 block wp:acme/map',
    '2 meta _thumbnail_id',
    '1 shortcode [gallery]',
    '1 shortcode [rev_slider]',
  ])
  assert.match(found.constructs[0].where, /\/t-0\/$/)
  const done = await imported(site, '--media', 'none', file)
  assert.deepEqual(done.constructs, found.constructs, 'what inspect counts is what comes')
})

test('the undo of an import takes its comments back, and keeps those that were approved or written since, with their entries', async () => {
  await using site = await openSite()
  await site.call('SVC_Settings.update', { set: { comments: ['post'] } })
  const file = join(folder, 'commented.xml')
  const held = (id: number, word: string) =>
    comment.replace('<wp:comment_id>9<', `<wp:comment_id>${id}<`).replace('bread', word).replace('approved>1<', 'approved>0<')
  const old = (id: number, title: string, more: string) => oldItem({ id, title, slug: title.toLowerCase(), more })
  await writeFile(
    file,
    oldSite(
      [old(1, 'Plain', comment), old(2, 'Approved', held(10, 'rolls')), old(3, 'Written', ''), old(4, 'Spam', '')].join(''),
    ),
  )
  const done = await imported(site, '--media', 'none', file)
  const list = async () => (await site.call('SVC_Comments.list', {})).items
  const rolls = (await list()).find(({ body }: { body: string }) => /rolls/.test(body))
  await site.call('SVC_Comments.moderate', { ids: [rolls.id], status: 'approved' })
  const write = (path: string, text: string, website = '') =>
    site.send(path, {
      token: null,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ do: 'comment', name: 'Visitor', text, website }).toString(),
    })
  assert.equal((await write('/written', 'A word of a visitor')).status, 303)
  assert.equal((await write('/spam', 'Buy', 'https://spam.example')).status, 303)
  const { skipped } = await site.call('SVC_Activity.undo', { ids: [done.activity_id] })
  const reasons: string = skipped.map(({ reason }: { reason: string }) => reason).join('\n')
  assert.match(reasons, /^comment "Bo"[^\n]* was changed since, and stays$/m)
  assert.equal(reasons.match(/^entry [^\n]* it has comments, which would be lost: delete it instead$/gm)?.length, 2)
  assert.deepEqual((await list()).map(({ body }: { body: string }) => body).sort(), ['A word of a visitor', 'Good rolls'].sort())
  const paths = await pathsOf(site)
  for (const [path, stays] of [
    ['/plain', false],
    ['/approved', true],
    ['/written', true],
    ['/spam', false],
  ] as const)
    assert.equal(paths.includes(path), stays, path)
  assert.match((await site.send('/approved', { token: null })).text, /Good rolls/)
  // An undo once more changes nothing of that, and neither does one of a single creation.
  const { item, activity_id: made } = await site.call('SVC_Content.create', {
    type: 'post',
    title: 'Own',
    status: 'published',
    body: 'a',
  })
  await site.call('SVC_Comments.create', { entry: item.id, body: 'A note' })
  const refused = await site.api('SVC_Activity.undo', { ids: [made] })
  assert.match(refused.json.error.message, /comments, which would be lost/)
})

test('a newer export updates what nobody changed here, and names what somebody changed', async () => {
  await using site = await openSite()
  const file = join(folder, 'newer.xml')
  const write = (body: string) =>
    writeFile(
      file,
      oldSite(
        [oldItem({ id: 1, title: 'One', slug: 'one', body }), oldItem({ id: 2, title: 'Two', slug: 'two', body })].join(''),
      ),
    )
  await write('First.')
  await imported(site, '--media', 'none', file)
  await site.call('SVC_Content.update', { id: '/two', body: 'Mine.' })
  await write('Second.')
  const { counts, conflicts } = await imported(site, '--media', 'none', file)
  assert.equal(counts['entries.updated'], 1)
  assert.deepEqual(
    conflicts.map(({ path }: { path: string }) => path),
    ['/two'],
  )
  const bodies = await Promise.all(['/one', '/two'].map(async (id) => (await site.call('SVC_Content.get', { id })).item.body))
  assert.deepEqual(bodies, ['Second.', 'Mine.'])
})

test('a file that was cut off comes as far as it goes, and that is said first', async () => {
  await using site = await openSite()
  const [one, two] = ['One', 'Two'].map((title, at) => oldItem({ id: at + 1, title, slug: title.toLowerCase() })) as [
    string,
    string,
  ]
  const file = join(folder, 'cut.xml')
  const whole = oldSite(one + two)
  await writeFile(file, whole.slice(0, whole.indexOf('<title>Two')))
  const { stderr } = await site.postern(['import', '--inspect', file])
  assert.match(stderr, /cut\.xml: the file ends early, after 1 whole items\. This is not the whole site: export it again\./)
  const { losses, counts } = await imported(site, '--media', 'none', file)
  assert.deepEqual([losses[0].group, counts['entries.made']], ['incomplete', 1])
})

test('a path that is taken is skipped, overwritten or numbered, as asked', async () => {
  await using site = await openSite()
  await site.call('SVC_Content.create', { type: 'post', title: 'Mine', slug: 'one', body: 'Mine.' })
  const clash = async (name: string, mode: string) => {
    const file = join(folder, `${name}.xml`)
    await writeFile(file, oldSite(oldItem({ id: 1, title: 'Theirs', slug: 'one' })).replaceAll(oldUrl, `https://${name}.example`))
    return imported(site, '--media', 'none', '--on-clash', mode, file)
  }
  assert.equal((await clash('a', 'skip')).counts['entries.skipped'], 1)
  const copied = await clash('b', 'copy')
  assert.deepEqual(
    copied.clashes.map(({ path, why }: { path: string; why: string }) => [path, why]),
    [['/one', '"Mine" has this path here; the entry is at /one-2']],
  )
  assert.equal((await site.call('SVC_Content.get', { id: '/one-2' })).item.title, 'Theirs')
  const linked = oldItem({ id: 2, title: 'Linking', slug: 'linking', body: `<p><a href="${oldUrl}/one/">theirs</a></p>` })
  await writeFile(join(folder, 'd.xml'), oldSite(oldItem({ id: 1, title: 'Third', slug: 'one', link: '/one/' }) + linked))
  await imported(site, '--media', 'none', '--on-clash', 'copy', join(folder, 'd.xml'))
  assert.equal((await site.call('SVC_Content.get', { id: '/one-3' })).item.title, 'Third')
  assert.equal((await site.call('SVC_Content.get', { id: '/linking' })).item.body, '[theirs](/one-3)')
  const doubles = [
    oldItem({ id: 11, title: 'First', slug: 'same' }),
    oldItem({ id: 12, title: 'Second', slug: 'same', link: '/b/' }),
  ]
  await writeFile(join(folder, 'doubles.xml'), oldSite([...doubles, oldItem({ id: 13, title: 'Ours', slug: 'admin' })].join('')))
  const doubled = await imported(site, '--media', 'none', '--inspect', join(folder, 'doubles.xml'))
  assert.deepEqual(doubled.clashes.map(({ why }: { why: string }) => why).sort(), [
    'another entry of the import has this path; the entry is at /same-2',
    'the path is reserved here; the entry is at /admin-2',
  ])
  for (const report of [copied, doubled])
    assert.doesNotMatch(JSON.stringify(report.losses), /path/, 'an entry that came is no loss: its path is told once')
  await clash('c', 'update')
  assert.equal((await site.call('SVC_Content.get', { id: '/one' })).item.title, 'Theirs')
})

test('a name that is reserved in a language has its number before links are written', async () => {
  await using site = await openSite()
  await site.call('SVC_Settings.update', { set: { languages: ['de', 'pt-BR'] } })
  const tree = join(folder, 'reserved')
  for (const [path, text] of [
    ['content/search.de.md', '---\ntitle: Suche\n---\nHier.'],
    ['content/about.de.md', '---\ntitle: Über\n---\n[Zur Suche]({{< relref "search.md" >}})'],
    ['content/pt-br.md', '---\ntitle: Brasil\n---\nAqui.'],
    ['hugo.toml', 'title = "Old"\ndefaultContentLanguage = "en"\n[languages.en]\n[languages.de]\n'],
  ] as const) {
    await mkdir(dirname(join(tree, path)), { recursive: true })
    await writeFile(join(tree, path), text)
  }
  await imported(site, '--media', 'none', tree)
  assert.equal((await site.call('SVC_Content.get', { id: '/de/search-2' })).item.title, 'Suche')
  assert.equal((await site.call('SVC_Content.get', { id: '/de/about' })).item.body, '[Zur Suche](/de/search-2)')
  assert.equal((await site.call('SVC_Content.get', { id: '/pt-br-2' })).item.title, 'Brasil')
})

test('the path of an entry that was imported before goes to no new one, whichever comes first', async () => {
  await using site = await openSite()
  const file = join(folder, 'moved.xml')
  const write = (...items: readonly string[]) => writeFile(file, oldSite(items.join('')))
  await write(oldItem({ id: 2, title: 'Old', slug: 'x', type: 'page' }))
  await imported(site, '--media', 'none', file)
  const before = (await site.call('SVC_Content.get', { id: '/x' })).item
  const above = oldItem({ id: 3, title: 'Above', slug: 'y', type: 'page' })
  const moved = oldItem({ id: 2, title: 'Old', slug: 'x', type: 'page', parent: 3 })
  await write(oldItem({ id: 1, title: 'New', slug: 'x', type: 'page' }), above, moved)
  await imported(site, '--media', 'none', '--on-clash', 'update', file)
  const { items } = await site.call('SVC_Content.list', { where: { type: 'page' }, sort: 'title' })
  assert.deepEqual(
    items.map(({ title }: { title: string }) => title),
    ['Above', 'New', 'Old'],
  )
  assert.equal((await site.call('SVC_Content.get', { id: before.id })).item.title, 'Old')
})

test('title and tagline come to a site that has none of its own, and stay as somebody set them here', async () => {
  await using site = await openSite()
  const file = join(folder, 'titled.xml')
  const write = (title: string, language = 'en-US') =>
    writeFile(
      file,
      oldSite(oldItem({ id: 1, title: 'One', slug: 'one' }))
        .replace('<title>Old site<', `<title>${title}<`)
        .replace('<language>en-US', `<language>${language}`),
    )
  const settings = async () => {
    // The service sees what the command wrote within a second; another command sees it at once.
    const { stdout } = await site.postern(['call', 'SVC_Settings.list', '--json'])
    const { items: all } = JSON.parse(stdout).data
    const values = new Map(all.map(({ key, value }: { key: string; value: unknown }) => [key, value]))
    return ['site_title', 'site_tagline', 'language'].map((key) => values.get(key))
  }
  await write('Old &amp; good')
  await site.call('SVC_Settings.update', { set: { site_tagline: 'Mine' } })
  const run = (...args: readonly string[]) => imported(site, '--media', 'none', ...args, file)
  const found = await run('--inspect')
  assert.deepEqual(found.settings, { site_title: 'Old & good' })
  const first = await run()
  assert.deepEqual(first.settings, found.settings)
  assert.ok(first.losses.some(({ name }: { name: string }) => name.startsWith('site_tagline')))
  assert.deepEqual(await settings(), ['Old & good', 'Mine', 'en'])
  await write('Older')
  await run()
  assert.deepEqual(await settings(), ['Older', 'Mine', 'en'], 'what the import set follows the old site')
  await site.call('SVC_Settings.update', { set: { site_title: 'Mine too' } })
  await write('Oldest')
  await run()
  assert.deepEqual(await settings(), ['Mine too', 'Mine', 'en'])
  const { activity_id: id } = await run('--site', 'always')
  assert.deepEqual(await settings(), ['Oldest', 'Fresh every day', 'en'])
  await site.call('SVC_Activity.undo', { ids: [id] })
  assert.deepEqual(await settings(), ['Mine too', 'Mine', 'en'], 'one undo takes them back with the import')

  await using empty = await openSite({ bare: true })
  await write('Alt', 'de-DE')
  const { code, stdout, stderr } = await empty.postern(['import', '--json', '--media', 'none', file])
  assert.equal(code, 0, stderr)
  assert.deepEqual(JSON.parse(stdout).settings, { site_title: 'Alt', site_tagline: 'Fresh every day', language: 'de-DE' })
})

test('a menu of an earlier import follows the old site, unless somebody changed it here', async () => {
  await using site = await openSite()
  const file = join(folder, 'menus.xml')
  const pages = [1, 2].map((id) => oldItem({ id, title: `Page ${id}`, slug: `page-${id}`, type: 'page' })).join('')
  const run = async (...points: readonly string[]) => {
    await writeFile(file, oldSite(pages + points.join('')))
    return imported(site, '--media', 'none', file)
  }
  const menu = async () => (await site.call('SVC_Menus.get', { id: 'main' })).item
  assert.equal((await run(oldPoint(11, 1, 1))).counts['menus.made'], 1)
  const before = await menu()
  assert.equal(before.location, 'main', 'a menu of this name is the main one')
  assert.equal((await run(oldPoint(11, 1, 1))).counts['menus.unchanged'], 1)
  assert.equal((await menu()).revision, before.revision)
  assert.equal((await run(oldPoint(12, 1, 2), oldPoint(11, 2, 1))).counts['menus.updated'], 1)
  const labels = async () => (await menu()).items.map(({ label, url }: { label: string; url: string }) => label ?? url)
  assert.equal((await labels()).length, 2)
  assert.equal((await menu()).items[1].id, before.items[0].id, 'an item that stays keeps its id')
  await site.call('SVC_Menus.update', { id: 'main', items: [{ label: 'Mine', url: 'https://else.example/' }] })
  const { conflicts } = await run(oldPoint(13, 1, 'https://else.example/2'))
  assert.deepEqual(
    conflicts.map(({ kind }: { kind: string }) => kind),
    ['menu'],
  )
  assert.deepEqual(await labels(), ['Mine'])
})

test('columns and front matter fill the fields of a type; what a field does not take is named with it', async () => {
  await using site = await openSite()
  const fields = [
    { name: 'price', kind: 'number' },
    { name: 'made_on', kind: 'date', required: true },
    { name: 'colours', kind: 'text', many: true },
    { name: 'sold', kind: 'boolean' },
  ]
  await site.call('SVC_Types.create', { slug: 'boat', name: 'Boat', fields })
  const table = join(folder, 'boats.csv')
  const lines = [
    'Name,Cost,made_on,Colours,sold,Owner',
    'Gull,"12,5",2026-01-02,red|blue,yes,Bo',
    'Tern,cheap,2026-01-03,,no,',
    'Auk,3,,,,',
  ]
  await writeFile(table, lines.join('\n'))
  const map = ['--map', 'Name=title', '--map', 'Colours=colours', '--type', 'boat']
  const wrong = await site.postern(['import', '--json', ...map, '--map', 'Cost=prize', table])
  assert.notEqual(wrong.code, 0)
  assert.match(wrong.stdout + wrong.stderr, /No type of this import \(boat\) has a field \\?"prize\\?"/)
  const found = await imported(site, '--inspect', ...map, '--map', 'Cost=price', table)
  const done = await imported(site, ...map, '--map', 'Cost=price', table)
  for (const { losses } of [found, done]) {
    const named = losses.map(({ group, name, reason }: Record<string, string>) => `${group} ${name}: ${reason}`)
    assert.ok(named.includes('meta owner: no field of the site takes it'), named.join('\n'))
    assert.ok(
      named.some((one: string) => /^field price → price: .*number/.test(one)),
      named.join('\n'),
    )
  }
  const boat = async (id: string) => (await site.call('SVC_Content.get', { id })).item
  assert.deepEqual((await boat('/boat/gull')).fields, {
    price: 12.5,
    made_on: '2026-01-02',
    colours: ['red', 'blue'],
    sold: true,
  })
  assert.deepEqual((await boat('/boat/tern')).fields, { price: null, made_on: '2026-01-03', colours: null, sold: false })
  const { items: drafts } = await site.call('SVC_Content.list', { where: { type: 'boat', status: 'draft' } })
  assert.deepEqual(
    drafts.map(({ title }: { title: string }) => title),
    ['Auk'],
    'an entry without a required value is a draft',
  )
  const tree = join(folder, 'fleet')
  await mkdir(tree, { recursive: true })
  await writeFile(
    join(tree, 'puffin.md'),
    '---\ntitle: Puffin\nprix: 4\nmade_on: 2026-02-03\ncolours: [grey]\nsold: false\nsails: [a, b]\n---\nA boat.\n',
  )
  const types = ['--map', 'type:post=boat', '--map', 'type:page=boat', '--map', 'prix=price']
  const { losses } = await imported(site, ...types, tree)
  const { items: puffins } = await site.call('SVC_Content.list', { where: { title: 'Puffin' } })
  assert.deepEqual((await boat(puffins[0].id)).fields, { price: 4, made_on: '2026-02-03', colours: ['grey'], sold: false })
  assert.ok(losses.some(({ name }: { name: string }) => name === 'sails'))
})

test('entries of several languages come below the paths of their languages, with the same slug', async () => {
  await using site = await openSite()
  const file = join(folder, 'languages.xml')
  const language = (code: string) => `<category domain="language" nicename="${code}">${code}</category>`
  const about = (id: number, code: string) =>
    oldItem({ id, title: code, slug: 'about', type: 'page', link: `/${code}/about/`, terms: language(code) })
  await writeFile(file, oldSite([about(1, 'en'), about(2, 'de')].join('')))
  const found = await imported(site, '--inspect', file)
  assert.equal(found.settings.languages, 'de')
  assert.deepEqual(found.losses, [])
  const done = await imported(site, '--media', 'none', file)
  assert.deepEqual(done.settings, found.settings)
  assert.deepEqual(done.losses, [])
  const paths = await pathsOf(site)
  for (const path of ['/about', '/de/about']) assert.ok(paths.includes(path), path)
})

test('every old address of a tree leads to its place in one hop: files with marks in their names, terms, authors, years', async () => {
  await using site = await openSite()
  const tree = join(folder, 'tree')
  await mkdir(join(tree, 'content/posts'), { recursive: true })
  await writeFile(join(tree, 'hugo.toml'), 'baseURL = "https://old.example/"\n[[menu.main]]\nname = "Posts"\nurl = "posts/"')
  for (const name of ['rye #1', '50% off?'])
    await writeFile(
      join(tree, 'content/posts', `${name}.md`),
      `---\ntitle: ${JSON.stringify(name)}\ndate: 2019-05-04\nauthor: Anna\ntags: [Dark Bread]\n---\nText`,
    )
  const list = join(folder, 'tree.csv')
  await imported(site, '--media', 'files', '--addresses', list, tree)
  const cells = [...csvLines(await readFile(list, 'utf8'))].slice(1).map((line) => line.cells)
  assert.deepEqual(cells.map(([from]) => from).sort(), ['/posts/50%25 off%3f/', '/posts/rye %231/', '/tags/dark-bread/'])
  const lists = ['/author/anna/', '/2019/05/', '/2019/', '/posts/']
  const others = [...lists, '/index.xml', '/posts/index.xml', '/tags/dark-bread/index.xml']
  for (const asked of [...cells.map(([from = '']) => from.replaceAll(' ', '%20')), ...others]) {
    const hop = await site.send(asked, { token: null })
    assert.equal(hop.status, 301, asked)
    const end = await site.send(new URL(hop.headers.get('location') ?? '', site.base).pathname, { token: null })
    assert.equal(end.status, 200, `${asked} → ${hop.headers.get('location')}`)
  }
  assert.equal((await site.send('/2018/05/', { token: null })).status, 404)
  assert.equal((await site.call('SVC_Menus.get', { id: 'main' })).item.items[0].url, '/posts')
})

test('a picture that only a text names comes from the folder of uploads; without one it is named', async () => {
  await using site = await openSite()
  const { media } = await fixture()
  const file = join(folder, 'posts-only.xml')
  const image = (name: string) => `<img src="${oldUrl}/wp-content/uploads/2019/05/${name}.jpg" alt="">`
  const write = (...names: readonly string[]) =>
    writeFile(file, oldSite(oldItem({ id: 1, title: 'One', slug: 'one', body: names.map(image).join('') })))
  await write('loaf-300x200')
  const { losses, counts } = await imported(site, '--media', media, file)
  assert.deepEqual([counts['media.made'], losses], [1, []])
  assert.match((await site.call('SVC_Content.get', { id: '/one' })).item.body, /\/media\/loaf/)
  await using bare = await openSite()
  await write('loaf-300x200', 'gone')
  const alone = await imported(bare, '--media', 'files', file)
  const addresses = ['loaf-300x200', 'gone'].map((name) => `${oldUrl}/wp-content/uploads/2019/05/${name}.jpg`)
  assert.deepEqual(
    alone.losses.map(({ group, count, where }: Record<string, unknown>) => [group, count, where]),
    [['media', 2, addresses]],
  )
})

test('comments and members of an old site go out with the whole site and come back, for admins alone', async () => {
  await using site = await openSite()
  const file = join(folder, 'people.xml')
  await writeFile(file, oldSite(oldItem({ id: 1, title: 'Rye', slug: 'rye', more: comment })))
  await imported(site, '--media', 'none', file)
  const ghost = join(folder, 'people')
  await mkdir(ghost, { recursive: true })
  await writeFile(join(ghost, 'ghost.json'), JSON.stringify({ db: [{ meta: {}, data: { posts: [], users: [] } }] }))
  await writeFile(
    join(ghost, 'members.csv'),
    'id,email,name,note,subscribed_to_emails,created_at\n7,=cmd@else.example,"Bo, B",,true,2020-01-01T00:00:00.000Z\n8,an@else.example,,x,false,\n',
  )
  await imported(site, '--media', 'none', ghost)
  const peopleIn = async (at: TestSite) => {
    const rows = await readRows(at.home)
    const bare = (table: string) =>
      (rows[table] ?? []).map(({ run_id: _run, entry_id: entry, ...row }) => JSON.stringify({ ...row, has: entry !== null }))
    return [...bare('import_comment'), ...bare('import_member')].sort()
  }
  const kept = await peopleIn(site)
  assert.equal(kept.length, 3)
  const out = join(folder, 'people-out')
  assert.equal((await site.postern(['export', out])).code, 0)
  await using other = await openSite()
  const back = await other.postern(['import', out])
  assert.equal(back.code, 0, back.stderr)
  assert.deepEqual(await peopleIn(other), kept)
  const again = await other.postern(['import', '--json', out])
  const { called } = JSON.parse(again.stdout)
  assert.ok(
    !called.some(({ call }: { call: string }) => call === 'SVC_Import.put-people'),
    'what is there already stays untouched',
  )
  await writeFile(
    join(out, 'imported-comments.csv'),
    (await readFile(join(out, 'imported-comments.csv'), 'utf8')).replace('Good', '<script>x</script>Fine'),
  )
  await other.postern(['import', out])
  const [changed = ''] = (await peopleIn(other)).filter((row) => row.includes('Fine'))
  assert.doesNotMatch(changed, /script/, 'attack 163')
  const { token: reader } = await site.call('SVC_Tokens.create', { name: 'reader', scope: 'read' })
  for (const [format, token] of [
    ['markdown', undefined],
    ['wxr', reader as string],
    ['csv', undefined],
    ['static', undefined],
  ] as const) {
    const { json } = await site.api('SVC_Export.run', { format }, token === undefined ? {} : { token })
    const { text } = await site.send(new URL(json.data.url).pathname, { token: null })
    assert.equal(text.includes('else.example') || text.includes('elsewhere.example'), false, format)
  }
})
