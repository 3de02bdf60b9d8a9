// Media from end to end: every way in, what is stored, what visitors get, and what is refused.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
before(async () => {
  site = await openSite({ basePath: '/blog' })
})
after(() => site[Symbol.asyncDispose]())

/** A photo with the place where it was taken, on its side. Each hue is another file. */
async function photo(hue: number, { width = 900, height = 600 } = {}): Promise<Buffer> {
  const exif = { IFD0: { Copyright: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
  const background = { r: (hue * 37) % 256, g: (hue * 91) % 256, b: 90 }
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg({ quality: 90 })
    .withMetadata({ orientation: 6 })
    .withExifMerge(exif)
    .toBuffer()
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const upload = (input: Record<string, unknown>, options = {}) => site.call('SVC_Media.upload', { arguments: input }, options)
const refused = async (input: Record<string, unknown>) => (await site.api('SVC_Media.upload', { arguments: input })).json.error
const get = async (id: string) => (await site.call('SVC_Media.get', { id })).item
async function ready(id: string) {
  let item = await get(id)
  await until('the sizes are made', async () => (item = await get(id)).sizes !== 'making')
  return item
}
const pathOf = (url: string): string => url.slice(site.base.length)
const fetchBytes = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** What lies in the store, without what is made of it. */
async function stored(): Promise<string[]> {
  const folder = join(site.home, 'user-content', 'uploads', 'protected', '.media')
  const names = existsSync(folder) ? await readdir(folder, { recursive: true, withFileTypes: true }) : []
  return names.filter((name) => name.isFile() && !/\/(?:made|\.staging)/.test(name.parentPath)).map(({ name }) => name)
}

test('a photo is turned upright, loses its place, and gets its sizes, none wider than it is', async () => {
  const bytes = await photo(1)
  assert.ok((await sharp(bytes).metadata()).exif)
  const { item, deduplicated, warnings } = await upload({ base64: base64(bytes), filename: 'Größe am Meer.JPEG' })
  assert.deepEqual([item.path, item.width, item.height, deduplicated], ['/media/grosse-am-meer.jpeg', 600, 900, false])
  assert.deepEqual(
    warnings.map(({ code }: { code: string }) => code),
    ['alt_missing'],
  )
  const { sizes, variants } = await ready(item.id)
  assert.equal(sizes, 'ready')
  assert.deepEqual(
    variants.map(({ width, height, type }: Record<string, unknown>) => [width, height, type]),
    [
      [320, 480, 'image/webp'],
      [600, 900, 'image/webp'],
      [600, 314, 'image/jpeg'],
    ],
  )
  for (const { url, width, height, type, bytes: size } of variants) {
    const answer = await fetchBytes(url)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), type)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/)
    const found = await sharp(answer.bytes).metadata()
    assert.deepEqual(
      [found.width, found.height, found.exif, found.icc, answer.bytes.length],
      [width, height, undefined, undefined, size],
    )
    const again = await fetchBytes(url, { 'if-none-match': answer.headers.get('etag') ?? '' })
    assert.equal(again.status, 304)
  }
  // A web server in front finds them on disk after the first request.
  const [{ url }] = variants
  const name = url.split('/').at(-1) as string
  assert.ok(existsSync(join(site.home, 'user-content', 'media', name.slice(0, 2), name)))
  const own = await fetchBytes(item.url)
  assert.deepEqual([own.status, own.headers.get('content-type')], [200, 'image/webp'])
  const original = await fetchBytes((await get(item.id)).original_url)
  assert.deepEqual(
    [original.bytes.equals(bytes), original.headers.get('content-disposition')?.split(';')[0]],
    [true, 'attachment'],
  )
})

test('attack 108: a width that is not made is not there, and ranges are one part or none', async () => {
  const { item } = await upload({ base64: base64(await photo(2)), filename: 'ranges', alt: 'x' })
  const [{ url, bytes }] = (await ready(item.id)).variants
  assert.equal((await fetchBytes(url.replace('-320.', '-321.'))).status, 404)
  assert.equal((await fetchBytes(url.replace(/[0-9a-f](?=-320\.)/, 'x'))).status, 404)
  const part = await fetchBytes(url, { range: 'bytes=0-9' })
  assert.deepEqual([part.status, part.bytes.length, part.headers.get('content-range')], [206, 10, `bytes 0-9/${bytes}`])
  assert.equal((await fetchBytes(url, { range: 'bytes=9-0' })).status, 200)
  assert.equal((await fetchBytes(url, { range: `bytes=${bytes}-` })).status, 416)
  assert.equal(
    (await fetchBytes(url, { range: Array.from({ length: 1000 }, (_, at) => `bytes=${at}-${at}`).join(',') })).status,
    200,
  )
})

test('the same bytes answer the file that there is, and an undone upload leaves no row', async () => {
  const bytes = base64(await photo(3))
  const first = await upload({ base64: bytes, filename: 'twice' })
  const second = await upload({ base64: bytes, filename: 'other', alt: 'A colour' })
  assert.deepEqual([second.deduplicated, second.item.id, second.item.alt], [true, first.item.id, 'A colour'])
  const third = await upload({ base64: bytes })
  assert.deepEqual([third.changed, third.activity_id], [[], null])
  await site.call('SVC_Activity.undo', { ids: [second.activity_id, first.activity_id] })
  assert.equal((await site.api('SVC_Media.get', { id: first.item.id })).json.error.code, 'not_found')
  assert.equal((await fetchBytes(first.item.url)).status, 404)
})

test('a form with the file beside class and action, and a link that takes one file once', async () => {
  const form = new FormData()
  form.set('class', 'SVC_Media')
  form.set('action', 'upload')
  form.set('alt', 'A form')
  form.set('file', new Blob([new Uint8Array(await photo(4))]), 'From a form.jpg')
  const send = (body: FormData, token: string | null = site.token) =>
    fetch(`${site.base}/api/`, { method: 'POST', body, headers: token === null ? {} : { authorization: `Bearer ${token}` } })
  const { data } = (await (await send(form)).json()) as any
  assert.deepEqual([data.item.filename, data.item.alt], ['from-a-form.jpg', 'A form'])
  assert.equal(((await (await send(form, null)).json()) as any).error.code, 'refused')
  assert.deepEqual(await readdir(join(site.home, 'data', 'incoming')), [])

  const bytes = new Uint8Array(await photo(5))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const { url } = await site.call('SVC_Media.begin-upload', { filename: 'sent.jpg', bytes: bytes.length, sha256, alt: 'Sent' })
  const put = async (body: Uint8Array<ArrayBuffer>) => {
    const answer = await fetch(url, { method: 'PUT', body })
    return { status: answer.status, json: (await answer.json()) as any }
  }
  assert.equal((await put(bytes.slice(1))).json.error.code, 'unprocessable')
  assert.equal((await put(new Uint8Array([...bytes, 1]))).json.error.code, 'too_large')
  assert.deepEqual(await readdir(join(site.home, 'data', 'incoming')), [])
  const sent = await put(bytes)
  assert.deepEqual([sent.status, sent.json.data?.item.path], [200, '/media/sent.jpg'])
  assert.equal((await put(bytes)).json.error.code, 'not_found')
  assert.ok(!site.log.join('\n').includes(new URL(url).searchParams.get('key') ?? 'no key'))
})

test('attack 107: a form that is cut off, has no boundary or too many parts is refused in time, and leaves nothing', async () => {
  const head = '--x\r\ncontent-disposition: form-data; name="'
  const field = (name: string) => `${head}${name}"\r\n\r\nv\r\n`
  const file = `${head}file"; filename="a.txt"\r\n\r\nwords`
  for (const [type, body] of [
    ['multipart/form-data', `${field('class')}--x--\r\n`],
    ['multipart/form-data; boundary=x', `${field('class')}${file}`],
    ['multipart/form-data; boundary=x', Array.from({ length: 500 }, (_, at) => field(`f${at}`)).join('') + '--x--\r\n'],
    ['multipart/form-data; boundary=x', `${field('action')}${field('__proto__')}${file}\r\n--x--\r\n`],
  ] as const) {
    const answer = await site.send('/api/', { method: 'POST', body, headers: { 'content-type': type } })
    assert.equal(answer.json.success, false, body.slice(0, 80))
    assert.ok(answer.status >= 400 && answer.status < 500, answer.text)
  }
  assert.deepEqual(await readdir(join(site.home, 'data', 'incoming')), [])
})

test('an upload link ends with the access of the caller who asked for it', async () => {
  const { token, item } = await site.call('SVC_Tokens.create', { name: 'uploads', scope: 'content' })
  const bytes = new Uint8Array(await photo(6))
  const begun = await site.call('SVC_Media.begin-upload', { filename: 'late.jpg', bytes: bytes.length }, { token })
  await site.call('SVC_Tokens.revoke', { ids: [item.id], expect: 1 })
  assert.equal((await fetch(begun.url, { method: 'PUT', body: bytes })).status, 404)
})

test('a dry run stores nothing, and says what would be there (attack 87)', async () => {
  const before = await stored()
  const answer = await site.call('SVC_Media.upload', { arguments: { base64: base64(await photo(7)), alt: 'x' }, dry_run: true })
  assert.equal(answer.item.width, 600)
  assert.deepEqual(await stored(), before)
})

const bomb = (width: number, height: number): Buffer => {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    // The checksum is wrong: the header must be enough for the refusal.
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(50)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const hostile: readonly (readonly [name: string, code: string, message: RegExp, make: () => Promise<Record<string, unknown>>])[] =
  [
    [
      'an image of 50,000 × 50,000 pixels',
      'unprocessable',
      /50000 × 50000|can not be decoded/,
      async () => ({ base64: base64(bomb(50_000, 50_000)) }),
    ],
    [
      'an image that broke off',
      'unprocessable',
      /can not be decoded/,
      async () => ({ base64: base64((await photo(8)).subarray(0, 1500)) }),
    ],
    ['a program', 'unsupported', /kind/, async () => ({ base64: base64(Buffer.from('\x7fELF\x00\x01\x02')) })],
    [
      'a HEIC image',
      'unsupported',
      /Export it as JPEG/,
      async () => ({ base64: base64(Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1')) }),
    ],
    [
      'an SVG with a DOCTYPE',
      'unprocessable',
      /DOCTYPE/,
      async () => ({ text: '<!DOCTYPE svg [<!ENTITY x "y">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>' }),
    ],
    ['two files at once', 'invalid', /exactly one way/, async () => ({ text: 'x', base64: 'eA==' })],
    ['an address of the machine itself', 'unreachable', /public internet/, async () => ({ url: 'http://127.0.0.1/x.png' })],
    [
      'an animation of very many frames',
      'unprocessable',
      /frames/,
      async () => {
        const frames = 301
        const raw = Buffer.alloc(8 * 8 * frames * 3, 7)
        for (let at = 0; at < raw.length; at += 191) raw[at] = at % 251
        const gif = sharp(raw, { raw: { width: 8, height: 8 * frames, channels: 3, pageHeight: 8 } } as never).gif({ loop: 0 })
        return { base64: base64(await gif.toBuffer()) }
      },
    ],
  ]

for (const [name, code, message, make] of hostile)
  test(`attacks 104 and 106: ${name} is ${code}, and leaves nothing`, async () => {
    const before = await stored()
    const error = await refused({ ...(await make()), filename: 'x.jpg' })
    assert.deepEqual([error?.code, message.test(error?.message ?? '')], [code, true], JSON.stringify(error))
    assert.deepEqual(await stored(), before)
  })

test('attack 104: a kind follows from the bytes, and what is no image is only a download', async () => {
  const page = await upload({ text: '<!doctype html><script>alert(1)</script>', filename: 'photo.jpg' })
  assert.deepEqual([page.item.kind, page.item.filename], ['text/plain', 'photo.txt'])
  const shown = await fetchBytes(page.item.url)
  assert.match(shown.headers.get('content-disposition') ?? '', /^attachment/)
  assert.deepEqual(
    [shown.headers.get('x-content-type-options'), shown.headers.get('content-type')],
    ['nosniff', 'text/plain; charset=utf-8'],
  )
  const tail = '<script>alert(1)</script>'
  const polyglot = await upload({
    base64: base64(Buffer.concat([await photo(9), Buffer.from(tail)])),
    filename: 'x.html',
    alt: 'x',
  })
  assert.equal(polyglot.item.filename, 'x.jpg')
  for (const { url } of (await ready(polyglot.item.id)).variants) assert.ok(!(await fetchBytes(url)).bytes.includes(tail))
  assert.ok(!(await fetchBytes(polyglot.item.url)).bytes.includes(tail))
})

test('attack 105: a name is reduced, and a path outside names no file', async () => {
  const names = ['../../x', '..\\..\\y', '.htaccess', '\u202egnp.exe', 'a\u0000b', '']
  for (const [at, filename] of names.entries()) {
    const { item } = await upload({ text: `text ${at}`, filename })
    assert.match(item.path, /^\/media\/[a-z0-9-]+\.txt$/, filename)
  }
  for (const id of ['../../data/postern.db', '/media/../data/site.key', 'protected/../../data'])
    assert.equal((await site.api('SVC_Media.delete', { ids: [id] })).json.error.code, 'not_found')
  assert.equal((await refused({ text: 'x', folder: '../x' })).field, 'folder')
})

test('a file in use is not deleted without force; a deleted one is gone until it is restored, and purged for good', async () => {
  const { item } = await upload({ base64: base64(await photo(10)), filename: 'used', alt: 'x' })
  await ready(item.id)
  const body = `![x](${item.path})`
  const entry = await site.call('SVC_Content.create', { type: 'page', title: 'Uses it', status: 'published', body })
  assert.deepEqual(
    (await get(item.id)).used_by.map(({ id }: { id: string }) => id),
    [entry.item.id],
  )
  const inUse = (await site.api('SVC_Media.delete', { ids: [item.path] })).json.error
  assert.deepEqual([inUse.code, inUse.field, inUse.by[0].title], ['in_use', 'force', 'Uses it'])
  const [{ url }] = (await get(item.id)).variants
  assert.equal((await fetchBytes(url)).status, 200)
  const deleted = await site.call('SVC_Media.delete', { ids: [item.path], force: true })
  assert.deepEqual([(await fetchBytes(url)).status, (await fetchBytes(item.url)).status], [404, 404])
  const name = url.split('/').at(-1) as string
  assert.equal(existsSync(join(site.home, 'user-content', 'media', name.slice(0, 2), name)), false)
  await site.call('SVC_Activity.undo', { ids: [deleted.activity_id] })
  assert.equal((await fetchBytes(url)).status, 200)
  await site.call('SVC_Content.update', { id: entry.item.id, body: 'Nothing.' })
  assert.equal((await get(item.id)).used, 0)
  await site.call('SVC_Content.update', { id: entry.item.id, cover: item.path })
  assert.equal((await get(item.id)).used, 1)
  await site.call('SVC_Content.update', { id: entry.item.id, cover: null, seo: { image: item.path } })
  assert.equal((await get(item.id)).used, 1)
  await site.call('SVC_Content.update', { id: entry.item.id, seo: null })
  await site.call('SVC_Media.delete', { ids: [item.id] })
  assert.equal((await site.api('SVC_Media.purge', { ids: [item.id], expect: 2 })).json.error.code, 'conflict')
  const before = (await stored()).length
  await site.call('SVC_Media.purge', { ids: [item.id], expect: 1 })
  assert.equal((await stored()).length, before - 1)
  assert.equal((await site.api('SVC_Media.get', { id: item.id })).json.error.code, 'not_found')
})

test('another name redirects from the old one, another file keeps the address, and both are undone', async () => {
  const { item } = await upload({ base64: base64(await photo(11)), filename: 'first', alt: 'x' })
  await ready(item.id)
  const renamed = await site.call('SVC_Media.update', { id: item.id, filename: 'second.jpg', folder: 'team/2026' })
  assert.equal(renamed.item.path, '/media/team/2026/second.jpg')
  const old = await fetchBytes(item.url)
  assert.deepEqual([old.status, old.headers.get('location')], [301, '/blog/media/team/2026/second.jpg'])
  const { activity_id: replacing, item: now } = await site.call('SVC_Media.replace', {
    id: item.path,
    base64: base64(await photo(12)),
  })
  assert.equal(now.path, renamed.item.path)
  const later = await ready(item.id)
  assert.equal(later.earlier.length, 1)
  const after = await fetchBytes(now.url)
  await site.call('SVC_Activity.undo', { ids: [replacing] })
  const restored = await fetchBytes(now.url)
  assert.deepEqual([restored.status, restored.bytes.equals(after.bytes)], [200, false])
  const clash = await upload({ text: 'x y z', filename: 'x.txt' })
  const error = (await site.api('SVC_Media.update', { id: clash.item.id, filename: item.filename })).json.error
  assert.equal(error, undefined)
})

test('a protected file has signed addresses only', async () => {
  const { item } = await upload({ base64: base64(await photo(13)), filename: 'secret', alt: 'x', protected: true })
  assert.equal(item.url, null)
  const whole = await ready(item.id)
  assert.equal((await fetchBytes(`${site.base}${item.path}`)).status, 404)
  for (const { url } of whole.variants) assert.equal((await fetchBytes(url)).status, 404)
  assert.equal((await fetchBytes(whole.url)).status, 200)
  const opened = await site.call('SVC_Media.update', { id: item.id, protected: false })
  assert.equal((await fetchBytes(opened.item.url)).status, 200)
  await fetchBytes(whole.variants[0].url)
  await site.call('SVC_Activity.undo', { ids: [opened.activity_id] })
  assert.equal((await fetchBytes(whole.variants[0].url)).status, 404)
  const name = whole.variants[0].url.split('/').at(-1) as string
  assert.equal(existsSync(join(site.home, 'user-content', 'media', name.slice(0, 2), name)), false)
  assert.equal((await site.send(`/user-content/uploads/protected/.media/${name}`)).status, 403)
})

test('what a token for drafts uploads is hidden until something public uses it', async () => {
  const { token } = await site.call('SVC_Tokens.create', { name: 'drafts', scope: 'content', limits: { drafts_only: true } })
  const { item } = await upload({ base64: base64(await photo(14)), filename: 'held', alt: 'x' }, { token })
  assert.equal(item.unpublished, true)
  const [{ url }] = (await ready(item.id)).variants
  assert.deepEqual([(await fetchBytes(url)).status, (await fetchBytes(item.url)).status], [404, 404])
  const draft = await site.call('SVC_Content.create', { type: 'page', title: 'Draft', cover: item.id }, { token })
  assert.equal((await fetchBytes(url)).status, 404)
  assert.equal((await site.api('SVC_Media.get', { id: item.id }, { token: null })).json.error.code, 'not_found')
  await site.call('SVC_Content.publish', { id: draft.item.id })
  assert.equal((await fetchBytes(url)).status, 200)
  assert.equal((await site.call('SVC_Media.get', { id: item.id }, { token: null })).item.used, 1)
  assert.equal((await site.api('SVC_Media.update', { id: item.id, alt: 'y' }, { token })).json.error.code, 'refused')
})

test('a model sees a picture small enough to look at, as MCP image content', async () => {
  const { item } = await upload({ base64: base64(await photo(15, { width: 1600, height: 1200 })), filename: 'look', alt: 'x' })
  const params = { name: 'SVC_API__call-action', arguments: { action: 'SVC_Media.read', arguments: { id: item.path } } }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const { result } = (await site.send('/mcp/', { method: 'POST', headers, body })).json
  const image = result.content.find(({ type }: { type: string }) => type === 'image')
  assert.equal(image.mimeType, 'image/jpeg')
  const { width, height } = await sharp(Buffer.from(image.data, 'base64')).metadata()
  assert.ok(Math.max(width, height) <= 1024)
  assert.ok(!JSON.stringify([result.content[1], result.structuredContent]).includes(image.data.slice(0, 100)))
  const text = await site.call('SVC_Media.upload', { text: 'Plain words', filename: 'words.txt' })
  assert.equal((await site.call('SVC_Media.read', { id: text.item.path })).text, 'Plain words')
})

test('an image in a text becomes one with sizes, dimensions and a placeholder; a sound gets an address for ever', async () => {
  const { item } = await upload({ base64: base64(await photo(17)), filename: 'in-a-text', alt: 'From the file' })
  const { variants } = await ready(item.id)
  const sound = await upload({ base64: base64(Buffer.concat([Buffer.from('ID3'), Buffer.alloc(500)])), filename: 'song.mp3' })
  const body = `![](${item.path})\n\n![Own words](${item.id} "A caption")\n\n![](https://elsewhere.example/x.png)\n\n[Song](${sound.item.path})`
  const { item: entry } = await site.call('SVC_Content.create', { type: 'page', title: 'Pictures', status: 'published', body })
  const { text } = await site.send(entry.path, { headers: { accept: 'text/html' } })
  const [first = '', second = ''] = text.match(/<img [^>]*>/g) ?? []
  assert.ok(first.includes(`srcset="${variants[0].url} 320w, ${variants[1].url} 600w"`), first)
  assert.match(
    first,
    /alt="From the file" width="600" height="900" decoding="async" style="background:url\(data:image\/webp;base64,/,
  )
  assert.match(second, /alt="Own words".* loading="lazy"/)
  assert.match(text, /<figcaption>A caption<\/figcaption>/)
  assert.match(text, /<img src="https:\/\/elsewhere\.example\/x\.png" alt=""/)
  const [, address = ''] = /<audio src="([^"]+)"/.exec(text) ?? []
  const part = await fetchBytes(address, { range: 'bytes=0-2' })
  assert.deepEqual([part.status, part.bytes.toString(), part.headers.get('content-type')], [206, 'ID3', 'audio/mpeg'])
  await site.call('SVC_Media.update', { id: item.id, alt: 'Another description' })
  assert.match((await site.send(entry.path, { headers: { accept: 'text/html' } })).text, /alt="Another description"/)
})

test('with AVIF switched on, a browser is offered it first, in a text and as a cover', async () => {
  await site.call('SVC_Settings.update', { set: { image_format: 'avif' } })
  try {
    const { item } = await upload({ base64: base64(await photo(18)), filename: 'modern', alt: 'x' })
    const { variants } = await ready(item.id)
    const avif = variants.filter(({ type }: { type: string }) => type === 'image/avif')
    assert.equal(avif.length, 2)
    const answer = await fetchBytes(avif[0].url)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/avif'])
    const input = { type: 'post', title: 'Modern', status: 'published', cover: item.id, body: `![x](${item.path})` }
    const { item: entry } = await site.call('SVC_Content.create', input)
    const { text } = await site.send(entry.path, { headers: { accept: 'text/html' } })
    assert.match(
      text,
      /<picture><source type="image\/avif" srcset="[^"]*\.avif 320w[^"]*"[^>]*><source type="image\/webp"[^>]*><img /,
    )
    assert.match(text, /<picture><source type="image\/avif" srcset="[^"]*\.avif 320w[^"]*"[^>]*><img [^>]*\.webp/)
  } finally {
    await site.call('SVC_Settings.update', { set: { image_format: 'webp' } })
  }
})

test('a full or read-only disk is 503 with what to do, and the upload can be repeated', async () => {
  const folder = join(site.home, 'user-content', 'uploads', 'protected', '.media', 'made')
  assert.ok(existsSync(folder))
  const bytes = await photo(16)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  // A file where a folder is needed stands in for a disk that takes nothing.
  const blocked = join(site.home, 'user-content', 'uploads', 'protected', '.media', sha256.slice(0, 2))
  if (existsSync(blocked)) return
  await writeFile(blocked, '')
  const error = await refused({ base64: base64(bytes) })
  assert.deepEqual([error.code, typeof error.retry_after], ['unavailable', 'number'])
  const { rm } = await import('node:fs/promises')
  await rm(blocked)
  assert.equal((await upload({ base64: base64(bytes), alt: 'x' })).item.width, 600)
})

test('lists find by kind and by what is missing, show what lies in uploads/protected, and leave the trash out', async () => {
  await writeFile(join(site.home, 'user-content', 'uploads', 'protected', 'zz.pdf'), '%PDF-1.7')
  const all = await site.call('SVC_Media.list', { count: true, limit: 100 })
  assert.equal(all.total, all.items.length)
  assert.equal(all.items.at(-1).id, 'protected/zz.pdf')
  const pages: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await site.call('SVC_Media.list', { limit: 4, ...(cursor && { cursor }) })
    pages.push(...page.items.map(({ id }: { id: string }) => id))
    if (page.next_cursor === null) break
    cursor = page.next_cursor
  }
  assert.deepEqual(
    pages,
    all.items.map(({ id }: { id: string }) => id),
  )
  const bare = await site.call('SVC_Media.list', { where: { kind: { has: 'image/' }, alt: { exists: false } } })
  assert.deepEqual(
    bare.items.map(({ filename }: { filename: string }) => filename),
    ['grosse-am-meer.jpeg'],
  )
  assert.equal(pathOf(bare.items[0].url), '/media/grosse-am-meer.jpeg')
})

test('attack 147: a drawing of a drafts-only token that would take seconds to clean is refused, and the site answers meanwhile', async () => {
  const { token } = await site.call('SVC_Tokens.create', { name: 'drawer', scope: 'content', limits: { drafts_only: true } })
  const drawing = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
  for (const [inside, reason] of [
    ['<g>'.repeat(80_000), /more than 200 elements within each other/],
    ['<g/>'.repeat(125_000), /more than 20000 elements/],
    [`<g ${'a="" '.repeat(400_000)}/>`, /more than 100 attributes/],
  ] as const) {
    const before = process.cpuUsage()
    const [answer, health] = await Promise.all([
      site.api('SVC_Media.upload', { arguments: { text: drawing(inside), filename: 'a.svg' } }, { token }),
      site.send('/healthz', { token: null }),
    ])
    const { user, system } = process.cpuUsage(before)
    assert.deepEqual([answer.status, health.status], [422, 200])
    assert.match(answer.json.error.message, reason)
    assert.ok(user + system < 3e6, `${(user + system) / 1000} ms of processor time`)
  }
  assert.equal((await stored()).filter((name) => name.includes('.svg.svg')).length, 0)
})
