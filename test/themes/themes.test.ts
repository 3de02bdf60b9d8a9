// SVC_Themes on a real site: themes as rows with revisions, checks before visitors see anything, and the folder of files.

import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../until.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  await site.call('SVC_Content.create', { type: 'page', title: 'About', status: 'published', body: 'Who <b>we</b> are.' })
  await site.call('SVC_Themes.create', { slug: 'mine', from: 'default' })
})
after(() => site[Symbol.asyncDispose]())

const page = async (path = '/about') => (await site.send(path, { token: null })).text
const errorOf = async (call: string, input: Record<string, unknown>, token?: string) => {
  const answer = await site.api(call, input, token === undefined ? {} : { token })
  assert.equal(answer.json.success, false, `${call} succeeded`)
  return answer.json.error as { code: string; message: string; file?: string; line?: number; rule?: string }
}
const layout = (text: string) => ({
  id: 'mine',
  file: 'layout.liquid',
  edits: [{ find: '</body>', replace: `${text}\n</body>` }],
})

test('a shipped theme is read-only, and a copy of it can be changed, activated and seen', async () => {
  assert.equal((await errorOf('SVC_Themes.write', { id: 'default', file: 'page.liquid', text: 'x' })).code, 'refused')
  assert.deepEqual((await site.call('SVC_Themes.check', { id: 'mine' })).problems, [])
  await site.call('SVC_Themes.activate', { id: 'mine' })
  const { item, changed } = await site.call('SVC_Themes.edit', layout('<p>Marked {{ site.title }}</p>'))
  assert.deepEqual([item.active, changed], [true, ['layout.liquid']])
  assert.match(await page(), /<p>Marked My site<\/p>/)
})

test('an edit that fails on the active theme is refused with file and line, in every kind of page, and changes nothing', async () => {
  const before = await page()
  for (const [file, text, message] of [
    ['page.liquid', '{% layout "layout" %}\n{% block main %}\n{{ page.nothing.at }}{% endblock %}', /undefined variable/],
    ['page.liquid', '{% if page.title %}\n', /not closed/],
    ['search.liquid', '\n\n{{ page.query | shout }}', /undefined filter: shout/],
    ['archive.liquid', "a\n{% render 'partials/none' %}", /no file partials\/none\.liquid/],
    ['error.liquid', "{{ 'style2.css' | asset }}", /no file assets\/style2\.css/],
  ] as const) {
    const failure = await errorOf('SVC_Themes.write', { id: 'mine', file, text })
    assert.equal(failure.code, 'unprocessable')
    assert.equal(failure.file, file)
    assert.equal(failure.line, text.split('\n').findIndex((line) => /nothing|{% if|shout|render|style2/.test(line)) + 1)
    assert.match(failure.message, message)
  }
  assert.equal((await errorOf('SVC_Themes.remove', { id: 'mine', file: 'layout.liquid' })).code, 'unprocessable')
  assert.equal(await page(), before)
  assert.deepEqual((await site.call('SVC_Themes.check', { id: 'mine' })).problems, [])
})

test('a file has revisions, one of them and a whole state can be brought back, and undo takes a change back', async () => {
  const file = 'partials/note.liquid'
  const read = async () => (await site.call('SVC_Themes.read', { id: 'mine', file })).text
  const states = async () => (await site.call('SVC_Themes.revisions', { id: 'mine' })).items[0].revision as number
  await site.call('SVC_Themes.write', { id: 'mine', file, text: 'one' })
  const state = await states()
  const { activity_id } = await site.call('SVC_Themes.write', { id: 'mine', file, text: 'two' })
  await site.call('SVC_Activity.undo', { ids: [activity_id] })
  assert.equal(await read(), 'one')
  await site.call('SVC_Themes.write', { id: 'mine', file, text: 'three' })
  const { items } = await site.call('SVC_Themes.revisions', { id: 'mine', file })
  assert.deepEqual(
    items.map(({ revision }: { revision: number }) => revision),
    [4, 3, 2, 1],
  )
  await site.call('SVC_Themes.revert', { id: 'mine', file, revision: 2 })
  assert.equal(await read(), 'two')
  await site.call('SVC_Themes.remove', { id: 'mine', file })
  await site.call('SVC_Themes.revert', { id: 'mine', revision: state })
  assert.equal(await read(), 'one')
  assert.equal((await site.api('SVC_Themes.write', { id: 'mine', file, text: 'x', if_revision: 1 })).json.error.code, 'conflict')
})

test('a file that is edited in the folder is taken up, and one that would fail stays out of the site', async () => {
  const path = join(site.home, 'user-content', 'themes', 'mine', 'assets', 'style.css')
  const css = await readFile(path, 'utf8')
  await site.call('SVC_Themes.list')
  await writeFile(path, `${css}\n.by-hand { color: red }\n`)
  const added = { id: 'mine', file: 'assets/style.css', from: css.split('\n').length }
  await until('it is taken up', async () => (await site.call('SVC_Themes.read', added)).text.includes('by-hand'))
  const broken = join(site.home, 'user-content', 'themes', 'mine', 'page.liquid')
  const good = await readFile(broken, 'utf8')
  await writeFile(broken, '{% nonsense %}')
  await new Promise((done) => setTimeout(done, 1100))
  assert.equal((await site.call('SVC_Themes.read', { id: 'mine', file: 'page.liquid' })).text, good)
  assert.match(await page(), /Who <b>|Who <strong>|Who we|Who/)
  await writeFile(broken, good)
})

test('a file with bytes that is put into the folder is taken up byte by byte', async () => {
  const bytes = Buffer.from('474946383961010001008000ff', 'hex')
  await site.call('SVC_Themes.list')
  await writeFile(join(site.home, 'user-content', 'themes', 'mine', 'assets', 'dot.gif'), bytes)
  const read = () => site.call('SVC_Themes.read', { id: 'mine', file: 'assets/dot.gif' }).catch(() => undefined)
  await until('it is taken up', async () => (await read())?.bytes === bytes.length)
})

test('settings are checked by their type and reach the page', async () => {
  for (const [settings, expected] of [
    [{ accent: 'red; } body { display: none' }, /must be a colour/],
    [{ footer_text: 'javascript:alert(1)' }, /must be a text/],
    [{ colour: '#fff' }, /has no setting/],
    [{ footer_text: 7 }, /must be a text/],
  ] as const) {
    const failure = await errorOf('SVC_Themes.configure', { id: 'mine', settings })
    assert.equal(failure.code, 'invalid')
    assert.match(failure.message, expected)
  }
  await site.call('SVC_Themes.configure', { id: 'mine', settings: { footer_text: 'Open <late> & "long"' } })
  assert.match(await page(), /Open &lt;late&gt; &amp; &quot;long&quot;/)
  await site.call('SVC_Themes.configure', { id: 'mine', settings: { footer_text: null } })
  assert.doesNotMatch(await page(), /Open &lt;late/)
})

test('assets have addresses that change with their content, and may be kept for ever', async () => {
  const address = async () => /href="([^"]+style\.css)"/.exec(await page())?.[1] ?? ''
  const first = await address()
  const fetchPath = async (url: string) => site.send(new URL(url).pathname, { token: null })
  const answer = await fetchPath(first)
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(answer.headers.get('content-type'), 'text/css; charset=utf-8')
  await site.call('SVC_Themes.edit', { id: 'mine', file: 'assets/style.css', edits: [{ append: 'p { margin: 1em }' }] })
  assert.notEqual(await address(), first)
  // A page that is kept elsewhere still finds its style sheet.
  assert.equal((await fetchPath(first)).headers.get('cache-control'), 'no-cache')
  assert.equal((await site.send('/assets/mine-000000000000/../layout.liquid', { token: null })).status, 404)
})

test('a preview shows the whole site in another theme, through its link alone, and is neither kept nor indexed', async () => {
  await site.call('SVC_Themes.create', { slug: 'other' })
  await site.call('SVC_Themes.edit', { ...layout('<p>Previewed</p>'), id: 'other' })
  const { url } = await site.call('SVC_Themes.preview', { id: 'other', path: '/about' })
  const { pathname } = new URL(url)
  const shown = await site.send(pathname, { token: null })
  assert.equal(shown.status, 200)
  assert.match(shown.text, /Previewed/)
  assert.match(shown.text, /name="robots" content="noindex"/)
  assert.deepEqual([shown.headers.get('cache-control'), shown.headers.get('etag')], ['private, no-store', null])
  const prefix = pathname.slice(0, -'/about'.length)
  for (const [, link = ''] of shown.text.matchAll(/href="([^"#]+)"/g))
    assert.ok(new URL(link, site.address).pathname.startsWith(prefix), link)
  assert.match((await site.send(`${prefix}/nowhere`, { token: null })).text, /Previewed/)
  assert.doesNotMatch(await page(), /Previewed/)
  assert.equal((await site.send(pathname.replace(/psv_..../, 'psv_AAAA'), { token: null })).status, 404)
})

test('attack 146: what runs in a browser is written by an admin without limits alone, also by undo and revert', async () => {
  const limits = { classes: ['SVC_Themes', 'SVC_Activity'] }
  const { token } = await site.call('SVC_Tokens.create', { name: 'designer', scope: 'admin', limits })
  const rows: [file: string, text: string][] = [
    ['assets/app.js', 'alert(1)'],
    ['partials/x.liquid', '<script src="/assets/a.js"></script>'],
    ['partials/x.liquid', '<scr{% comment %}{% endcomment %}ipt>1</script>'],
    ['partials/x.liquid', '<img src=x onerror=alert(1)>'],
    ['partials/x.liquid', '<svg/onload=alert(1)>'],
    ['partials/x.liquid', '<a href="javascript:alert(1)">x</a>'],
    ['partials/x.liquid', "<{{ 'script' }}>1</{{ 'script' }}>"],
    ['partials/x.liquid', '<iframe srcdoc="x"></iframe>'],
    ['partials/x.liquid', '<meta http-equiv="refresh" content="0;url=//evil.example">'],
    ['assets/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><a href="&#106;avascript:alert(1)"/></svg>'],
    ['assets/b.svg', '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>'],
  ]
  for (const [file, text] of rows) {
    const failure = await errorOf('SVC_Themes.write', { id: 'mine', file, text }, token)
    assert.equal(failure.code, 'refused', `${file}: ${text}`)
  }
  const good = { id: 'mine', file: 'partials/x.liquid', text: '<p class="one">{{ site.title }}</p>' }
  assert.equal((await site.api('SVC_Themes.write', good, { token })).json.success, true)
  await site.call('SVC_Themes.write', { id: 'mine', file: 'assets/app.js', text: 'console.log(1)' })
  const { activity_id } = await site.call('SVC_Themes.remove', { id: 'mine', file: 'assets/app.js' })
  assert.equal((await errorOf('SVC_Activity.undo', { ids: [activity_id] }, token)).code, 'refused')
  assert.equal((await errorOf('SVC_Themes.revert', { id: 'mine', file: 'assets/app.js', revision: 1 }, token)).code, 'refused')
})

test('attack 153: what a limited token hides from the check of the source is in no page, and what the owner writes is', async () => {
  const limits = { classes: ['SVC_Themes', 'SVC_Activity'] }
  const { token } = await site.call('SVC_Tokens.create', { name: 'sly designer', scope: 'admin', limits })
  const file = 'partials/hidden.liquid'
  const sly = '<p class="h" o{% assign q = "}" %}nclick="e()">sly</p><scr{% assign q = "}" %}ipt src="/e.js"></script>'
  const write = async (text: string, by?: string) => {
    const answer = await site.api('SVC_Themes.write', { id: 'mine', file, text }, by === undefined ? {} : { token: by })
    assert.equal(answer.json.success, true, JSON.stringify(answer.json))
    return answer.json.data.activity_id as string
  }
  await site.call('SVC_Themes.edit', layout('<b id="own"></b><script src="/assets/own.js"></script>'))
  await write(sly, token)
  await site.call('SVC_Themes.edit', {
    id: 'mine',
    file: 'layout.liquid',
    edits: [{ find: '<b id="own">', replace: `{% include 'partials/hidden' %}<b id="own">` }],
  })
  const shown = await page()
  assert.match(shown, /<p class="h">sly<\/p><b id="own"><\/b><script src="\/assets\/own\.js"><\/script>/)
  assert.doesNotMatch(shown, /nclick|e\(\)|e\.js/)
  // An edit of the owner answers for no more than what it says, and a script in it would be left out.
  const edits = [{ append: '<p>By the owner</p>' }]
  await site.call('SVC_Themes.edit', { id: 'mine', file, edits })
  assert.doesNotMatch(await page(), /nclick/)
  const refused = await errorOf('SVC_Themes.edit', { id: 'mine', file, edits: [{ append: '<script src="/a.js"></script>' }] })
  assert.deepEqual([refused.code, /by someone with limits/.test(refused.message)], ['refused', true])
  // A copy has the writers of the theme.
  await site.call('SVC_Themes.create', { slug: 'copied', from: 'mine' })
  const { url } = await site.call('SVC_Themes.preview', { id: 'copied', path: '/about' })
  const previewed = (await site.send(new URL(url).pathname, { token: null })).text
  assert.match(previewed, />sly<[^]*<script src="\/assets\/own\.js">/)
  assert.doesNotMatch(previewed, /nclick/)
  // Of a file that the owner wrote whole everything stays, and what is brought back has the writer that it had.
  await write('<p onclick="e()">bold</p>')
  const later = await write('<p>later</p>', token)
  await site.call('SVC_Themes.revert', { id: 'mine', file, revision: 1 })
  assert.match(await page(), /<p class="h">sly/)
  await site.call('SVC_Activity.undo', { ids: [later], force: true })
  assert.match(await page(), /<p onclick="e\(\)">bold/)
  assert.equal((await site.api('SVC_Themes.write', { id: 'mine', file, text: '<p>last</p>' }, { token })).json.success, true)
  await site.call('SVC_Themes.revert', { id: 'mine', file, revision: 1 })
  assert.doesNotMatch(await page(), /nclick|e\.js/)
})

test('attack 153: a link to an earlier state of a theme leaves out what its writer may not write, though the owner wrote the file since', async () => {
  const limits = { classes: ['SVC_Themes'] }
  const { token } = await site.call('SVC_Tokens.create', { name: 'earlier designer', scope: 'admin', limits })
  const file = { id: 'mine', file: 'partials/hidden.liquid' }
  const sly = '<a class="h" href="/" ping="https://evil.example/">earlier</a>'
  assert.equal((await site.api('SVC_Themes.write', { ...file, text: sly }, { token })).json.success, true)
  const { url } = await site.call('SVC_Themes.preview', { id: 'mine', path: '/about' })
  await site.call('SVC_Themes.write', { ...file, text: '<p>By the owner</p>' })
  const shown = (await site.send(new URL(url).pathname, { token: null })).text
  assert.match(shown, /<a class="h" href="\/">earlier<\/a>/)
})

test('the active theme is not deleted, another one is, and undo brings it back with its files', async () => {
  assert.equal((await errorOf('SVC_Themes.delete', { id: 'mine' })).code, 'refused')
  const { activity_id } = await site.call('SVC_Themes.delete', { id: 'other' })
  assert.equal((await errorOf('SVC_Themes.get', { id: 'other' })).code, 'not_found')
  await site.call('SVC_Activity.undo', { ids: [activity_id] })
  const { item } = await site.call('SVC_Themes.get', { id: 'other' })
  assert.ok(item.files.some(({ file }: { file: string }) => file === 'layout.liquid'))
})

test('a render that fails later shows visitors the last good page or the shipped theme, and the owner the error', async () => {
  const good = await page()
  // Past all checks, as a fault of the program or of a later release would be.
  const { writeRows } = await import('../rows.ts')
  await writeRows(site.home, "update theme_file set text = '{{ page.gone }}' where id = 'mine/page.liquid'", [])
  await site.call('SVC_Settings.update', { set: { site_tagline: 'Changed' } })
  await site.call('SVC_Themes.configure', { id: 'other', settings: { footer_text: 'touch' } })
  const shown = await site.send('/about', { token: null })
  assert.equal(shown.status, 200)
  assert.equal(shown.text, good)
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  await site.call('SVC_Content.update', { id: '/about', body: 'New words.' })
  // What was kept no longer is what the site says, so the shipped theme shows the page.
  assert.match(await page(), /New words\./)
  const findings = await site.call('SVC_Health.check', { only: ['theme'] })
  assert.match(JSON.stringify(findings), /page\.liquid, line 1.*undefined variable: page\.gone/)
  await rm(join(site.home, 'data', 'pages'), { recursive: true, force: true })
})
