// The pages of media, menus, terms, redirects, types and themes in a real browser: axe finds nothing on any of them, none is wider than its window, and
// script uploads with progress, sets a focus point, moves an item by its arrow keys.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext, picture } from '../admin/chromium.ts'
import { ownersPassword } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let browser: Browser
let site: TestSite
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  await fill()
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><rect width="40" height="30"/></svg>'

async function fill(): Promise<void> {
  await site.call('SVC_Media.upload', { text: drawing, filename: 'one.svg' })
  await site.call('SVC_Media.upload', { text: 'Hours', filename: 'hours.txt' })
  await site.call('SVC_Content.create', { type: 'page', title: 'About', status: 'published', body: '![x](/media/one.svg)' })
  await site.call('SVC_Content.create', { type: 'page', title: 'Draft', body: 'Words' })
  await site.call('SVC_Menus.create', {
    slug: 'side',
    items: [
      { id: 'about', entry: '/about' },
      { id: 'draft', entry: '/draft' },
      { id: 'shop', label: 'Shop', url: '/shop' },
    ],
  })
  await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'News' })
  await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'Local', parent: 'category/news' })
  await site.call('SVC_Redirects.create', { from: '/old', to: '/about', note: 'Moved' })
  await site.send('/abuot', { headers: { accept: 'text/html' } })
  await site.call('SVC_Types.create', {
    slug: 'product',
    name: 'Product',
    fields: [{ name: 'price', kind: 'number', label: 'Price' }],
  })
  await site.call('SVC_Themes.create', { slug: 'mine', from: 'default' })
}

const addresses = [
  '/admin/media',
  '/admin/media?view=table',
  '/admin/media?trash=yes',
  '/admin/media/file?id=/media/one.svg',
  '/admin/menus',
  '/admin/menus/edit?id=side&search=about',
  '/admin/terms',
  '/admin/terms/edit?id=category/news',
  '/admin/redirects',
  '/admin/redirects?list=missed',
  '/admin/types',
  '/admin/types/edit?id=product',
  '/admin/themes',
  '/admin/themes/edit?id=mine',
  '/admin/themes/files?id=mine',
  '/admin/themes/edit?id=mine&file=page.liquid',
]

async function signIn(page: Page): Promise<void> {
  await page.goto(`${site.base}/admin/sign-in`)
  await page.getByLabel('E-mail').fill('owner@example.org')
  await page.getByLabel('Password').fill(ownersPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

for (const { width, colorScheme } of [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const) {
  test(`axe finds nothing on the pages of the library: ${width}, ${colorScheme}`, { skip: noBrowser }, async () => {
    const context = await openContext(browser, { viewport: { width, height: 850 }, colorScheme })
    try {
      const page = await context.newPage()
      await signIn(page)
      for (const address of addresses) {
        await page.goto(site.base + address)
        for (const details of await page.locator('main details').all())
          await details.evaluate((element) => ((element as unknown as { open: boolean }).open = true))
        await picture(page, `library-${address.replace(/[^a-z]+/g, '-')}-${width}`)
        await holdAccessible(page, address)
      }
    } finally {
      await context.close()
    }
  })
}

test('on a phone: a file is uploaded by script, and an item of a menu moves by its arrow keys', { skip: noBrowser }, async () => {
  const context = await openContext(browser, { viewport: { width: 390, height: 844 } })
  try {
    const page = await context.newPage()
    await signIn(page)
    await page.goto(`${site.base}/admin/media`)
    const dot = { name: 'dot.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing.replace('40 30', '50 30')) }
    const bad = { name: 'bad.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ\u0090\0') }
    await page.locator('#f-files').setInputFiles([dot, bad])
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.locator('.uploads .fault').filter({ hasText: 'bad.exe' }).waitFor()
    assert.equal((await site.call('SVC_Media.list', { search: 'dot' })).items.length, 1)
    await page.goto(`${site.base}/admin/menus/edit?id=side`)
    await page.getByRole('button', { name: 'Up: Shop' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.waitForURL(/done=menus.update/)
    const { item } = await site.call('SVC_Menus.get', { id: 'side' })
    assert.equal(item.items[1].label, 'Shop')
    await page.keyboard.press('ArrowUp')
    await page.waitForFunction("document.querySelector('[data-item]')?.dataset.item === 'shop'")
    assert.equal((await site.call('SVC_Menus.get', { id: 'side' })).item.items[0].label, 'Shop')
  } finally {
    await context.close()
  }
})

test('an item of a menu is dragged before, behind and below another', { skip: noBrowser }, async () => {
  await site.call('SVC_Menus.create', {
    slug: 'dragged',
    items: ['a', 'b', 'c'].map((id) => ({ id, label: `Item ${id}`, url: `/${id}` })),
  })
  const drawn = async () => {
    const draw = (items: readonly { id: string; items?: [] }[]): string =>
      items.map(({ id, items: below }) => (below?.length ? `${id}(${draw(below)})` : id)).join(' ')
    return draw((await site.call('SVC_Menus.get', { id: 'dragged' })).item.items)
  }
  const context = await openContext(browser, { viewport: { width: 1280, height: 850 } })
  try {
    const page = await context.newPage()
    await signIn(page)
    await page.goto(`${site.base}/admin/menus/edit?id=dragged`)
    /** Drags with the mouse. `at` is the place in the row of the target: pixels from its left, and the part of its height. */
    const drag = async (id: string, target: string, [x, part]: readonly [number, number]): Promise<string> => {
      const rowOf = (one: string) => page.locator(`[data-item="${one}"] > .row`)
      const box = await rowOf(target).boundingBox()
      assert.ok(box)
      const moved = page.waitForResponse((answer) => answer.request().method() === 'POST', { timeout: 30_000 })
      await rowOf(id).dragTo(rowOf(target), { sourcePosition: { x: 10, y: 10 }, targetPosition: { x, y: box.height * part } })
      assert.equal((await moved).status(), 303)
      await page.waitForURL(/done=menus.update/)
      await page.locator(`[data-item="${id}"]`).waitFor()
      return drawn()
    }
    assert.equal(await drag('c', 'a', [20, 0.2]), 'c a b')
    assert.equal(await drag('c', 'b', [20, 0.8]), 'a b c')
    assert.equal(await drag('b', 'a', [200, 0.8]), 'a(b) c')
    // Onto itself or onto what is below it, nothing is sent.
    let sent = 0
    page.on('request', (request) => (sent += request.method() === 'POST' ? 1 : 0))
    await page
      .locator('[data-item="a"] > .row')
      .dragTo(page.locator('[data-item="b"] > .row'), { sourcePosition: { x: 10, y: 10 }, targetPosition: { x: 200, y: 20 } })
    assert.equal(sent, 0)
    assert.equal(await drag('b', 'c', [20, 0.8]), 'a c b')
  } finally {
    await context.close()
  }
})
