// Pages of sections by hand: chosen, filled in, moved, copied and removed, with a picture from the library and one from the device.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, picture, signInThere } from '../admin/chromium.ts'
import { waitForSaved } from '../admin/editor-hand.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true } as const

const jpeg = (background: string) =>
  sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .jpeg()
    .toBuffer()

let browser: Browser
let site: TestSite
let context: BrowserContext
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  context = await openContext(browser, desktop)
  await signInThere(await context.newPage(), site)
  const base64 = (await jpeg('#b5651d')).toString('base64')
  await site.call('SVC_Media.upload', { base64, filename: 'bread.jpg', alt: 'A loaf' })
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const textOf = (page: Page): Promise<string> => page.locator('#f-body').inputValue()
/** The dialogs are loaded when one is opened for the first time. */
const holds = (page: Page, text: string) => until('the text is changed', async () => (await textOf(page)) === text)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** A button of the bar of a section. */
const step = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}: `) })

async function newPage(title: string, body = '', within = context): Promise<{ page: Page; path: string }> {
  const { item } = await site.call('SVC_Content.create', { type: 'page', title, body })
  const page = await within.newPage()
  await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
  await page.locator('.cm-content').click()
  return { page, path: item.path as string }
}

async function publish(page: Page): Promise<void> {
  await button(page, 'Publish').click()
  await page.locator('.notice.done').waitFor()
}

test('a page opens with a section that has a picture of the library and a button', { skip: noBrowser }, async () => {
  const { page, path } = await newPage('Bakery')
  await button(page, 'Section').click()
  await holdAccessible(page, 'the kinds of sections')
  await picture(page, 'section-kinds')
  await button(page, 'Opening').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\nOpen from six.', { delay: 40 })
  await step(page, 'Change').click()
  await button(page, 'Choose a picture').click()
  await page.getByRole('button', { name: 'bread.jpg' }).click()
  assert.equal(await page.getByLabel('What does').inputValue(), 'A loaf', 'the description of the library')
  await button(page, 'Use').click()
  await page.getByLabel('Words on the button').fill('Order a cake')
  await page.getByLabel('Where the button leads').fill('/order')
  await holdAccessible(page, 'the form of a section')
  await page.locator('.section-dialog').getByRole('button', { name: 'Save', exact: true }).click()
  assert.match(await textOf(page), /^::: hero \{image="\/media\/bread\.jpg" button="Order a cake" href="\/order"\}\n## Bread/)
  await waitForSaved(page)
  await page.reload()
  await publish(page)
  const shown = await (await fetch(site.base + path)).text()
  assert.match(shown, /<section class="section is-hero[^]*<figure class="section-picture">[^]*alt="A loaf"/)
  assert.match(shown, /<a class="button" href="[^"]*\/order">Order a cake<\/a>/)
})

test('sections that are added one after the other stand one below the other', { skip: noBrowser }, async () => {
  const { page } = await newPage('Three')
  for (const [kind, words] of [
    ['Opening', 'Bread from the corner'],
    ['Cards', 'Rye'],
    ['Opening hours', ''],
  ] as const) {
    await button(page, 'Section').click()
    await button(page, kind).click()
    await page.locator('.section-dialog').waitFor({ state: 'detached' })
    await page.keyboard.type(words, { delay: 20 })
  }
  const opened = (await textOf(page)).split('\n').filter((line) => /^::: (?:hero|cards|hours)/.test(line) || line === ':::')
  assert.deepEqual(
    opened.filter((line) => line !== ':::').map((line) => line.split(' ')[1]),
    ['hero', 'cards', 'hours'],
  )
  assert.match(await textOf(page), /^::: hero[^:]*\n:::\n\n::: cards/)
  assert.equal(await page.locator('.live-section-end').count(), await page.locator('.live-section').count(), 'each has its end')
})

test('sections are moved, copied and removed by the keyboard, and undo takes it back', { skip: noBrowser }, async () => {
  const body = '::: call\nOne\n:::\n\nBetween.\n\n::: faq\n### Two?\nYes.\n:::\n'
  const { page } = await newPage('Order', body)
  await page.keyboard.press('Control+End')
  await step(page, 'Down').first().press('Enter')
  await holds(page, 'Between.\n\n::: call\nOne\n:::\n\n::: faq\n### Two?\nYes.\n:::\n')
  await page.keyboard.press('Control+Home')
  await step(page, 'Down').first().press('Enter')
  await holds(page, 'Between.\n\n::: faq\n### Two?\nYes.\n:::\n\n::: call\nOne\n:::\n')
  await page.keyboard.press('Control+Home')
  await step(page, 'Copy').first().press('Enter')
  await page.keyboard.press('Control+Home')
  await step(page, 'Remove').first().press('Enter')
  await holds(page, 'Between.\n\n::: faq\n### Two?\nYes.\n:::\n\n::: call\nOne\n:::\n')
  for (let step = 0; step < 4; step++) await page.keyboard.press('Control+z')
  await holds(page, body)
})

test('on a phone, a photo from the device, three sentences, and it is published', { skip: noBrowser }, async () => {
  const own = await openContext(browser, phone)
  await signInThere(await own.newPage(), site)
  const { page, path } = await newPage('Photo', '', own)
  await button(page, 'Picture').tap()
  await page.getByRole('button', { name: 'bread.jpg' }).waitFor()
  await holdAccessible(page, 'the picker')
  await picture(page, 'picker-phone')
  assert.equal(await page.locator('.picker').getByRole('button', { name: 'Take a photo' }).count(), 1)
  const chooser = page.waitForEvent('filechooser')
  await button(page, 'From this device').tap()
  await (await chooser).setFiles({ name: 'oven.jpg', mimeType: 'image/jpeg', buffer: await jpeg('#335544') })
  await page.getByLabel(/What does .*oven.* show/).fill('The oven')
  await page.getByRole('button', { name: 'Add the description' }).tap()
  await page.locator('.live-figure img').waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\nIt is hot. It is old. It works.', { delay: 40 })
  await waitForSaved(page)
  await button(page, 'Publish').tap()
  await page.locator('.notice.done').waitFor()
  const shown = await (await fetch(site.base + path)).text()
  assert.match(shown, /alt="The oven"[^]*It is hot\. It is old\. It works\./)
  await own.close()
})

test('the cover is chosen with the picker, and a file that is no picture is told', { skip: noBrowser }, async () => {
  const { page } = await newPage('Top of the page', 'Text.')
  await page.getByText('Cover', { exact: true }).first().click()
  await page.locator('.reference[data-kind="image"]').first().getByRole('button', { name: 'Choose a picture' }).click()
  const chooser = page.waitForEvent('filechooser')
  await button(page, 'From this device').click()
  await (await chooser).setFiles({ name: 'fake.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') })
  await page.locator('.picker').getByText('fake.jpg was not uploaded: This file is no picture.').waitFor()
  await page.getByRole('button', { name: 'bread.jpg' }).click()
  await button(page, 'Use').click()
  await waitForSaved(page)
  const { items } = await site.call('SVC_Content.list', { where: { title: 'Top of the page' } })
  const { item } = await site.call('SVC_Content.get', { id: items[0].id })
  const file = await site.call('SVC_Media.get', { id: '/media/bread.jpg' })
  assert.equal(item.cover, file.item.id)
})

test('tags are made while they are typed, and the home page is chosen by its title', { skip: noBrowser }, async () => {
  const { page, path } = await newPage('Chosen home', 'Text.')
  await page.getByText('Categories and tags', { exact: true }).last().click()
  await page.getByLabel('Add', { exact: true }).fill('Rye bread, category/News')
  await page.locator('.cm-content').click()
  await waitForSaved(page)
  await publish(page)
  const { items } = await site.call('SVC_Content.list', { where: { title: 'Chosen home' } })
  const { item } = await site.call('SVC_Content.get', { id: items[0].id })
  const names = item.terms.map(({ ref }: { ref: string }) => ref)
  assert.deepEqual(names.sort(), ['category/news', 'tag/rye-bread'])
  await page.goto(`${site.base}/admin/settings?page=content`)
  await page.getByLabel('Home page').selectOption({ label: `Chosen home (${path})` })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.notice.done').waitFor()
  assert.match(await (await fetch(`${site.base}/`)).text(), /<h1[^>]*>Chosen home/)
})
