// Which files of media stay, and which are removed: nothing that a row, an earlier file, the trash or an undo needs, and everything else in the end.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { sweepUnused } from '../../src/actions/media/unused-media.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'

const day = 24 * 60 * 60_000

async function openMediaSite(): Promise<TestSite> {
  const on = await openTestSite()
  // Files have the time of the machine.
  on.clock.at = Date.now()
  return on
}
const storeOf = (on: TestSite) => join(on.home, 'user-content', 'uploads', 'protected', '.media')
const upload = (on: TestSite, text: string) => on.ok('SVC_Media.upload', { text, filename: 'words.txt' })
const undo = (on: TestSite, id: string) => on.ok('SVC_Activity.undo', { ids: [id] })
async function texts(on: TestSite): Promise<number> {
  return (await readdir(storeOf(on), { recursive: true })).filter((name) => /[0-9a-f]{64}\.txt$/.test(name)).length
}
const later = (on: TestSite, days: number) => {
  on.clock.at += days * day
  return sweepUnused(on.site)
}

test('an undone upload can be redone for 30 days, with its bytes; then its bytes are removed, and redo says so', async () => {
  await using on = await openMediaSite()
  const { item, activity_id: uploaded } = await upload(on, 'first')
  const undone = (await undo(on, uploaded)).activity_id
  await later(on, 29)
  const redone = (await undo(on, undone)).activity_id
  assert.equal((await on.ok('SVC_Media.read', { id: item.id })).text, 'first')
  const again = (await undo(on, redone)).activity_id
  await later(on, 29)
  assert.equal(await texts(on), 1)
  await later(on, 2)
  assert.equal(await texts(on), 0)
  const { code, message } = await on.fails('SVC_Activity.undo', { ids: [again] })
  assert.deepEqual([code, /destroyed for good/.test(message)], ['conflict', true])
})

test('a file in the trash, one that was replaced and one with the same bytes as an undone one stay', async () => {
  await using on = await openMediaSite()
  const trashed = await upload(on, 'in the trash')
  await on.ok('SVC_Media.delete', { ids: [trashed.item.id] })
  const replaced = await upload(on, 'replaced')
  const { activity_id: replacing } = await on.ok('SVC_Media.replace', { id: replaced.item.id, text: 'its successor' })
  const undone = await upload(on, 'twice')
  const { activity_id: undoing } = await undo(on, undone.activity_id)
  const second = await upload(on, 'twice')
  await later(on, 20)
  assert.equal(await texts(on), 4)
  // Purging the second takes the bytes from the first, which can still be redone, unless they are kept for it.
  await on.ok('SVC_Media.delete', { ids: [second.item.id] })
  await on.ok('SVC_Media.purge', { ids: [second.item.id], expect: 1 })
  await undo(on, undoing)
  assert.equal((await on.ok('SVC_Media.read', { id: undone.item.id })).text, 'twice')
  await later(on, 400)
  await undo(on, replacing)
  await on.ok('SVC_Media.restore', { ids: [trashed.item.id] })
  for (const [{ item }, text] of [
    [replaced, 'replaced'],
    [trashed, 'in the trash'],
  ] as const)
    assert.equal((await on.ok('SVC_Media.read', { id: item.id })).text, text)
})

test('what a crash left in any folder of the store is removed after a day, and nothing else', async () => {
  await using on = await openMediaSite()
  const { item } = await upload(on, 'kept')
  const hash = 'ab'.repeat(32)
  const left = [
    join(storeOf(on), 'ab', 'ab', `${hash}.jpg`),
    join(storeOf(on), 'made', 'ab', 'abababababababab-0123456789abcdef-320.webp'),
    join(on.home, 'user-content', 'media', 'ab', 'abababababababab-0-original.mp3'),
  ]
  for (const path of left) {
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, 'left')
  }
  const strange = join(storeOf(on), 'ab', 'ab', 'notes of the owner')
  await writeFile(strange, 'x')
  await later(on, 0.9)
  assert.deepEqual(left.map(existsSync), [true, true, true])
  assert.deepEqual(await later(on, 0.2), { removed: 3 })
  assert.deepEqual([...left, strange].map(existsSync), [false, false, false, true])
  assert.equal((await on.ok('SVC_Media.read', { id: item.id })).text, 'kept')
})

test('the sizes of an image with an earlier focus point are removed', async () => {
  await using on = await openMediaSite()
  const { default: sharp } = await import('sharp')
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#08f' } })
    .png()
    .toBuffer()
  const { item } = await on.ok(
    'SVC_Media.upload',
    { base64: png.toString('base64'), filename: 'dot.png', alt: 'x' },
    on.as('admin'),
  )
  await on.site.media.tail
  const keys = async () => (await on.site.media.store.listKeys()).length
  assert.equal(await keys(), 1)
  const focus = { id: item.id, focus: { x: 0, y: 0 } }
  await on.ok('SVC_Media.update', focus, on.as('admin'))
  await on.site.media.tail
  assert.equal(await keys(), 2)
  await later(on, 2)
  assert.equal(await keys(), 1)
  const { sizes } = (await on.ok('SVC_Media.get', { id: item.id })).item
  assert.equal(sizes, 'ready')
})

test('the undo of a description and a focus leaves a file that replaced the picture since', async () => {
  await using on = await openMediaSite()
  const png = async (background: string) =>
    (
      await sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer()
    ).toString('base64')
  const { item } = await on.ok('SVC_Media.upload', { base64: await png('#935'), filename: 'cake.png' })
  const { activity_id: described } = await on.ok('SVC_Media.update', { id: item.id, alt: 'A cake', focus: { x: 0.2, y: 0.3 } })
  await on.ok('SVC_Media.replace', { id: item.id, base64: await png('#359') })
  const keyOf = async () => {
    const [row] = await on.site.store.read.selectFrom('media').select(['file', 'file_key']).where('id', '=', item.id).execute()
    return { file: row?.file.slice(6, 22), key: row?.file_key.slice(0, 16) }
  }
  await on.ok('SVC_Activity.undo', { ids: [described], force: true })
  const { alt, focus } = (await on.ok('SVC_Media.get', { id: item.id })).item
  assert.deepEqual([alt, focus], [null, null])
  const { file, key } = await keyOf()
  assert.equal(key, file, 'the sizes are those of the file')
})
