// Pictures by hand: the logo, the icon and the pictures of themes, the part that stays visible, a shape, a gallery, and a link in a new tab.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, phone, picture, signInThere } from '../admin/chromium.ts'
import { typeText, waitForSaved } from '../admin/editor-hand.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const png = (background: string, width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
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
  for (const [name, colour] of [
    ['bread', '#b5651d'],
    ['oven', '#335544'],
    ['shop', '#884466'],
  ] as const)
    await site.call('SVC_Media.upload', {
      base64: (await png(colour, 600, 300)).toString('base64'),
      filename: `${name}.png`,
      alt: name,
    })
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const choice = (page: Page, name: string) => page.locator('.picker').getByRole('button', { name })
const home = async (): Promise<string> => (await fetch(`${site.base}/`)).text()

async function openSettings(within: BrowserContext): Promise<Page> {
  const page = await within.newPage()
  await page.goto(`${site.base}/admin/settings`)
  return page
}

async function save(page: Page): Promise<void> {
  await button(page, 'Save').first().click()
  await page.locator('.notice.done').waitFor()
}

async function newPost(title: string, within = context): Promise<{ page: Page; path: string }> {
  const { item } = await site.call('SVC_Content.create', { type: 'post', title, body: '' })
  const page = await within.newPage()
  await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
  await page.locator('.cm-content').click()
  return { page, path: item.path as string }
}

const bodyOf = (page: Page): Promise<string> => page.locator('#f-body').inputValue()

test('the logo is chosen, changed for one of the device, cropped and removed by the mouse', { skip: noBrowser }, async () => {
  const page = await openSettings(context)
  await button(page, 'Choose a picture: Logo').click()
  await choice(page, 'bread.png').click()
  await button(page, 'Use').click()
  await page.locator('.picture-name', { hasText: 'bread.png' }).waitFor()
  await holdAccessible(page, 'the settings with a logo')
  await save(page)
  assert.match(await home(), /class="brand"[^]*?<img src="[^"]*"/)
  await button(page, 'Change: Logo').click()
  const chooser = page.waitForEvent('filechooser')
  await button(page, 'From this device').click()
  await (await chooser).setFiles({ name: 'sign.png', mimeType: 'image/png', buffer: await png('#202060', 400, 200) })
  await page.getByLabel(/What does .*sign.* show/).fill('Our sign')
  await page.getByText('Part that stays visible').click()
  await page.locator('.picture-point').click({ position: { x: 10, y: 10 } })
  await page.getByLabel('Shape').selectOption('square')
  await holdAccessible(page, 'the picker with a part')
  await picture(page, 'picker-part')
  await button(page, 'Use').click()
  await page.locator('.picker').waitFor({ state: 'detached' })
  await page.locator('.picture-name', { hasText: 'sign-square.png' }).waitFor()
  await picture(page, 'settings-logo')
  await save(page)
  const { items } = await site.call('SVC_Settings.list', {})
  const { value } = items.find(({ key }: { key: string }) => key === 'logo')
  const { item } = await site.call('SVC_Media.get', { id: value })
  assert.deepEqual([item.path, item.alt, item.width, item.height], ['/media/sign-square.png', 'Our sign', 200, 200])
  await page.reload()
  await page.locator('.picture-name', { hasText: 'sign-square.png' }).waitFor()
  await button(page, 'Remove: Logo').click()
  await save(page)
  assert.doesNotMatch(await home(), /class="brand"[^>]*><picture>/)
})

test(
  'an icon that is too long is refused by one sentence beside the field, and the choice stays',
  { skip: noBrowser },
  async () => {
    const page = await openSettings(context)
    await button(page, 'Choose a picture: Icon of the site').click()
    await choice(page, 'bread.png').click()
    await button(page, 'Use').click()
    await page.locator('.picker').waitFor({ state: 'detached' })
    await button(page, 'Save').first().click()
    await page.getByText('This picture can’t be the icon.').first().waitFor()
    await holdAccessible(page, 'a refused icon')
    await page.locator('.picture-name', { hasText: 'bread.png' }).waitFor()
  },
)

test(
  'by the keyboard alone: a picture, its focus by arrow keys, and Enter in the search sends no form',
  { skip: noBrowser },
  async () => {
    const page = await openSettings(context)
    await button(page, 'Choose a picture: Picture in cards').focus()
    await page.keyboard.press('Enter')
    await choice(page, 'oven.png').waitFor()
    await page.locator('#picture-words').focus()
    await page.keyboard.type('oven', { delay: 40 })
    await page.keyboard.press('Enter')
    await choice(page, 'bread.png').waitFor({ state: 'detached' })
    await choice(page, 'oven.png').focus()
    await page.keyboard.press('Space')
    await page.getByText('Part that stays visible').focus()
    await page.keyboard.press('Enter')
    await page.locator('.picture-point').focus()
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowUp']) await page.keyboard.press(key)
    await page.getByText('40 % from the left, 45 % from the top').waitFor()
    await button(page, 'Use').focus()
    await page.keyboard.press('Enter')
    await page.locator('.picker').waitFor({ state: 'detached' })
    await button(page, 'Save').first().focus()
    await page.keyboard.press('Enter')
    await page.locator('.notice.done').waitFor()
    const { item } = await site.call('SVC_Media.get', { id: '/media/oven.png' })
    assert.deepEqual(item.focus, { x: 0.4, y: 0.45 })
    await until('the card is on the home page', async () => (await home()).includes('og:image'))
  },
)

test('without script the logo is chosen from a list of pictures, and no path is typed', { skip: noBrowser }, async () => {
  const plain = await openContext(browser, { ...phone, javaScriptEnabled: false })
  await signInThere(await plain.newPage(), site)
  const page = await openSettings(plain)
  await page.getByLabel('Logo', { exact: true }).selectOption('shop.png')
  await save(page)
  assert.match(await home(), /class="brand"[^>]*><picture>/)
  await page.getByLabel('Logo', { exact: true }).selectOption('No picture')
  await save(page)
  await plain.close()
})

test(
  'on a dark phone a theme gets its home picture by touch, and the frame shows it before it is saved',
  { skip: noBrowser },
  async () => {
    const own = await openContext(browser, { ...phone, colorScheme: 'dark' })
    await signInThere(await own.newPage(), site)
    const page = await own.newPage()
    const { items } = await site.call('SVC_Themes.list', {})
    const found = []
    for (const { id } of items) {
      const { item } = await site.call('SVC_Themes.get', { id, full: true })
      const setting = item.settings.find(({ type }: { type: string }) => type === 'image')
      if (setting) found.push({ id, setting })
    }
    const [theme] = found
    assert.ok(theme, 'a theme has a picture among its settings')
    await page.goto(`${site.base}/admin/themes/edit?id=${theme.id as string}`)
    await button(page, `Choose a picture: ${theme.setting.label as string}`).tap()
    await choice(page, 'shop.png').tap()
    await holdAccessible(page, 'the picker on a dark phone')
    await picture(page, 'theme-picker-phone')
    await button(page, 'Use').tap()
    await page.locator('.picture-name', { hasText: 'shop.png' }).waitFor()
    await holdAccessible(page, 'the settings of a theme')
    await picture(page, 'theme-picture-phone')
    await button(page, /Save/).first().tap()
    await page.locator('.notice.done').waitFor()
    const { item } = await site.call('SVC_Themes.get', { id: theme.id, full: true })
    const now = item.settings.find(({ id }: { id: string }) => id === theme.setting.id)
    assert.equal(now.value, '/media/shop.png')
    await own.close()
  },
)

test('a gallery is chosen at once in the order of choice, and stays Markdown through a reload', { skip: noBrowser }, async () => {
  const { page, path } = await newPost('Our week')
  await typeText(page, 'What we baked this week, and where.', 40)
  await button(page, 'Gallery').click()
  await choice(page, 'shop.png').click()
  await choice(page, 'bread.png').click()
  await button(page, 'Use').click()
  await page.locator('.picker').waitFor({ state: 'detached' })
  await waitForSaved(page)
  const text = 'What we baked this week, and where.\n\n::: gallery\n![shop](/media/shop.png)\n\n![bread](/media/bread.png)\n:::'
  await until('the gallery is in the text', async () => (await bodyOf(page)).trim() === text)
  await page.goBack()
  await page.goForward()
  await page.locator('.cm-content').waitFor()
  assert.equal((await bodyOf(page)).trim(), text)
  await button(page, 'Publish').click()
  await page.locator('.notice.done').waitFor()
  const shown = await (await fetch(site.base + path)).text()
  assert.match(shown, /is-gallery[^]*shop[^]*bread/)
})

test('a link opens in a new tab if its box is ticked', { skip: noBrowser }, async () => {
  const { page, path } = await newPost('The map')
  await typeText(page, 'Find us ')
  await page.keyboard.press('Control+k')
  await page.locator('#link-words').fill('https://maps.example.org/')
  await page.getByLabel('Open in a new tab').check()
  await holdAccessible(page, 'the dialog of a link')
  await button(page, 'Add the address').click()
  await waitForSaved(page)
  await button(page, 'Publish').click()
  await page.locator('.notice.done').waitFor()
  const shown = await (await fetch(site.base + path)).text()
  assert.match(shown, /<a href="https:\/\/maps\.example\.org\/" target="_blank" rel="noopener">/)
})

test('the cover shows its picture with its name and no path, and can be removed', { skip: noBrowser }, async () => {
  const { page } = await newPost('With a cover')
  await page.getByText('Cover', { exact: true }).first().click()
  const field = page.locator('.reference[data-kind="image"]').first()
  await field.getByRole('button', { name: 'Choose a picture' }).click()
  await choice(page, 'bread.png').click()
  await button(page, 'Use').click()
  await field.getByText('bread.png').waitFor()
  await waitForSaved(page)
  await page.reload()
  await page.getByText('Cover', { exact: true }).first().click()
  await field.getByText('bread.png').waitFor()
  assert.equal(await field.locator('input[type="text"]').count(), 0)
  await holdAccessible(page, 'the editor with a cover')
  await field.getByRole('button', { name: 'Remove' }).click()
  await waitForSaved(page)
  await until('the cover is gone', async () => {
    const { items } = await site.call('SVC_Content.list', { where: { title: 'With a cover' } })
    return (await site.call('SVC_Content.get', { id: items[0].id })).item.cover === null
  })
})

test('on a phone: a photo, three sentences, and it is published, with a thumb', { skip: noBrowser }, async () => {
  const own = await openContext(browser, { ...phone, colorScheme: 'dark' })
  const page = await own.newPage()
  await signInThere(page, site)
  const { height } = page.viewportSize() ?? assert.fail('a window has a size')
  let taps = 0
  const tap = async (what: Locator): Promise<void> => {
    await what.tap()
    taps++
  }
  const inReach = async (what: Locator): Promise<void> => {
    const box = (await what.boundingBox()) ?? assert.fail('it is on the page')
    assert.ok(box.y > height / 2 && box.y + box.height <= height, `it stands at ${box.y} of ${height}`)
    assert.ok(box.height >= 44, `it is ${box.height} high`)
  }
  const create = page.getByRole('link', { name: 'New post' })
  await inReach(create)
  await holdAccessible(page, 'the dashboard with the button')
  await page.screenshot({ path: `${process.env['SCREENSHOTS'] ?? site.home}/thumb-home.png` })
  await tap(create)
  await page.getByLabel('Title', { exact: true }).waitFor()
  await tap(page.getByLabel('Title', { exact: true }))
  await page.keyboard.type('Fresh today', { delay: 40 })
  const chooser = page.waitForEvent('filechooser')
  await tap(button(page, 'Take a photo'))
  await (await chooser).setFiles({ name: 'photo.png', mimeType: 'image/png', buffer: await png('#aa7722', 640, 480) })
  await page.getByLabel(/What does .*photo.* show/).fill('Rolls')
  await tap(button(page, 'Add the description'))
  await page.locator('.live-figure img').waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\nThey are warm. They are ours. Come by.', { delay: 40 })
  await waitForSaved(page)
  await inReach(button(page, 'Publish'))
  await holdAccessible(page, 'the editor on a phone')
  await page.screenshot({ path: `${process.env['SCREENSHOTS'] ?? site.home}/thumb-editor.png` })
  await tap(button(page, 'Publish'))
  await page.locator('.notice.done').waitFor()
  assert.ok(taps <= 5, `${taps} taps`)
  const shown = await (await fetch(`${site.base}/posts`)).text()
  assert.match(shown, /Fresh today/)
  await own.close()
})
