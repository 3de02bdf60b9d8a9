// The page of an upload link: a person without an account drops files on it, and the caller who made the link finds them.

import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, phone, picture } from '../admin/chromium.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite({ basePath: '/blog' })
})
after(() => site[Symbol.asyncDispose]())

const drawing = (radius: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="${radius}"/></svg>`

const photo = async (hue: number): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await sharp({ create: { width: 300, height: 200, channels: 3, background: { r: hue, g: 90, b: 160 } } })
      .jpeg()
      .toBuffer(),
  )

const begin = (input: Record<string, unknown> = {}, options = {}) => site.call('SVC_Media.begin-upload', input, options)
/** The link with its files, as the caller who made it finds it. */
const came = async (id: string, options = {}) => (await site.call('SVC_Media.uploads', { id }, options)).items[0]
const waiting = (): Promise<string[]> => readdir(join(site.home, 'data', 'incoming')).catch(() => [])
/** The form in a page, without its JavaScript. */
const hasForm = (text: string): boolean => text.includes('<form')

/** Sends the form of a page as a browser without script does, where the second field is empty. */
async function send(
  page: string,
  files: readonly (readonly [name: string, content: string | Uint8Array<ArrayBuffer>])[],
  headers = {},
) {
  const data = new FormData()
  for (const [name, content] of files) data.append('files', new Blob([content]), name)
  data.append('camera', new Blob([]), '')
  const answer = await fetch(page, { method: 'POST', body: data, headers, redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
}

test('a person sends several files without an account, and the caller finds them with what is missing', async () => {
  const begun = await begin({ folder: 'harbour' })
  assert.equal(begun.url, null)
  assert.equal(begun.files, 20)
  assert.match(begun.page, /^http:\/\/127\.0\.0\.1:\d+\/blog\/media\/_\/upload\/psu_[\w-]{43}$/)
  assert.deepEqual((await came(begun.upload_id)).files, [])

  const page = await fetch(begun.page)
  const text = await page.text()
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(page.headers.get('x-robots-tag'), 'noindex')
  assert.equal(page.headers.get('set-cookie'), null)
  assert.match(text, /<meta name="robots" content="noindex"/)
  assert.ok(!/admin\/(?!assets\/)|SVC_|version|Postern \d/.test(text), text)
  assert.match(await (await fetch(begun.page, { headers: { 'accept-language': 'de' } })).text(), /Dateien senden/)

  const sent = await send(begun.page, [
    ['Boot am Kai.svg', drawing(1)],
    ['dawn.jpg', await photo(10)],
  ])
  assert.deepEqual([sent.status, sent.location], [303, new URL(begun.page).pathname])
  assert.match(await (await fetch(begun.page)).text(), /2 files have arrived/)
  const { state, files_left: left, files: items, kept } = await came(begun.upload_id)
  assert.deepEqual([state, left, kept], ['open', 18, false])
  assert.deepEqual(
    items.map((item: any) => [item.path, item.sent_as, item.kind, item.width, item.alt]),
    [
      ['/media/harbour/boot-am-kai.svg', 'Boot am Kai.svg', 'image/svg+xml', 10, null],
      ['/media/harbour/dawn.jpg', 'dawn.jpg', 'image/jpeg', 300, null],
    ],
  )
  // The upload is the maker's own, as one by `upload` is.
  const { items: records } = await site.call('SVC_Activity.list', { limit: 2 })
  assert.deepEqual(
    records.map((record: any) => record.call),
    ['SVC_Media.upload', 'SVC_Media.upload'],
  )
  assert.equal((await site.call('SVC_Media.get', { id: items[1].id })).item.kind, 'image/jpeg')
  // The same bytes again are the same file.
  assert.equal((await send(begun.page, [['again.jpg', await photo(10)]])).status, 303)
  assert.equal((await came(begun.upload_id)).files.length, 2)
  assert.ok(!site.log.join('\n').includes(begun.page.slice(-20)))
})

test('a file that is refused has one sentence, and the others are kept', async () => {
  await site.call('SVC_Settings.update', { set: { max_file_mib: 1 } })
  const begun = await begin({ files: 3 })
  const sent = await send(begun.page, [
    ['three.exe', 'MZ\u0090\0'],
    ['large.txt', new Uint8Array(1024 ** 2 + 1).fill(97)],
    ['two.svg', drawing(2)],
  ])
  assert.equal(sent.status, 413)
  assert.match(
    sent.text,
    /large\.txt is too large: a file may have at most 1\.0 MB\. three\.exe: [^<]+The other file was stored\./,
  )
  assert.equal(hasForm(sent.text), true)
  assert.deepEqual(
    (await came(begun.upload_id)).files.map(({ filename }: any) => filename),
    ['two.svg'],
  )
  const none = await send(begun.page, [])
  assert.equal(none.status, 422)
  assert.match(none.text, /Choose at least one file first/)
  // Two more have room, and the rest is told.
  const many = await send(
    begun.page,
    [3, 4, 5].map((at) => [`m${at}.svg`, drawing(at)] as const),
  )
  assert.match(many.text, /m5\.svg: this link takes no further file of this size\. The other 2 files were stored\./)
  assert.equal((await came(begun.upload_id)).state, 'full')
  const over = await fetch(begun.page)
  assert.deepEqual([over.status, hasForm(await over.text())], [200, false])
  assert.equal((await send(begun.page, [['late.svg', drawing(9)]])).status, 404)
  await site.call('SVC_Settings.update', { set: { max_file_mib: 1024 } })
  assert.deepEqual(await waiting(), [])
})

test('a promised file is held to its promise on the page too, and one that is kept goes to another action', async () => {
  const bytes = await photo(30)
  const begun = await begin({ filename: 'cover.jpg', bytes: bytes.length, alt: 'A cover' })
  assert.ok(begun.url)
  assert.match((await send(begun.page, [['x.txt', 'short']])).text, /The link takes a file of \d+ bytes, and 5 arrived/)
  assert.equal((await send(begun.page, [['IMG_1.jpg', bytes]])).status, 303)
  const { files: items, state } = await came(begun.upload_id)
  assert.deepEqual([items[0].filename, items[0].alt, items[0].sent_as, state], ['cover.jpg', 'A cover', 'IMG_1.jpg', 'full'])
  assert.equal((await fetch(begun.url, { method: 'PUT', body: bytes })).status, 404)
  // A link whose size nobody knows takes one file by `curl -T` as well.
  const open = await begin({ filename: 'notes' })
  const put = await fetch(open.url, { method: 'PUT', body: 'Some words.' })
  assert.deepEqual([put.status, (await came(open.upload_id)).files[0].path], [200, '/media/notes.txt'])

  const kept = await begin({ keep: true })
  assert.equal((await send(kept.page, [['words.txt', 'Kept words.']])).status, 303)
  assert.deepEqual([(await came(kept.upload_id)).kept, (await came(kept.upload_id)).files], [true, []])
  const { item } = await site.call('SVC_Media.upload', { upload_id: kept.upload_id, filename: 'kept' })
  assert.equal(item.path, '/media/kept.txt')
  assert.equal((await came(kept.upload_id)).kept, false)
})

test('bad arguments of a link are one sentence each', async () => {
  const failure = async (input: Record<string, unknown>) => (await site.api('SVC_Media.begin-upload', input)).json.error
  assert.match((await failure({ files: 3, alt: 'One' })).message, /"alt" is about one file, and this link is for 3/)
  assert.match((await failure({ files: 51 })).message, /files/)
  assert.match((await failure({ bytes: 1_073_741_825 })).message, /bytes/)
  assert.match((await failure({ folder: '../up' })).message, /folder/i)
  assert.equal((await site.api('SVC_Media.uploads', { id: 'none' })).json.error.code, 'not_found')
})

test('attacks 157, 159: the page is bound to its maker, and what came is for the maker alone', async () => {
  const { token, item } = await site.call('SVC_Tokens.create', { name: 'sends', scope: 'content' })
  const begun = await begin({}, { token })
  // Another caller, of a higher tier even, learns nothing of the link.
  const foreign = (await site.api('SVC_Media.uploads', { id: begun.upload_id })).json.error
  const invented = (await site.api('SVC_Media.uploads', { id: begun.upload_id.replace(/.$/, 'z') })).json.error
  assert.deepEqual({ ...foreign, message: '', id: '' }, { ...invented, message: '', id: '' })
  assert.equal((await came(begun.upload_id, { token })).state, 'open')
  await site.call('SVC_Tokens.revoke', { id: item.id, expect: 1 })
  const ended = await fetch(begun.page)
  const text = await ended.text()
  assert.equal(ended.status, 404)
  assert.equal((await send(begun.page, [['a.svg', drawing(6)]])).status, 404)
  // A link that never was is answered alike.
  assert.equal(await (await fetch(`${begun.page.slice(0, -5)}AAAAA`)).text(), text)

  const bound = await site.call('SVC_Tokens.create', {
    name: 'away',
    scope: 'content',
    limits: { addresses: ['203.0.113.0/24'] },
  })
  // Only a request from there gets a link, which then works from there alone.
  assert.equal((await site.api('SVC_Media.begin-upload', {}, { token: bound.token })).json.success, false)
  const near = await site.call('SVC_Tokens.create', { name: 'near', scope: 'content', limits: { addresses: ['127.0.0.0/8'] } })
  const here = await begin({}, { token: near.token })
  assert.equal(here.warnings[0].code, 'bound_to_addresses')
  assert.equal((await fetch(here.page)).status, 200)
  await site.call('SVC_Tokens.update', { id: near.item.id, limits: { addresses: ['127.0.0.0/8'], drafts_only: true } })
  assert.equal((await fetch(here.page)).status, 404)
})

test('what a token for drafts gets by its page is hidden, and during maintenance the page says so', async () => {
  const { token } = await site.call('SVC_Tokens.create', { name: 'drafts', scope: 'content', limits: { drafts_only: true } })
  const begun = await begin({}, { token })
  assert.equal((await send(begun.page, [['held.svg', drawing(7)]])).status, 303)
  const [held] = (await came(begun.upload_id, { token })).files
  assert.equal((await site.call('SVC_Media.get', { id: held.id })).item.unpublished, true)
  await site.call('SVC_Settings.maintenance', { on: true, message: 'Insides' })
  const closed = await fetch(begun.page)
  assert.equal(closed.status, 503)
  assert.ok(!(await closed.text()).includes('Insides'))
  await site.call('SVC_Settings.maintenance', { on: false })
})

test('an assistant over MCP gives its person the page, and asks afterwards', async () => {
  const ask = async (action: string, input: Record<string, unknown>) => {
    const params = { name: 'SVC_API__call-action', arguments: { class: 'SVC_Media', action, arguments: input } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const answer = await site.send('/mcp/', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    return answer.json.result.structuredContent.data
  }
  const begun = await ask('begin-upload', {})
  const { page, upload_id: id } = begun
  await send(page, [['from-a-chat.svg', drawing(8)]])
  const told = await ask('uploads', { id })
  assert.equal(told.items[0].files[0].path, '/media/from-a-chat.svg')
})

test('in a browser: chosen, dropped and refused files, with and without script', { skip: noBrowser }, async () => {
  const folder = site.home
  await writeFile(join(folder, 'one.jpg'), await photo(60))
  await writeFile(join(folder, 'two.jpg'), await photo(61))
  await writeFile(join(folder, 'bad.exe'), 'MZ\u0090\0')
  const browser = await openBrowser()
  try {
    for (const [name, options] of [
      ['desktop', desktop],
      ['desktop-dark', { ...desktop, colorScheme: 'dark' as const }],
      ['phone', { ...phone, locale: 'de-DE' }],
      ['phone-dark', { ...phone, colorScheme: 'dark' as const }],
    ] as const) {
      const begun = await begin({ files: 4 })
      const context = await openContext(browser, options)
      const page = await context.newPage()
      await page.goto(begun.page)
      await holdAccessible(page, `send page, ${name}`)
      await picture(page, `send-${name}`)
      await page.locator('input[name="files"]').setInputFiles([join(folder, 'one.jpg'), join(folder, 'bad.exe')])
      await page.locator('form.upload button').click()
      await page.locator('.uploads .fault').waitFor()
      await page.locator('.uploads progress[value="100"]').waitFor()
      await page.waitForFunction(`document.activeElement?.id === 'upload-list'`)
      assert.match((await page.locator('.uploads .fault').textContent()) ?? '', /^bad\.exe: /)
      assert.ok(await page.evaluate(`document.querySelector('.uploads img').naturalWidth > 0`))
      await holdAccessible(page, `send page with files, ${name}`)
      await picture(page, `send-${name}-files`)
      // Dropped anywhere on the page, as a person does.
      const carried = await page.evaluateHandle(`(() => {
        const transfer = new DataTransfer()
        transfer.items.add(new File(['dropped words'], 'dropped.txt', { type: 'text/plain' }))
        return transfer
      })()`)
      await page.dispatchEvent('body', 'drop', { dataTransfer: carried })
      await page.locator('.uploads strong').waitFor()
      const { files: items, files_left: left } = await came(begun.upload_id)
      assert.deepEqual([items.map((item: any) => item.sent_as), left], [['one.jpg', 'dropped.txt'], 2])
      assert.deepEqual(await context.cookies(), [])
      await context.close()
    }
    const begun = await begin({ files: 2 })
    const context = await openContext(browser, { ...desktop, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(begun.page)
    await page.locator('input[name="files"]').setInputFiles([join(folder, 'two.jpg'), join(folder, 'bad.exe')])
    await page.locator('form.upload button').click()
    await page.getByText('The other file was stored.').waitFor()
    await picture(page, 'send-plain-refused')
    await page.locator('input[name="files"]').setInputFiles(join(folder, 'one.jpg'))
    await page.locator('form.upload button').click()
    await page.getByRole('heading', { name: 'Everything has arrived' }).waitFor()
    await page.reload()
    await page.getByText('All 2 files have arrived').waitFor()
    await picture(page, 'send-plain-full')
    await context.close()
  } finally {
    await browser.close()
  }
})
