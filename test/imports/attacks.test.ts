// Hostile imports through the whole run, by the command and by the upload link: attacks 161 to 164.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { ZipFile } from 'yazl'
import { readRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'
import { listen } from '../outbound/open-outbound.ts'
import { oldItem, oldSite, oldUrl } from './old-site.ts'

const folder = await mkdtemp(join(tmpdir(), 'postern-import-attacks-'))
after(() => rm(folder, { recursive: true, force: true }))

async function save(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as string), name)
  zip.end()
  return buffer(zip.outputStream)
}

/** Imports a file without asking the old site. */
async function imported(site: TestSite, file: string, ...more: readonly string[]) {
  const { code, stdout, stderr } = await site.postern(['import', '--json', '--media', 'files', ...more, file])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

const lossesOf = ({ losses }: { losses: readonly Record<string, string>[] }): readonly string[] =>
  losses.map(({ group, name }) => `${group} ${name}`).sort()

const objectsOf = async (site: TestSite) => {
  const { entry, media, term, account, import_run: runs } = await readRows(site.home)
  return { entry, media, term, account, runs }
}

test('entities of a DOCTYPE, in an export or a feed, expand to nothing and read no file (attack 161)', async () => {
  await using site = await openSite()
  const secret = await save('secret.txt', 'hidden-from-imports')
  const entities = `<!DOCTYPE rss [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY x SYSTEM "file://${secret}"><!ENTITY % y SYSTEM "file://${secret}"> %y;]>`
  const file = await save(
    'entities.xml',
    oldSite(oldItem({ id: 1, title: 'One &c; &x;', slug: 'one' })).replace('?>', `?>${entities}`),
  )
  assert.equal((await imported(site, file)).counts['entries.made'], 1)
  const rows = JSON.stringify(await readRows(site.home))
  assert.doesNotMatch(rows, /hidden-from-imports|lollol/)
})

test('a bomb, a damaged archive and archives in archives leave the site as it was, with one sentence (attack 161)', async () => {
  await using site = await openSite()
  const before = await objectsOf(site)
  const bomb = await save('bomb.zip', await zipOf({ 'a.md': Buffer.alloc(40 * 1024 ** 2) }))
  const inner = await zipOf({ 'inner.md': '# Inner' })
  const nested = await save('nested.zip', await zipOf({ 'b.zip': await zipOf({ 'a.zip': inner }) }))
  const cut = await save('cut.zip', (await zipOf({ 'a.md': '# A'.repeat(1000) })).subarray(0, -30))
  for (const [file, sentence] of [
    [bomb, /more than 100 times as large/],
    [cut, /damaged or was cut off/],
    [nested, /in a format that can be imported/],
  ] as const) {
    const { code, stdout, stderr } = await site.postern(['import', '--json', file])
    assert.notEqual(code, 0, stdout)
    assert.match(stderr, sentence)
    assert.ok(stderr.trim().split('\n').length <= 3, stderr)
  }
  assert.deepEqual(await objectsOf(site), before)
  const beside = await save('beside.zip', await zipOf({ 'a.md': '# A', 'b.zip': inner }))
  const done = await imported(site, beside)
  assert.equal(done.counts.entries, 1)
  assert.deepEqual(lossesOf(done), ['file *.zip'])
})

test('a tree writes and reads nothing outside: links, dots, devices, names that differ by case or form (attack 162)', async () => {
  await using site = await openSite()
  const secret = await save('outside.md', '# Hidden from imports')
  const tree = join(folder, 'tree')
  await mkdir(join(tree, '_posts'), { recursive: true })
  await writeFile(join(tree, '_config.yml'), 'title: Bakery')
  const texts = {
    'Rye.md': 'first',
    'rye.md': 'second',
    'bru\u0308he.md': 'decomposed',
    'br\u00fche.md': 'composed',
    'CON.md': 'device',
    'aux.html': '---\ntitle: Aux\n---\ndevice',
    'up.md': `---\npermalink: /../../up/\n---\ntext ![](../../outside.md) ![](/etc/passwd) [x](../outside.md)`,
    'coded.md': '---\npermalink: /%2e%2e/%2e%2e/coded/\nredirect_from: [/..%2f..%2fx, "/../y"]\n---\ntext',
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(join(tree, name), text)
  await symlink(secret, join(tree, 'link.md'))
  await symlink(folder, join(tree, 'dir'))
  const outside = (await readdir(folder)).sort()
  const done = await imported(site, tree)
  assert.deepEqual((await readdir(folder)).sort(), outside)
  const rows = await readRows(site.home)
  assert.doesNotMatch(JSON.stringify(rows), /Hidden from imports|root:x:/)
  assert.doesNotMatch(JSON.stringify(rows['old_address']), /\.\.|%2e/i)
  const paths = (rows['entry'] ?? []).map(({ path }) => path)
  for (const path of ['/rye', '/rye-2', '/con', '/aux', '/up', '/coded']) assert.ok(paths.includes(path), path)
  const losses = lossesOf(done)
  for (const loss of ['address /../../up/', 'address /%2e%2e/%2e%2e/coded/', 'address /../y', 'file dir', 'file link.md'])
    assert.ok(losses.includes(loss), `${loss}\n${losses.join('\n')}`)
  assert.deepEqual(
    done.clashes.map(({ path, why }: { path: string; why: string }) => [path, why]),
    [['/rye', 'another entry of the import has this path; the entry is at /rye-2']],
  )
  assert.ok(
    done.losses.some(({ reason }: { reason: string }) => reason === 'another file has the same name'),
    'of two forms of a name, one is named',
  )
})

const hostile = `<p onclick="alert(1)">Words</p><script>alert(2)</script><a href="javascript:alert(3)">a</a><a href="jav&#x09;ascript:alert(4)">b</a>
<iframe src="https://evil.example/frame"></iframe><iframe srcdoc="<script>alert(5)</script>"></iframe><style>body{display:none}</style>
<img src=x onerror=alert(6)><svg onload=alert(7)><script>alert(8)</script></svg><form action="https://evil.example"><input name=q></form>
<object data="https://evil.example/x.swf"></object><meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example/">`

test('scripts, handlers, frames, styles and PHP objects of any format run nowhere and are never unserialised (attack 163)', async () => {
  await using site = await openSite()
  const object = 'O:8:"Evil_Obj":1:{s:4:"file";s:11:"/etc/passwd";}'
  const meta = (key: string) =>
    `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${object}]]></wp:meta_value></wp:postmeta>`
  const comment = `<wp:comment><wp:comment_id>9</wp:comment_id><wp:comment_author><![CDATA[<b onclick=alert(1)>Bo</b>]]></wp:comment_author>
<wp:comment_author_url>javascript:alert(1)</wp:comment_author_url><wp:comment_date_gmt>2019-05-05 10:00:00</wp:comment_date_gmt>
<wp:comment_content><![CDATA[${hostile}]]></wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>`
  const keys = ['anything', '_menu_item_classes', '_wp_attachment_metadata', '_yoast_wpseo_title']
  const wxr = oldSite(
    oldItem({
      id: 1,
      title: `<![CDATA[<script>alert(0)</script>Title]]>`,
      slug: 'wxr',
      body: hostile,
      more: keys.map(meta).join('') + comment,
    }),
  )
  const ghost = JSON.stringify({
    db: [
      {
        meta: {},
        data: { posts: [{ id: '1', title: 'G', slug: 'ghost', html: hostile, status: 'published', visibility: 'public' }] },
      },
    ],
  })
  await imported(site, await save('hostile.xml', wxr))
  await imported(site, await save('hostile.json', ghost))
  await imported(
    site,
    await save('hostile.zip', await zipOf({ 'markdown.md': `# M\n\n${hostile}`, 'page.html': `---\ntitle: H\n---\n${hostile}` })),
  )
  for (const path of ['/wxr', '/ghost', '/markdown', '/page']) {
    const page = await site.send(path, { token: null })
    assert.equal(page.status, 200, path)
    const main = page.text.slice(page.text.indexOf('<main'), page.text.indexOf('</main>'))
    assert.match(main, /Words/, path)
    assert.doesNotMatch(main, /<(?:script|iframe|style|svg|form|object|meta|base)\b|\son\w+=|href="javascript:|alert\(/i, path)
    assert.doesNotMatch(page.text, /evil\.example\/x\.swf|Evil_Obj|<base\b/, path)
  }
  const { import_comment: comments = [], entry: entries = [] } = await readRows(site.home)
  assert.doesNotMatch(JSON.stringify(comments[0]?.['html']), /<script|onclick|javascript:|<iframe|<form|<style/i)
  assert.equal(String(comments[0]?.['name']).includes('<'), false)
  assert.doesNotMatch(JSON.stringify(entries), /Evil_Obj/, 'a value that no field takes is only named')
})

test('a token with limits or of a lower scope imports nothing, and no address inside is asked for a file (attack 164)', async () => {
  await using site = await openSite()
  const before = await objectsOf(site)
  const file = await save('plain.xml', oldSite(oldItem({ id: 1, title: 'One', slug: 'one' })))
  const tokenWith = async (...args: readonly string[]) =>
    /pst_\S+/.exec((await site.postern(['token', 'create', ...args])).stdout)?.[0] ?? ''
  const { token: limited } = await site.call('SVC_Tokens.create', { name: 'l', scope: 'admin', limits: { types: ['post'] } })
  const content = await tokenWith('--scope', 'content')
  for (const token of [limited, content, null]) {
    const reads = token === limited ? 0 : 2
    for (const [call, input] of [
      ['SVC_Import.begin-upload', { filename: 'x.xml' }],
      ['SVC_Import.run', { file: 'latest' }],
      ['SVC_Import.inspect', { file: 'latest' }],
      ...(
        [
          ['SVC_Import.list', {}],
          ['SVC_Import.get', { id: 'latest' }],
        ] as const
      ).slice(0, reads),
    ] as const) {
      const answer = await site.api(call, input, { token })
      assert.ok(answer.status >= 400 && answer.json.success === false, `${call} ${answer.text}`)
      assert.match(answer.json.error.code, /^(?:unknown_action|refused|unauthorized|not_found)$/, `${call} ${answer.text}`)
    }
  }
  assert.deepEqual(await objectsOf(site), before)
  await using inside = await listen((_request, response) => void response.end('inside'), '127.0.0.1')
  for (const host of ['127.0.0.1', '[::1]', '0x7f.1', '[::ffff:127.0.0.1]']) {
    const answer = await site.api('SVC_Import.run', { url: `http://${host}:${inside.port}/export.xml` })
    assert.equal(answer.json.success, false, answer.text)
  }
  const picture = `http://127.0.0.1:${inside.port}/wp-content/uploads/a.png`
  const asking = (await readFile(file, 'utf8'))
    .replaceAll(oldUrl, `http://127.0.0.1:${inside.port}`)
    .replace('Text.', `<img src="${picture}">`)
  const { stdout, stderr, code } = await site.postern(['import', '--json', await save('inside.xml', asking)])
  assert.equal(code, 0, stderr)
  assert.deepEqual(lossesOf(JSON.parse(stdout)), ['media a.png'])
  assert.deepEqual(inside.asked, [])
})

test('what was private, for members or with a password is at no door, and secrets of Ghost are nowhere but in its file (attack 164)', async () => {
  await using site = await openSite()
  const held = { title: 'Hiddenword', body: 'Hiddenword text.' }
  const file = await save(
    'held.xml',
    oldSite(
      oldItem({ id: 1, slug: 'one', ...held, status: 'private' }) +
        oldItem({ id: 2, slug: 'two', ...held, password: 'secretpass' }) +
        oldItem({ id: 3, slug: 'three', ...held, status: 'draft' }) +
        oldItem({ id: 4, slug: 'four', ...held, status: 'pending' }) +
        oldItem({ id: 5, slug: 'six', ...held, status: 'unheard-of' }),
    ),
  )
  await imported(site, file)
  const secrets = ['secrethash', 'secretkey', 'secretword', 'secretapi', 'secretcode', 'secretstripe', 'secretmailgun']
  const post = { title: 'Hiddenword', html: '<p>Hiddenword text.</p>', status: 'published' }
  const ghost = {
    posts: [
      { ...post, id: '1', slug: 'paid', visibility: 'paid' },
      { ...post, id: '2', slug: 'members', visibility: 'members' },
      { ...post, id: '3', slug: 'tiers', visibility: 'tiers' },
      { ...post, id: '4', slug: 'mail', visibility: 'public', status: 'sent' },
      { ...post, id: '5', slug: 'only-mail', visibility: 'public', email_only: true },
    ],
    users: [{ id: 'u', slug: 'anna', name: 'Anna', email: 'anna@old.example', password: '$2a$10$secrethash' }],
    settings: [
      { key: 'members_private_key', value: 'secretkey' },
      { key: 'password', value: 'secretword' },
      { key: 'codeinjection_foot', value: '<script>secretcode</script>' },
      { key: 'stripe_secret_key', value: 'secretstripe' },
      { key: 'mailgun_api_key', value: 'secretmailgun' },
    ],
    api_keys: [{ secret: 'secretapi' }],
  }
  const begun = await site.call('SVC_Import.begin-upload', { filename: 'ghost.json' })
  const url = new URL(begun.url)
  const body = JSON.stringify({ db: [{ meta: { exported_on: 1 }, data: ghost }] })
  assert.equal((await site.send(url.pathname + url.search, { method: 'PUT', body, token: null })).status, 200)
  const found = await site.call('SVC_Import.inspect', { file: begun.file })
  const done = await site.call('SVC_Import.run', { file: begun.file, media: 'files' })
  const { item } = await site.call('SVC_Import.get', { id: done.run })
  assert.equal(item.counts['entries.held'], 5)

  const old = [1, 2, 3, 4, 5].flatMap((id) => [`/?p=${id}`, `/2019/05/${['one', 'two', 'three', 'four', 'six'][id - 1]}/`])
  const ours = ['one', 'two', 'three', 'four', 'six', 'paid', 'members', 'tiers', 'mail', 'only-mail'].map((slug) => `/${slug}`)
  for (const path of [
    ...old,
    ...ours,
    '/feed.xml',
    '/sitemap.xml',
    '/search?q=Hiddenword',
    '/posts',
    '/2019/05',
    '/author/anna',
    '/',
  ]) {
    const page = await site.send(path, { token: null })
    assert.doesNotMatch(
      page.text.replaceAll('q=Hiddenword', '').replaceAll(/value="Hiddenword"|“Hiddenword”/g, ''),
      /Hiddenword text/,
      path,
    )
    if ((old.includes(path) && path.startsWith('/2019')) || ours.includes(path)) assert.equal(page.status, 404, path)
    assert.equal(page.headers.get('location'), null, path)
  }
  const asked = await site.api('SVC_Content.list', { limit: 100 }, { token: null })
  assert.doesNotMatch(asked.text, /Hiddenword/)

  const said = JSON.stringify([found, done, item, site.log, site.words, await readRows(site.home)])
  for (const secret of [...secrets, 'secretpass']) assert.equal(said.includes(secret), false, secret)
  assert.equal((await readdir(join(site.home, 'data', 'imports'))).length, 2, 'the file itself is kept for a week')
  const backup = await site.call('SVC_Backup.create')
  assert.ok(backup, 'a backup is made')
  for (const path of await readdir(site.home, { recursive: true })) {
    if (path.startsWith(join('data', 'imports')) || !/\.(?:log|tar|json|txt|zip)$/.test(path)) continue
    const bytes = await readFile(join(site.home, path), 'latin1')
    for (const secret of secrets) assert.equal(bytes.includes(secret), false, `${path} has ${secret}`)
  }
})
