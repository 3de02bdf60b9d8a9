// Pictures of pages, compared with what a browser shows that comes as a visitor.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { createTakePicture, findChromium } from '../../src/eyes/take-picture.ts'
import type { Look, Picture } from '../../src/eyes/types.ts'
import { noBrowser, openBrowser, openContext } from '../admin/chromium.ts'
import { openSite, type TestSite } from '../site.ts'
import { noLog, openEyes } from '../eyes/open-eyes.ts'

let site: TestSite
let browser: Browser | undefined
before(async () => {
  site = await openSite()
  const paragraphs = Array.from({ length: 60 }, (_, at) => `## Part ${at}\n\nBread, rolls and *cake* of day ${at}.`)
  const page = { type: 'page', title: 'What we bake', slug: 'bakery', status: 'published', body: paragraphs.join('\n\n') }
  await site.call('SVC_Content.create', page)
  browser = noBrowser === false ? await openBrowser() : undefined
})
after(async () => {
  await browser?.close()
  await site[Symbol.asyncDispose]()
})

/** Answers as the public site does. */
const look: Look = async (path) => {
  const answer = await fetch(site.base + path)
  return {
    status: answer.status,
    contentType: answer.headers.get('content-type') ?? '',
    policy: answer.headers.get('content-security-policy') ?? '',
    body: Buffer.from(await answer.arrayBuffer()),
  }
}

const usual: Picture = { width: 1280, dark: false, quality: 90, maxBytes: 2_000_000 }

/** What a visitor sees whose browser runs no script. */
async function seen({ width, dark, offset = 0 }: Picture): Promise<Buffer> {
  assert.ok(browser)
  const viewport = { width, height: width === 390 ? 844 : 900 }
  const isMobile = width === 390
  const options = { viewport, isMobile, colorScheme: dark ? 'dark' : 'light', javaScriptEnabled: false } as const
  const window = await openContext(browser, options)
  const page = await window.newPage()
  await page.goto(`${site.base}/bakery`)
  await page.evaluate(`scrollTo(0, ${offset})`)
  const picture = await page.screenshot({ type: 'png' })
  await window.close()
  return picture
}

interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Buffer
}

async function pixels(picture: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

/** The mean difference of two pictures of one size, of 255. */
function difference(one: Pixels, other: Pixels): number {
  assert.deepEqual([one.width, one.height], [other.width, other.height])
  return one.data.reduce((sum, value, at) => sum + Math.abs(value - (other.data[at] ?? 0)), 0) / one.data.length
}

for (const how of [
  { ...usual },
  { ...usual, dark: true },
  { ...usual, width: 390 },
  { ...usual, width: 390, dark: true, offset: 2000 },
] as const)
  test(`a picture shows what a visitor sees: ${JSON.stringify(how)}`, { skip: noBrowser }, async (t) => {
    const { place } = await openEyes(t)
    const taken = await createTakePicture(place, noLog)(site.base, '/bakery', look, how)
    assert.equal(taken.mime_type, 'image/jpeg')
    assert.ok(taken.page_height > 3000, String(taken.page_height))
    const mine = await pixels(Buffer.from(taken.base64, 'base64'))
    const same = difference(mine, await pixels(await seen(how)))
    assert.ok(same < 2, String(same))
    const other = difference(mine, await pixels(await seen({ ...how, dark: !how.dark })))
    assert.ok(other > 50, String(other))
  })

test('a picture becomes as small as it has to be, and shows the same part of the page', { skip: noBrowser }, async (t) => {
  const { place } = await openEyes(t)
  const take = createTakePicture(place, noLog)
  const whole = await take(site.base, '/bakery', look, { ...usual, offset: 1500 })
  const worse = await take(site.base, '/bakery', look, { ...usual, offset: 1500, maxBytes: whole.base64.length * 0.8 })
  assert.ok(worse.base64.length <= whole.base64.length * 0.8)
  assert.equal((await pixels(Buffer.from(worse.base64, 'base64'))).width, 1280)
  const small = await take(site.base, '/bakery', look, { ...usual, offset: 1500, maxBytes: 20_000 })
  assert.ok(small.base64.length <= 20_000)
  const { width, height } = await pixels(Buffer.from(small.base64, 'base64'))
  assert.ok(width < 1280)
  assert.deepEqual(
    [small.size, small.window],
    [
      { width, height },
      { width: 1280, height: 900 },
    ],
  )
  assert.deepEqual(worse.size, worse.window)
  const shrunk = await sharp(Buffer.from(whole.base64, 'base64')).resize(width, height, { fit: 'fill' }).png().toBuffer()
  const same = difference(await pixels(shrunk), await pixels(Buffer.from(small.base64, 'base64')))
  assert.ok(same < 6, String(same))
  await assert.rejects(take(site.base, '/bakery', look, { ...usual, maxBytes: 100 }), {
    code: 'too_large',
    message: 'The picture of this page does not fit into 100 bytes, even at a third of its size.',
  })
})

test('a page that is missing is shown as visitors get it', { skip: noBrowser }, async (t) => {
  const { place } = await openEyes(t)
  const { base64 } = await createTakePicture(place, noLog)(site.base, '/nothing-here', look, usual)
  assert.equal((await pixels(Buffer.from(base64, 'base64'))).width, 1280)
})

test('a picture does not show what the policy of the page hides from visitors', { skip: noBrowser }, async (t) => {
  const { place } = await openEyes(t)
  const take = createTakePicture(place, noLog)
  const blue: Look = async () => ({
    status: 200,
    contentType: 'text/html',
    body: '<!doctype html><body style="background:#0000ff">',
  })
  const strict: Look = async (path) => ({ ...(await blue(path)), policy: "default-src 'self'" })
  const redOf = async (shown: Look) => {
    const { base64 } = await take('https://example.org', '/', shown, usual)
    return (await sharp(Buffer.from(base64, 'base64')).stats()).channels[0]?.mean ?? 0
  }
  assert.ok((await redOf(blue)) < 5)
  assert.ok((await redOf(strict)) > 250)
})

test('what the renderer says about a page that it can not make reaches the caller', { skip: noBrowser }, async (t) => {
  const { place } = await openEyes(t)
  const broken: Look = () => Promise.reject(new Error('The theme is broken.'))
  await assert.rejects(createTakePicture(place, noLog)(site.base, '/bakery', broken, usual), { message: 'The theme is broken.' })
})

test('the doctor learns which Chromium it is', { skip: noBrowser }, async (t) => {
  const { place, started } = await openEyes(t)
  assert.match(await findChromium(place), /^(?:Headless)?Chrome\/\d+/)
  assert.equal((await started()).length, 1)
})
