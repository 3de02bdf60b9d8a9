// Sixteen more journeys of somebody who makes a site alone: writing, pictures, sections, looks, choices and approvals, each with the mouse on a desktop and
// by touch on a phone, up to what a visitor sees. Beside the ten of `journeys.test.ts`, with the same table of what they cost.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { noBrowser, openBrowser, openContext, signInThere } from '../admin/chromium.ts'
import { waitForSaved } from '../admin/editor-hand.ts'
import { counted, type Hand, hold, type Journey, journeyViews } from '../admin/journey.ts'
import { paste } from '../admin/clipboard.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let browser: Browser
let site: TestSite
/** The cookies of the owner. */
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#b5651d' } })
    .jpeg()
    .toBuffer()
  await site.call('SVC_Media.upload', { base64: photo.toString('base64'), filename: 'bread.jpg', alt: 'A loaf' })
  await site.call('SVC_Content.create', { type: 'page', title: 'Contact', status: 'published', body: 'Ring us.' })
  const context = await openContext(browser, {})
  await signInThere(await context.newPage(), site)
  signedIn = await context.storageState()
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const title = (): string => `Entry ${Math.random().toString(36).slice(2, 8)}`
const pathOf = (name: string): string => `/${name.toLowerCase().replace(' ', '-')}`

/** What a visitor sees at a path. */
const seen = async (path: string): Promise<string> => (await fetch(site.base + path)).text()

async function entry(body = 'As it was.', more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const name = title()
  await site.call('SVC_Content.create', { type: 'page', title: name, body, ...more })
  return name
}

/** Types as people do, with a rest after each key. */
async function write({ page, did }: Hand, text: string): Promise<void> {
  await page.keyboard.type(text, { delay: 30 })
  did(0, text.length)
}

async function press({ page, did }: Hand, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
  did(0, keys.length)
}

/** Begins a post: the title has the focus. */
async function begin(hand: Hand, name: string): Promise<void> {
  await hand.page.goto(`${site.base}/admin/content/new?type=post`)
  await hand.page.locator('.cm-content').waitFor()
  await write(hand, name)
  await press(hand, 'Enter')
}

/** Opens the text of an entry from the list, with the caret at its end. */
async function open(hand: Hand, name: string): Promise<void> {
  await hand.go('Content')
  await hand.link(name)
  await hand.page.locator('.cm-content').focus()
  await press(hand, 'Control+End')
}

/** Waits for "Saved", reloads, publishes, and returns what a visitor sees. */
async function publish({ page, button }: Hand, path: string): Promise<string> {
  await waitForSaved(page)
  await page.reload()
  await button(/^Publish/)
  await page.locator('.notice.done').waitFor()
  return seen(path)
}

const inDialog = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name }).last()

/** The choice of the library's picture. */
async function takeBread({ page, click }: Hand): Promise<void> {
  await click(page.getByRole('button', { name: 'bread.jpg' }))
  await click(page.getByRole('button', { name: 'Use', exact: true }))
}

const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15"></head><body>
<h2>What you need<o:p></o:p></h2><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·&nbsp; </span><![endif]><b>500 g</b> rye<o:p></o:p></p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·&nbsp; </span><![endif]>350 g water<o:p></o:p></p></body></html>`

const fresh = (): Promise<string> => Promise.resolve(title())

const journeys: readonly Journey[] = [
  {
    name: 'bold words and a heading, without a mark in sight',
    most: { loads: 4, clicks: 3, keys: 70 },
    phone: 'touch',
    given: fresh,
    async walk(hand, name) {
      await begin(hand, name)
      await hand.button('Heading')
      await write(hand, 'Rye')
      await press(hand, 'Enter')
      await press(hand, 'Control+b')
      await write(hand, 'Dark')
      await press(hand, 'Control+b')
      await write(hand, ' and sour.')
      assert.match(await hand.page.locator('.cm-content').innerText(), /Rye\s+Dark and sour\./)
      assert.match(await publish(hand, pathOf(name)), /Rye<\/a><\/h2>\s*<p><strong>Dark<\/strong> and sour\.<\/p>/)
    },
  },
  {
    name: 'a text of Word is pasted and published',
    most: { loads: 4, clicks: 1, keys: 20 },
    phone: 'touch',
    given: fresh,
    async walk(hand, name) {
      await begin(hand, name)
      await paste(hand.page, { html: word, plain: 'What you need' })
      await hand.page.locator('.cm-content', { hasText: 'rye' }).waitFor()
      const shown = await publish(hand, pathOf(name))
      assert.match(shown, /<li><strong>500 g<\/strong> rye<\/li>\s*<li>350 g water<\/li>/)
      assert.doesNotMatch(shown, /mso|o:p/i)
    },
  },
  {
    name: 'an address on three lines stays three lines',
    most: { loads: 4, clicks: 1, keys: 60 },
    phone: 'touch',
    given: fresh,
    async walk(hand, name) {
      await begin(hand, name)
      for (const line of ['The Old Mill', 'Mill Lane 4', '12345 Alma']) {
        await write(hand, line)
        await press(hand, 'Enter')
      }
      assert.match(await publish(hand, pathOf(name)), /The Old Mill<br ?\/?>\s*Mill Lane 4<br ?\/?>\s*12345 Alma/)
    },
  },
  {
    name: 'a quotation from the menu at /',
    most: { loads: 5, clicks: 7, keys: 50 },
    phone: 'touch',
    given: () => entry(),
    async walk(hand, name) {
      await open(hand, name)
      await press(hand, 'Enter', 'Enter')
      await write(hand, '/quota')
      await hand.click(hand.page.getByRole('option', { name: 'Quotation', exact: true }))
      await write(hand, 'The best rye in town.')
      assert.match(await publish(hand, pathOf(name)), /<blockquote[^>]*>\s*(?:<p>)?The best rye in town\./)
    },
  },
  {
    name: 'a slip is taken back, and nothing else',
    most: { loads: 5, clicks: 6, keys: 40 },
    phone: 'touch',
    given: () => entry(),
    async walk(hand, name) {
      await open(hand, name)
      await write(hand, ' And more.')
      await hand.page.keyboard.press('Control+a')
      await hand.page.keyboard.press('Delete')
      await hand.button('Undo')
      assert.match(await publish(hand, pathOf(name)), /As it was\. And more\./)
    },
  },
  {
    name: 'a picture of the library is placed, and words go on below it',
    most: { loads: 4, clicks: 5, keys: 60 },
    phone: 'touch',
    given: fresh,
    async walk(hand, name) {
      await begin(hand, name)
      await write(hand, 'Baked today.')
      await hand.button('Picture')
      await takeBread(hand)
      await hand.page.locator('.live-figure img').waitFor()
      await write(hand, 'Sold at six.')
      assert.match(await publish(hand, pathOf(name)), /Baked today\.[^]*<img [^>]*alt="A loaf"[^]*<p>Sold at six\.<\/p>/)
    },
  },
  {
    name: 'a picture from the device is described where it is asked for',
    most: { loads: 4, clicks: 6, keys: 60 },
    phone: 'touch',
    given: fresh,
    async walk(hand, name) {
      const { page, click } = hand
      await begin(hand, name)
      await hand.button('Picture')
      const chooser = page.waitForEvent('filechooser')
      await click(page.getByRole('button', { name: 'From this device' }))
      const buffer = await sharp({
        create: { width: 30, height: 20, channels: 3, background: { r: name.length * 9, g: Date.now() % 255, b: 9 } },
      })
        .png()
        .toBuffer()
      await (await chooser).setFiles({ name: 'oven.png', mimeType: 'image/png', buffer })
      await click(page.getByLabel(/What does .*oven.* show/))
      await write(hand, 'The oven')
      await click(page.getByRole('button', { name: 'Add the description' }))
      assert.match(await publish(hand, pathOf(name)), /<img [^>]*alt="The oven"/)
    },
  },
  {
    name: 'a page opens with words and a button that leads to another page',
    most: { loads: 5, clicks: 11, keys: 60 },
    phone: 'touch',
    given: () => entry(''),
    async walk(hand, name) {
      const { page, click, button, type } = hand
      await open(hand, name)
      await button('Section')
      await click(page.getByRole('button', { name: 'Opening', exact: true }))
      await page.locator('.live-section-bar').waitFor()
      await write(hand, 'Cakes for feasts')
      await click(page.getByRole('button', { name: /^Change: / }))
      await page.getByLabel('Words on the button').waitFor()
      await type('Words on the button', 'Order')
      await click(page.getByLabel('Where the button leads'))
      await write(hand, 'Contac')
      await click(inDialog(page, 'Contact'))
      await click(inDialog(page, 'Save'))
      assert.match(
        await publish(hand, pathOf(name)),
        /is-hero[^]*Cakes for feasts<[^]*<a class="button" href="[^"]*\/contact">Order<\/a>/,
      )
    },
  },
  {
    name: 'a section moves above another',
    most: { loads: 5, clicks: 6, keys: 1 },
    phone: 'touch',
    given: () => entry('::: call\nRing us.\n:::\n\n::: faq\n### Open?\nYes.\n:::\n'),
    async walk(hand, name) {
      await open(hand, name)
      await hand.click(hand.page.getByRole('button', { name: /^Up: / }).last())
      assert.match(await publish(hand, pathOf(name)), /is-faq[^]*is-call/)
    },
  },
  {
    name: 'the newest posts stand on a page, chosen in words',
    most: { loads: 5, clicks: 12, keys: 15 },
    phone: 'touch',
    async given() {
      await site.call('SVC_Content.create', { type: 'post', title: 'Fresh rolls', status: 'published', body: 'Warm.' })
      return entry('Hello.')
    },
    async walk(hand, name) {
      const { page, click, button, choose } = hand
      await open(hand, name)
      await button('Section')
      await click(page.getByRole('button', { name: 'Entries', exact: true }))
      await click(page.getByRole('button', { name: /^Change: / }))
      await page.getByLabel('Entries of').waitFor()
      await choose('Entries of', 'Post')
      await choose('Order', 'The newest first')
      await click(inDialog(page, 'Save'))
      assert.match(await publish(hand, pathOf(name)), /is-latest[^]*Fresh rolls/)
    },
  },
  {
    name: 'a look is taken from its picture',
    most: { loads: 4, clicks: 4, keys: 0 },
    phone: 'touch',
    async given() {
      await site.call('SVC_Themes.activate', { id: 'default' })
      return ''
    },
    async walk({ go, page, click }) {
      await go('Appearance')
      await click(page.getByRole('button', { name: /^Activate\s+Magazine/ }))
      await page.locator('.notice.done').waitFor()
      assert.match(await seen('/'), /\/magazine\b|magazine/)
    },
  },
  {
    name: 'a tag is made while it is typed',
    most: { loads: 5, clicks: 8, keys: 20 },
    phone: 'touch',
    given: () => entry(undefined, { type: 'post' }),
    async walk(hand, name) {
      await open(hand, name)
      await hand.click(hand.page.getByText('Categories and tags', { exact: true }).last())
      await hand.click(hand.page.getByLabel('Add', { exact: true }))
      await write(hand, 'Rye bread')
      await hand.page.keyboard.press('Tab')
      assert.match(await publish(hand, pathOf(name)), /href="[^"]*\/tag\/rye-bread"/)
    },
  },
  {
    name: 'a setting is found by an everyday word',
    most: { loads: 5, clicks: 4, keys: 12 },
    phone: 'touch',
    given: () => Promise.resolve(''),
    async walk(hand) {
      const { page, click, link } = hand
      await page.goto(`${site.base}/admin/`)
      await press(hand, '/')
      await write(hand, 'colour')
      await press(hand, 'Enter')
      await page.waitForURL(/search/)
      const [first = ''] = await page.locator('main section h2').allInnerTexts()
      assert.equal(first, 'Settings', 'what people look for comes before files')
      await link('Own colour')
      await click(page.getByLabel('Own colour'))
    },
  },
  {
    name: 'the home page is chosen by its title',
    most: { loads: 6, clicks: 8, keys: 0 },
    phone: 'touch',
    given: () => entry('Come in.', { status: 'published' }),
    async walk({ go, link, choose, button, page }, name) {
      await go('Settings')
      await link('Writing and reading')
      await choose('Home page', `${name} (${pathOf(name)})`)
      await button('Save')
      await page.locator('.notice.done').waitFor()
      assert.match(await seen('/'), /Come in\./)
    },
  },
  {
    name: 'a page gets a password, which a visitor types',
    most: { loads: 5, clicks: 8, keys: 10 },
    phone: 'touch',
    given: () => entry('Behind the door.', { status: 'published' }),
    async walk(hand, name) {
      const { page, click, button } = hand
      await hand.go('Content')
      await hand.link(name)
      await page.locator('.cm-content').waitFor()
      const field = page.getByLabel('Password', { exact: true })
      if (!(await field.isVisible())) await click(page.getByText('Publication', { exact: true }))
      await click(field)
      await write(hand, 'cellar')
      await button(/^Publish/)
      await page.locator('.notice.done').waitFor()
      assert.doesNotMatch(await seen(pathOf(name)), /Behind the door/)
      const visitor = await browser.newPage()
      await visitor.goto(site.base + pathOf(name))
      await visitor.getByLabel('Password').fill('cellar')
      await visitor.keyboard.press('Enter')
      await visitor.getByText('Behind the door.').waitFor()
      await visitor.close()
    },
  },
  {
    name: 'a change of an assistant is looked at before and after, and taken',
    most: { loads: 7, clicks: 6, keys: 0 },
    phone: 'touch',
    async given() {
      const name = await entry('As it was.', { status: 'published' })
      const { token } = await site.call('SVC_Tokens.create', { name: 'Draft helper', scope: 'content', limits: { ask: ['*'] } })
      await site.api('SVC_Content.update', { id: pathOf(name), body: 'As it could be.' }, { token: token as string })
      return name
    },
    async walk({ go, link, button, page }, name) {
      await go('Activity', 'Approvals')
      await link(new RegExp(name))
      await page.getByText('As it could be.').or(page.locator('iframe')).filter({ visible: true }).first().waitFor()
      await button('Accept')
      await until('visitors see it', async () => /As it could be\./.test(await seen(pathOf(name))))
      await go('Activity')
      await page
        .getByRole('heading', { name: /^Draft helper, accepted by / })
        .first()
        .waitFor()
    },
  },
]

const table: string[] = []

for (const journey of journeys)
  for (const at of journeyViews.filter(({ phone }) => phone === undefined || phone === journey.phone))
    test(`${journey.name}: ${at.view}`, { skip: noBrowser }, async () => {
      const prepared = await journey.given()
      const context = await openContext(browser, { ...at, storageState: signedIn })
      context.setDefaultTimeout(Number(process.env['PATIENCE'] ?? 30_000))
      try {
        const page = await context.newPage()
        await page.goto(`${site.base}/admin/`)
        hold(table, journey, at, await counted(page, at.phone, (hand) => journey.walk(hand, prepared)))
      } finally {
        await context.close()
      }
    })

test('what the journeys cost', { skip: noBrowser }, () => {
  process.stdout.write(`${['loads clicks keys', ...table].join('\n')}\n`)
  assert.ok(table.length > 0)
})
