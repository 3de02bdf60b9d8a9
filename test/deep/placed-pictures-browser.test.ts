// A picture in the text as a person meets it: its words are changed in a form, and no mark of Markdown is seen. Cards are added to
// the cards that are there.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import {
  holdAccessible,
  noBrowser,
  openBrowser,
  openContext,
  phone,
  picture,
  signInThere,
  threeViews,
} from '../admin/chromium.ts'
import { waitForSaved } from '../admin/editor-hand.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let browser: Browser
let site: TestSite
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  for (const [filename, background] of [
    ['bread.jpg', '#b5651d'],
    ['rye.jpg', '#335544'],
  ] as const) {
    const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
      .jpeg()
      .toBuffer()
    await site.call('SVC_Media.upload', { base64: photo.toString('base64'), filename, alt: filename === 'rye.jpg' ? 'Rye' : '' })
  }
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const textOf = (page: Page): Promise<string> => page.locator('#f-body').inputValue()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const holds = (page: Page, text: string) => until('the text is changed', async () => (await textOf(page)) === text)

async function openPage(context: BrowserContext, title: string, body: string): Promise<{ page: Page; path: string }> {
  const { item } = await site.call('SVC_Content.create', { type: 'page', title, body })
  const page = await context.newPage()
  await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
  await page.locator('.cm-content').waitFor()
  return { page, path: item.path as string }
}

async function publish(page: Page, path: string): Promise<string> {
  await waitForSaved(page)
  await button(page, 'Publish').click()
  await page.locator('.notice.done').waitFor()
  return (await fetch(site.base + path)).text()
}

for (const view of ['desktop, light', 'phone, dark'] as const)
  test(`a picture is described and gets a caption in a form: ${view}`, { skip: noBrowser }, async () => {
    const context = await openContext(browser, threeViews[view])
    await signInThere(await context.newPage(), site)
    const body = 'Before.\n\n![](/media/bread.jpg)\n\nAfter.\n'
    const { page, path } = await openPage(context, `Words ${view}`, body)
    await page.locator('.cm-line').last().click()
    await page.getByText('Without a description', { exact: true }).waitFor()
    await page.locator('.live-figure img').click()
    const dialog = page.getByRole('dialog', { name: 'Picture' })
    await dialog.getByLabel('What does it show?').fill('A loaf [dark]')
    await dialog.getByLabel('Caption').fill('Our "best" bread')
    await holdAccessible(page, 'the form of a picture')
    await picture(page, `placed-picture-form-${view.startsWith('phone') ? 'phone' : 'desktop'}`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await holds(page, 'Before.\n\n![A loaf \\[dark\\]](/media/bread.jpg "Our \\"best\\" bread")\n\nAfter.\n')
    assert.equal(await page.locator('.live-caption').innerText(), 'Our "best" bread')
    await picture(page, `placed-picture-${view.startsWith('phone') ? 'phone' : 'desktop'}`)
    await page.locator('.live-figure img').click()
    assert.equal(await dialog.getByLabel('What does it show?').inputValue(), 'A loaf [dark]')
    assert.equal(await dialog.getByLabel('Caption').inputValue(), 'Our "best" bread')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const shown = await publish(page, path)
    assert.match(shown, /alt="A loaf \[dark\]"[^]*<figcaption>Our “best” bread<\/figcaption>/)
    await context.close()
  })

test('by the keyboard: the caret passes a picture, and its form changes and removes it', { skip: noBrowser }, async () => {
  const context = await openContext(browser, threeViews['desktop, light'])
  await signInThere(await context.newPage(), site)
  const body = 'Before.\n\n![A loaf](/media/bread.jpg)\n\nAfter.\n'
  const { page } = await openPage(context, 'Keyboard', body)
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+Home')
  for (let step = 0; step < 6; step++) {
    assert.doesNotMatch(await page.locator('.cm-content').innerText(), /\/media\//, `no mark is seen after ${step} steps`)
    await page.keyboard.press('ArrowDown')
  }
  await button(page, 'Description and caption: A loaf').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Picture' })
  await dialog.getByRole('button', { name: 'Another picture' }).press('Enter')
  await button(page, 'rye.jpg').press('Enter')
  await button(page, 'Use').press('Enter')
  await until(
    'the description of the library',
    async () => (await dialog.getByLabel('What does it show?').inputValue()) === 'Rye',
  )
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await holds(page, 'Before.\n\n![Rye](/media/rye.jpg)\n\nAfter.\n')
  await button(page, 'Description and caption: Rye').press('Enter')
  await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
  await holds(page, 'Before.\n\nAfter.\n')
  await page.keyboard.press('Control+z')
  await holds(page, 'Before.\n\n![Rye](/media/rye.jpg)\n\nAfter.\n')
  await context.close()
})

test('a card is added to the cards, and its fields are a form', { skip: noBrowser }, async () => {
  const context = await openContext(browser, phone)
  await signInThere(await context.newPage(), site)
  const body = '::: cards\n::: card\n### Wheat\n\nLight.\n:::\n:::\n'
  const { page, path } = await openPage(context, 'Cards', body)
  await button(page, 'Add: Card: Cards').tap()
  await holds(page, '::: cards\n::: card\n### Wheat\n\nLight.\n:::\n::: card\n### Rye\n\nDark and sour.\n:::\n:::\n')
  await page.keyboard.type('Spelt')
  await holds(page, '::: cards\n::: card\n### Wheat\n\nLight.\n:::\n::: card\n### Spelt\n\nDark and sour.\n:::\n:::\n')
  await page
    .getByRole('button', { name: /^Change: / })
    .nth(2)
    .tap()
  const dialog = page.getByRole('dialog', { name: 'Card' })
  await dialog.getByRole('button', { name: 'Choose a picture' }).tap()
  await button(page, 'rye.jpg').tap()
  await button(page, 'Use').tap()
  await picture(page, 'card-form-phone')
  await dialog.getByRole('button', { name: 'Save' }).tap()
  await until('the card has its picture', async () =>
    (await textOf(page)).includes('::: card {image="/media/rye.jpg"}\n### Spelt'),
  )
  await picture(page, 'cards-phone')
  const shown = await publish(page, path)
  assert.match(shown, /Wheat[^]*alt="Rye"[^]*Spelt/)
  await context.close()
})
