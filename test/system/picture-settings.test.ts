// The pictures of the site: its logo with one for a dark ground, its icon and the picture in cards, and pictures that are cropped.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
before(async () => {
  site = await openSite()
})
after(() => site[Symbol.asyncDispose]())

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 6h8L6 8H2z"/></svg>'

/** A photo that is red on its left half and blue on its right. */
async function photo(width: number, height: number): Promise<string> {
  const half = await sharp({ create: { width: Math.ceil(width / 2), height, channels: 3, background: '#00f' } })
    .png()
    .toBuffer()
  const whole = sharp({ create: { width, height, channels: 3, background: '#f00' } })
  const bytes = await whole
    .composite([{ input: half, left: Math.floor(width / 2), top: 0 }])
    .jpeg()
    .toBuffer()
  return bytes.toString('base64')
}

async function upload(filename: string, width: number, height: number) {
  const { item } = await site.call('SVC_Media.upload', { base64: await photo(width, height), filename, alt: 'Two halves' })
  return item as { readonly id: string; readonly path: string }
}

const home = async (): Promise<string> => (await fetch(`${site.base}/`)).text()

test('a site has a logo with one for the dark, an icon and a picture in cards', async () => {
  const [light, dark] = [await upload('light.jpg', 300, 100), await upload('dark.jpg', 300, 101)]
  const [icon, card] = [await upload('icon.jpg', 128, 128), await upload('card.jpg', 800, 500)]
  const set = { logo: light.path, logo_dark: dark.path, site_icon: icon.id, social_image: card.path }
  const { item } = await site.call('SVC_Settings.update', { set })
  assert.deepEqual(item, { logo: light.id, logo_dark: dark.id, site_icon: icon.id, social_image: card.id })
  await until('the sizes are made', async () => (await home()).includes('og:image'))
  const shown = await home()
  assert.match(shown, /<picture><source media="\(prefers-color-scheme: dark\)" srcset="[^"]+"[^>]*><img src="[^"]+"/)
  assert.match(shown, /property="og:image" content="[^"]+-800\.jpg"/)
  const favicon = await fetch(`${site.base}/favicon.ico`, { redirect: 'manual' })
  assert.match(favicon.headers.get('location') ?? '', /-128\.webp$/)
  await site.call('SVC_Themes.configure', { id: 'default', settings: { scheme: 'dark' } })
  assert.doesNotMatch(await home(), /<source media="\(prefers-color-scheme/)
  await site.call('SVC_Settings.update', { set: { site_icon: null } })
  const other = await fetch(`${site.base}/favicon.ico`, { redirect: 'manual' })
  assert.match(other.headers.get('location') ?? '', /-300\.webp$/, 'the logo is the icon again')
})

for (const [what, key, width, height, said] of [
  ['a logo of one pixel', 'logo', 1, 1, /too small for a logo with 1 × 1 pixels: choose a picture of at least 48 × 24/],
  ['an icon like a ribbon', 'site_icon', 600, 100, /too long for the icon of the site with 600 × 100 pixels/],
  ['a small picture in cards', 'social_image', 120, 90, /too small for a picture in cards/],
] as const)
  test(`${what} is refused with one sentence, and nothing changes`, async () => {
    const { id } = await upload(`${key}-wrong.jpg`, width, height)
    const before = await site.call('SVC_Settings.list', {})
    const answer = await site.api('SVC_Settings.update', { set: { [key]: id, site_title: 'Changed' } })
    assert.equal(answer.status, 400)
    assert.match(answer.json.error.message, said)
    assert.equal(answer.json.error.field, `set.${key}`)
    assert.deepEqual((await site.call('SVC_Settings.list', {})).items, before.items)
  })

test('a drawing is a logo but no picture in cards, a text is neither, and a file that is not there is not found', async () => {
  const { item } = await site.call('SVC_Media.upload', { text: drawing, filename: 'mark.svg', alt: '' })
  await site.call('SVC_Settings.update', { set: { logo: item.path } })
  const card = await site.api('SVC_Settings.update', { set: { social_image: item.id } })
  assert.match(card.json.error.message, /A drawing can not be a picture in cards/)
  const { item: notes } = await site.call('SVC_Media.upload', { text: 'Only words.', filename: 'notes.txt' })
  const text = await site.api('SVC_Settings.update', { set: { logo: notes.id } })
  assert.match(text.json.error.message, /This file is no picture, so it can not be a logo/)
  assert.equal((await site.api('SVC_Settings.update', { set: { logo: '/media/none.png' } })).status, 404)
})

test('a crop is a new picture around its focus with the same description, and the original stays', async () => {
  const { id, path } = await upload('wide.jpg', 600, 200)
  const original = async () => (await site.call('SVC_Media.get', { id })).item
  const { revision, width } = await original()
  const { item } = await site.call('SVC_Media.crop', { id: path, shape: 'square', focus: { x: 1, y: 0.5 } })
  assert.deepEqual([item.width, item.height, item.alt], [200, 200, 'Two halves'])
  assert.equal(item.path, '/media/wide-square.jpg')
  const bytes = Buffer.from(await (await fetch(site.base + (item.path as string))).arrayBuffer())
  const { dominant } = await sharp(bytes).stats()
  assert.ok(dominant.b > 200 && dominant.r < 60, JSON.stringify(dominant))
  const now = await original()
  assert.deepEqual([now.revision, now.width], [revision, width])
  const again = await site.call('SVC_Media.crop', { id, shape: 'square', focus: { x: 1, y: 0.5 } })
  assert.equal(again.deduplicated, true)
  const tall = await site.call('SVC_Media.crop', { id, shape: '4:5', focus: { x: 0, y: 0 } })
  assert.deepEqual([tall.item.width, tall.item.height], [160, 200])
  await site.call('SVC_Activity.undo', { ids: [tall.activity_id] })
  assert.equal((await fetch(site.base + (tall.item.path as string))).status, 404)
})

test('a drawing and a file in the trash are not cropped, and a dry run stores nothing', async () => {
  const { item } = await site.call('SVC_Media.upload', { text: drawing, filename: 'round.svg', alt: '' })
  const vector = await site.api('SVC_Media.crop', { id: item.id, shape: 'square' })
  assert.match(vector.json.error.message, /Only images of pixels can be cropped/)
  const { id } = await upload('gone.jpg', 320, 200)
  const count = async () => (await site.call('SVC_Media.list', {})).items.length as number
  const known = await count()
  const tried = await site.call('SVC_Media.crop', { id, shape: 'square', dry_run: true })
  assert.equal(tried.item.width, 200)
  assert.equal(await count(), known)
  await site.call('SVC_Media.delete', { ids: [id] })
  const trashed = await site.api('SVC_Media.crop', { id, shape: '3:2' })
  assert.equal(trashed.json.error.code, 'refused')
})
