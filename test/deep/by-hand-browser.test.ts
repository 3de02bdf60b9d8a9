// Journeys of people without a mouse or without script: what they do by keyboard alone, by touch on a phone, and in plain forms, up to what a visitor
// sees.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { desktop, noBrowser, openBrowser, openContext, signInThere } from '../admin/chromium.ts'
import { waitForSaved } from '../admin/editor-hand.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true } as const
const plain = { ...phone, javaScriptEnabled: false } as const

let browser: Browser
let site: TestSite
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

async function asOwner(options: BrowserContextOptions, walk: (page: Page) => Promise<void>): Promise<void> {
  await using context = await openContext(browser, options)
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  await signInThere(page, site)
  await walk(page)
}

const main = (page: Page) => page.getByRole('main')
const visitorSees = async (path: string): Promise<string> => (await fetch(site.base + path)).text()

test(
  'without script on a phone: a post is written in a plain field, left by a link and found again, and published',
  { skip: noBrowser },
  () =>
    asOwner(plain, async (page) => {
      await page.goto(`${site.base}/admin/content/new?type=post`)
      await page.getByLabel('Title', { exact: true }).fill('Rye on Fridays')
      await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Baked at **four**.\n\nSold at six.')
      await main(page).getByRole('button', { name: 'Save draft' }).tap()
      await page.locator('.notice.done').waitFor()
      await page.goto(`${site.base}/admin/content`)
      await main(page).getByRole('link', { name: 'Rye on Fridays' }).first().tap()
      await page.waitForURL(/edit/)
      await page.reload()
      assert.equal(
        await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue(),
        'Baked at **four**.\n\nSold at six.',
      )
      await main(page).getByRole('button', { name: 'Publish', exact: true }).tap()
      await page.locator('.notice.done').waitFor()
      const { items } = await site.call('SVC_Content.list', { where: { title: 'Rye on Fridays' } })
      const shown = await visitorSees(items[0].path)
      assert.match(shown, /<p>Baked at <strong>four<\/strong>\.<\/p>\s*<p>Sold at six\.<\/p>/)
    }),
)

test(
  'by the keyboard alone: a new post begins in its title, gets a link to an entry, and is published',
  { skip: noBrowser },
  () =>
    asOwner(desktop, async (page) => {
      await site.call('SVC_Content.create', { type: 'page', title: 'Order a cake', status: 'published', body: 'By mail.' })
      await page.goto(`${site.base}/admin/content/new?type=post`)
      await page.locator('.cm-content').waitFor()
      await page.keyboard.type('Cakes', { delay: 60 })
      await page.keyboard.press('Enter')
      // Five seconds of typing, with a slip that Ctrl+Z takes back.
      await page.keyboard.type('Three cakes a day, and for a feast as many as you like: ', { delay: 90 })
      await page.keyboard.type('oops')
      for (let press = 0; press < 4; press++) await page.keyboard.press('Backspace')
      await page.keyboard.press('Control+k')
      await page.getByLabel('Title of an entry, or an address').waitFor()
      await page.keyboard.type('Order a', { delay: 40 })
      await page.getByRole('dialog', { name: 'Link' }).getByRole('button', { name: 'Order a cake' }).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await waitForSaved(page)
      await page.keyboard.press('Control+Enter')
      await page.locator('.notice.done').waitFor()
      const { items } = await site.call('SVC_Content.list', { where: { title: 'Cakes' } })
      assert.match(await visitorSees(items[0].path), /as many as you like: <a href="[^"]*\/order-a-cake">Order a cake<\/a>/)
    }),
)

test('by touch: a section is moved up on a phone, and a visitor sees it there', { skip: noBrowser }, () =>
  asOwner(phone, async (page) => {
    const body = 'Words.\n\n::: call\nRing us.\n:::\n\n::: faq\n### Open?\nYes.\n:::\n'
    const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Bakery', body })
    await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
    await page.locator('.cm-content').waitFor()
    await page
      .getByRole('button', { name: /^Down: / })
      .first()
      .tap()
    await waitForSaved(page)
    await page.reload()
    await main(page).getByRole('button', { name: 'Publish', exact: true }).tap()
    await page.locator('.notice.done').waitFor()
    assert.match(await visitorSees(item.path), /is-faq[^]*is-call/)
  }),
)

test('by touch: a change that waits is a state of its own in the list, and is published from there', { skip: noBrowser }, () =>
  asOwner(phone, async (page) => {
    const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Hours', body: 'Nine.', status: 'published' })
    await site.call('SVC_Content.update', { id: item.id, body: 'Ten.', stage: true })
    await page.goto(`${site.base}/admin/content`)
    const row = main(page).getByRole('row', { name: /Hours/ })
    await row
      .getByText(/^Changes? waiting$/)
      .filter({ visible: true })
      .waitFor()
    assert.match(await visitorSees(item.path), /Nine\./)
    await row.getByRole('link', { name: 'Hours' }).first().tap()
    await main(page)
      .getByRole('button', { name: /^Publish/ })
      .first()
      .tap()
    await page.locator('.notice.done').waitFor()
    assert.match(await visitorSees(item.path), /Ten\./)
    await page.goto(`${site.base}/admin/content`)
    assert.equal(await row.getByText(/^Changes? waiting$/).count(), 0)
  }),
)

test(
  'without script: a menu takes a page that is a draft and says so; it shows as soon as the page is published',
  { skip: noBrowser },
  () =>
    asOwner(plain, async (page) => {
      await site.call('SVC_Content.create', { type: 'page', title: 'Wholesale', body: 'For shops.' })
      const { item: menu } = await site.call('SVC_Menus.create', { slug: 'top', name: 'Top', location: 'main', items: [] })
      await page.goto(`${site.base}/admin/menus/edit?id=${menu.id as string}`)
      await page.getByRole('searchbox', { name: 'Search entries, categories and tags' }).fill('Wholesale')
      await page.keyboard.press('Enter')
      await main(page)
        .getByRole('button', { name: /^Add\s*Wholesale/ })
        .tap()
      const hidden = page.locator('.badge.warn', { hasText: /draft/i })
      await hidden.waitFor()
      assert.doesNotMatch(await visitorSees('/'), /Wholesale/)
      await site.call('SVC_Content.publish', { id: '/wholesale' })
      await page.reload()
      assert.equal(await hidden.count(), 0)
      assert.match(await visitorSees('/'), /<a [^>]*href="[^"]*\/wholesale"[^>]*>Wholesale/)
    }),
)

test(
  'in German without script: a wrong redirect is refused in words that repeat it, is corrected, and leads a visitor',
  { skip: noBrowser },
  () =>
    asOwner(plain, async (page) => {
      await page.setExtraHTTPHeaders({ 'accept-language': 'de' })
      await page.goto(`${site.base}/admin/redirects`)
      await page.getByLabel('Von', { exact: true }).last().fill('/alte/*/seite')
      await page.getByLabel('Nach', { exact: true }).last().fill('/neu')
      await page.keyboard.press('Enter')
      const banner = page.getByRole('alert')
      await banner.waitFor()
      const said = (await banner.textContent()) ?? ''
      assert.match(said, /„\/alte\/\*\/seite“/)
      assert.doesNotMatch(said, /\b(?:must|is|the|give)\b/)
      await page.getByLabel('Von', { exact: true }).last().fill('/alt')
      await page.keyboard.press('Enter')
      await page.locator('.notice.done').waitFor()
      const answer = await fetch(`${site.base}/alt`, { redirect: 'manual' })
      assert.equal(answer.status, 301)
      assert.match(answer.headers.get('location') ?? '', /\/neu$/)
    }),
)

test('by keyboard alone: a word is replaced everywhere, in a table too, and one undo brings it back', { skip: noBrowser }, () =>
  asOwner(desktop, async (page) => {
    const body = 'Rye today.\n\n| Loaf | Price |\n| --- | --- |\n| Rye | 4 |\n\nRye tomorrow.\n'
    const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Loaves', body })
    await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+f')
    const words = page.getByRole('textbox', { name: 'Find', exact: true })
    await words.waitFor()
    await page.keyboard.type('Rye')
    await page.getByRole('textbox', { name: 'Replace with' }).focus()
    await page.keyboard.type('Spelt')
    await page.getByRole('button', { name: 'Replace all' }).press('Enter')
    await page.keyboard.press('Escape')
    await waitForSaved(page)
    const bodyOf = async () => (await site.call('SVC_Content.get', { id: item.id })).item.body as string
    assert.equal(await bodyOf(), body.replaceAll('Rye', 'Spelt'))
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+z')
    await until('the words are back', async () => (await bodyOf()) === body)
  }),
)

test('a link of a copied page keeps its new tab when it is pasted', { skip: noBrowser }, () =>
  asOwner(desktop, async (page) => {
    const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Links', body: 'See: ' })
    await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+End')
    await page.evaluate(`{
      const data = new DataTransfer()
      data.setData('text/html', '<p>the <a href="https://mill.example/" target="_blank">mill</a> there</p>')
      data.setData('text/plain', 'the mill there')
      document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }`)
    await page.locator('.cm-content', { hasText: 'mill' }).waitFor()
    await waitForSaved(page)
    await main(page).getByRole('button', { name: 'Publish', exact: true }).click()
    await page.locator('.notice.done').waitFor()
    assert.match(
      await visitorSees(item.path),
      /<a href="https:\/\/mill\.example\/" target="_blank" rel="noopener">mill<\/a> there/,
    )
  }),
)

test('each page of settings is one view on a desktop', { skip: noBrowser }, () =>
  asOwner({ viewport: { width: 1280, height: 800 } }, async (page) => {
    for (const name of ['site', 'content', 'comments', 'technical']) {
      await page.goto(`${site.base}/admin/settings?page=${name}`)
      const height = (await page.evaluate('document.documentElement.scrollHeight')) as number
      assert.ok(height <= 800, `${name}: ${height}`)
    }
  }),
)
