// Kept pages with pictures: the sizes of a picture are made after its upload, and end the pages that show it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { variantsTurn } from '../../src/actions/media/make-variants.ts'
import { openTestSite } from '../identity/open-test-site.ts'
import { openPages } from './visited-pages.ts'

test('the sizes of a picture end the pages that show it, and no others', async () => {
  await using on = await openTestSite()
  const pages = openPages(on.site)
  const png = await sharp({ create: { width: 640, height: 30, channels: 3, background: '#08f' } })
    .png()
    .toBuffer()
  const upload = { base64: png.toString('base64'), filename: 'dot.png', alt: 'Blue' }
  const { item } = await on.ok('SVC_Media.upload', upload, on.as('admin'))
  await on.site.media.tail
  const publish = (title: string, body: string) => on.ok('SVC_Content.create', { type: 'page', title, body, status: 'published' })
  await publish('Blue', `![Blue](${item.path})`)
  await publish('Grey', 'No picture.')
  const before = await pages.visit('/blue')
  await pages.visit('/grey')
  pages.made()
  await on.site.store.transaction(async (db) => void (await db.deleteFrom('media_picture').execute()))
  await variantsTurn(on.site).run(new AbortController().signal)
  await on.site.media.tail
  await pages.visit('/grey')
  assert.equal(pages.made(), 0)
  assert.equal(await pages.visit('/blue'), before)
  assert.equal(pages.made(), 1)
})
