// From the export of an old site to a site that one would show: upload, look inside, import, pages, and back, in a browser.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import yazl from 'yazl'
import { holdAccessible, noBrowser, openBrowser, openContext, picture as look, signInThere } from '../admin/chromium.ts'
import { oldFile, oldItem, oldPoint, oldSite, oldUrl } from '../imports/old-site.ts'
import { openSite } from '../site.ts'

const picture = (hue: string): Promise<Buffer> =>
  sharp({ create: { width: 640, height: 420, channels: 3, background: hue } })
    .jpeg()
    .toBuffer()

const block = (name: string, html: string, more = '') => `<!-- wp:${name} ${more}-->\n${html}\n<!-- /wp:${name} -->\n\n`
const paragraph = (text: string) => block('paragraph', `<p>${text}</p>`)
const heading = (text: string) => block('heading', `<h2>${text}</h2>`)
const image = (file: string, alt: string, caption: string) =>
  block(
    'image',
    `<figure class="wp-block-image"><img src="${oldUrl}/wp-content/uploads/2019/05/${file}-300x200.jpg" alt="${alt}"/><figcaption>${caption}</figcaption></figure>`,
  )

const items = [
  oldItem({
    id: 1,
    title: 'Our bakery',
    slug: 'our-bakery',
    type: 'page',
    link: '/our-bakery/',
    body:
      paragraph('We bake in a wood oven since 1921.') +
      image('oven', 'The oven', 'Our oven, lit at three') +
      heading('Opening hours') +
      block('list', '<ul><li>Tuesday to Friday, 6 to 18</li><li>Saturday, 6 to 13</li></ul>') +
      block('quote', '<blockquote class="wp-block-quote"><p>The best rye far and wide.</p></blockquote>'),
  }),
  oldItem({
    id: 2,
    title: 'Rye bread',
    slug: 'rye',
    terms: '<category domain="category" nicename="bread"><![CDATA[Bread]]></category>',
    body:
      paragraph(`Three days, <a href="${oldUrl}/our-bakery/">from us</a>.`) +
      image('loaf', 'A loaf', 'Rye, 1 kg') +
      '[rev_slider alias="home"]',
  }),
  oldItem({ id: 3, title: 'Diary', slug: 'diary', status: 'private', body: paragraph('Only for me.') }),
  oldFile(10, '2019/05/oven.jpg'),
  oldFile(11, '2019/05/loaf.jpg'),
  oldPoint(20, 1, 1),
  oldPoint(21, 2, 'https://elsewhere.example/shop'),
]

async function writeExport(folder: string): Promise<string> {
  const zip = new yazl.ZipFile()
  zip.addBuffer(Buffer.from(oldSite(items.join(''))), 'export.xml')
  for (const [name, hue] of [
    ['oven', '#a85908'],
    ['loaf', '#d9a066'],
  ] as const)
    zip.addBuffer(await picture(hue), `wp-content/uploads/2019/05/${name}.jpg`)
  zip.end()
  const file = join(folder, 'old-site.zip')
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(part as Buffer)
  await writeFile(file, Buffer.concat(parts))
  return file
}

const picturesOf = (page: Page): Promise<readonly { alt: string; isThere: boolean }[]> =>
  page.evaluate(`[...document.querySelectorAll('main img')].map((one) => ({ alt: one.alt, isThere: one.naturalWidth > 0 }))`)

test('an owner uploads an export, looks inside, imports it, sees the site, and takes it back', { skip: noBrowser }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-import-browser-'))
  await using site = await openSite()
  const browser = await openBrowser()
  try {
    await using context = await openContext(browser, { viewport: { width: 1280, height: 900 }, bypassCSP: true })
    const page = await context.newPage()
    await signInThere(page, site)
    await page.goto(`${site.base}/admin/import`)
    await holdAccessible(page, 'the form for the file')
    await page.setInputFiles('[name=file]', await writeExport(folder))
    await page.click('text=Look inside')
    await page.waitForSelector('#found', { timeout: 60_000 })
    await holdAccessible(page, 'what was found')
    const found = await page.innerText('main')
    for (const words of ['Old site', '[rev_slider]', 'private', 'Fresh every day'])
      assert.match(found, new RegExp(words.replaceAll(/[[\]]/g, '\\$&')))
    assert.equal((await site.send('/rye', { token: null })).status, 404, 'a look changes nothing')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.waitForSelector('#run', { timeout: 60_000 })
    await holdAccessible(page, 'the report')
    const report = page.url()
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Every old address')])
    assert.equal(download.suggestedFilename(), 'old-addresses.csv')

    await page.goto(`${site.base}/2019/05/rye/`)
    assert.equal(new URL(page.url()).pathname, '/rye', 'the old address leads to the entry')
    assert.match(await page.title(), /Rye bread.*Old site/)
    assert.deepEqual(await picturesOf(page), [{ alt: 'A loaf', isThere: true }])
    assert.match(await page.innerText('main'), /Rye, 1 kg/)
    await page.click('main >> text=from us')
    assert.equal(new URL(page.url()).pathname, '/our-bakery')
    assert.match(await page.innerText('main'), /Opening hours[^]*Tuesday to Friday[^]*The best rye/)
    assert.match(await page.innerText('header'), /Our bakery/, 'the menu of the old site is the main menu')
    assert.match(await page.innerText('header'), /Old site/)
    assert.equal((await site.send('/diary', { token: null })).status, 404)
    await look(page, 'imported-page')

    await page.goto(report)
    await page.click('text=Take the import back')
    await page.waitForURL((url) => url.searchParams.has('done') || url.searchParams.has('job'))
    await page.waitForFunction(async (path) => (await fetch(path)).status === 404, `${site.base}/our-bakery`, { timeout: 60_000 })
    assert.equal((await site.send('/2019/05/rye/', { token: null })).status, 404)
    assert.doesNotMatch((await site.send('/', { token: null })).text, /Old site/)
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
})
