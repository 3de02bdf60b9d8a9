// What people come to the admin for, done in a real browser by what is written on the pages, and counted: pages that load, clicks, and keys.
// Those that people do on the way are done on a phone without script too. The numbers are upper bounds: a change that makes one of them longer is seen.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { noBrowser, openBrowser, openContext, signInThere } from '../admin/chromium.ts'
import { counted, hold, type Journey, journeyViews } from '../admin/journey.ts'
import { setUpLinkOf } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let browser: Browser
let site: TestSite
/** A site as `npm start` leaves it: nobody has an account yet. */
let fresh: TestSite
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  fresh = await openSite({ bare: true })
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
  await fresh[Symbol.asyncDispose]()
})

const title = (): string => `Entry ${Math.random().toString(36).slice(2, 8)}`

async function entry(input: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const name = title()
  await site.call('SVC_Content.create', { type: 'page', title: name, body: 'As it was.', status: 'published', ...input })
  return name
}

/** A picture of some hundred bytes. */
const picture = {
  name: 'harbour.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}

const journeys: readonly Journey[] = [
  {
    name: 'first post with an image, from the set-up link',
    most: { loads: 4, clicks: 6, keys: 75 },
    signedOut: true,
    given: () => setUpLinkOf(fresh),
    async walk({ page, button, link, did }, address) {
      const press = async (text: string, key?: string): Promise<void> => {
        await page.keyboard.type(text)
        if (key !== undefined) await page.keyboard.press(key)
        did(0, text.length + (key === undefined ? 0 : 1))
      }
      await page.goto(address)
      // The first field has the focus, and so has the title of a new post.
      await press('ada@example.org', 'Tab')
      await press('long enough for this')
      await button('Create account and write')
      await page.locator('.cm-content').waitFor()
      await press('The harbour at night', 'Enter')
      await press('Nobody is there.\n\n')
      const chooser = page.waitForEvent('filechooser')
      await button('Picture')
      await (await chooser).setFiles(picture)
      did(2)
      // At once: the post waits for its image.
      await button(/^Publish/)
      await page.getByText('Published.').first().waitFor()
      await link('View')
      const shown = page.locator('article img')
      await shown.waitFor()
      const isThere = await shown.evaluate(
        (image: { naturalWidth: number; complete: boolean }) => image.complete && image.naturalWidth > 0,
      )
      assert.ok(isThere, 'the picture itself came')
      assert.match(page.url(), /harbour-at-night/)
      await page.getByRole('heading', { name: 'The harbour at night' }).waitFor()
      await page.getByText('Nobody is there.').waitFor()
    },
  },
  {
    name: 'find and undo what an assistant did',
    most: { loads: 4, clicks: 3, keys: 0 },
    phone: 'plain',
    async given() {
      const name = await entry()
      const { token } = await site.call('SVC_Tokens.create', { name: 'Helper', scope: 'content' })
      const { items } = await site.call('SVC_Content.list', { where: { title: name } })
      await site.call('SVC_Content.update', { id: items[0].id, body: 'What the assistant wrote.' }, { token })
      return items[0].id as string
    },
    async walk({ go, link, button, page }, id) {
      await go('Activity')
      await link(/Undo\s*: this change/)
      await button(/^\s*Undo/)
      await page.waitForLoadState()
      assert.equal((await site.call('SVC_Content.get', { id })).item.body, 'As it was.')
    },
  },
  {
    name: 'approve three of five proposals',
    most: { loads: 8, clicks: 8, keys: 0 },
    phone: 'plain',
    async given() {
      const name = await entry()
      const { items } = await site.call('SVC_Content.list', { where: { title: name } })
      const made = await site.call('SVC_Tokens.create', { name: 'Asks', scope: 'content', limits: { ask: ['*'] } })
      for (let at = 0; at < 5; at++)
        await site.api('SVC_Content.create', { type: 'page', title: `${name} ${at}` }, { token: made.token as string })
      assert.equal(items.length, 1)
      return name
    },
    async walk({ go, page, click, button }, name) {
      await go('Activity', 'Approvals')
      for (let at = 0; at < 3; at++) {
        await click(page.getByRole('main').getByRole('link', { name: new RegExp(name) }))
        await button('Accept')
        await page.waitForLoadState()
      }
      const { items } = await site.call('SVC_Content.list', { where: { title: { has: name } } })
      assert.equal(items.length, 4)
    },
  },
  {
    name: 'restyle the front page',
    most: { loads: 4, clicks: 6, keys: 7 },
    given: () => Promise.resolve(''),
    async walk({ go, click, page, button, did }) {
      await go('Appearance', 'Themes')
      const active = page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ has: page.getByText('Active', { exact: true }) })
      await click(active.getByRole('link', { name: /^\s*Colours/ }))
      await page.locator('input[name*="accent"]').first().fill('#aa2255')
      did(1, 7)
      await button('Save the settings')
      await page.waitForLoadState()
      await page.getByRole('status').first().waitFor()
      const { items } = await site.call('SVC_Themes.list')
      const { id } = (items as { id: string; active: boolean }[]).find(({ active: isActive }) => isActive) ?? { id: '' }
      assert.match(JSON.stringify((await site.call('SVC_Themes.get', { id })).item.settings), /#aa2255/)
    },
  },
  {
    name: 'add a colleague',
    most: { loads: 4, clicks: 6, keys: 40 },
    phone: 'plain',
    given: () => Promise.resolve(`${title().replace(' ', '-').toLowerCase()}@example.org`),
    async walk({ go, type, button, page }, email) {
      await go('Settings', 'People')
      await type('Name', 'Grace Hopper')
      await type('E-mail', email)
      await button('Add')
      await page
        .getByText(/\/admin\/[\w/-]*\?(?:code|link|token)=/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'connect an assistant: its address is copied',
    most: { loads: 2, clicks: 2, keys: 0 },
    given: () => Promise.resolve(''),
    async walk({ go, button, page }) {
      await go('Connections')
      await button('Copy the address')
      await page.getByRole('button', { name: 'Copied the address' }).first().waitFor()
    },
  },
  {
    name: 'fix a broken link that the check found',
    most: { loads: 7, clicks: 6, keys: 12 },
    phone: 'plain',
    async given() {
      const name = await entry({ body: 'Long ago.\n\nSee [the harbour](/nowhere), which is there.' })
      return (await site.call('SVC_Content.list', { where: { title: name } })).items[0].id as string
    },
    async walk({ go, page, isPlain, button, click, did }, id) {
      await go('Content', 'Checks')
      await button('Check all entries')
      // With script, the page looks by itself whether the check is done.
      const again = page.getByRole('link', { name: 'Look again' })
      if (isPlain) while (await again.isVisible()) await again.click()
      await page.getByText(/entr(?:y was|ies were) checked/).waitFor()
      await click(page.locator(`main a[href*="${id}"][href*="find="]`))
      const text = page.getByRole('textbox', { name: 'Text', exact: true })
      if (isPlain) await text.fill((await text.inputValue()).replace('/nowhere', '/harbour'))
      else {
        // The link is selected.
        await page.locator('.cm-content').waitFor()
        await page.waitForFunction("getSelection().toString() === '/nowhere' && document.activeElement?.closest('.cm-editor')")
        await page.waitForLoadState()
        await page.keyboard.type('/harbour')
      }
      did(0, 8)
      await button('Publish changes')
      await page.getByText('Published.').first().waitFor()
      assert.match((await site.call('SVC_Content.get', { id })).item.body, /\(\/harbour\), which/)
    },
  },
  {
    name: 'put back a deleted page',
    most: { loads: 5, clicks: 5, keys: 0 },
    phone: 'plain',
    async given() {
      const name = await entry()
      const { items } = await site.call('SVC_Content.list', { where: { title: name } })
      await site.call('SVC_Content.delete', { ids: [items[0].id] })
      return name
    },
    async walk({ go, link, page, button }, name) {
      await go('Content')
      await link(/^\s*Trash/)
      await link(name)
      await button('Restore')
      await page.waitForLoadState()
      await page.getByRole('button', { name: 'Restore' }).waitFor({ state: 'detached' })
      assert.notEqual((await site.call('SVC_Content.list', { where: { title: name } })).items[0]?.status ?? 'trash', 'trash')
    },
  },
  {
    name: 'schedule a post and see it in the list',
    most: { loads: 6, clicks: 9, keys: 60 },
    phone: 'plain',
    given: () => Promise.resolve(title()),
    async walk({ go, link, type, page, button, did }, name) {
      await go('Content')
      await link(/New post/)
      await type('Title', name)
      const at = page.locator('input[type="datetime-local"]').first()
      if (!(await at.isVisible())) {
        await page.getByText('Publication', { exact: true }).click()
        did(1)
      }
      await at.fill('2099-01-31T18:00')
      did(1, 12)
      await button(/^\s*(Schedule|Publish)/)
      await page.waitForLoadState()
      await go('Content')
      await page.getByRole('row', { name: new RegExp(`${name}[^]*(?:S|s)cheduled`) }).waitFor()
    },
  },
  {
    name: 'send somebody a preview',
    most: { loads: 4, clicks: 3, keys: 0 },
    phone: 'plain',
    given: () => entry({ status: 'draft' }),
    async walk({ go, link, button, page }, name) {
      await go('Content')
      await link(name)
      await button('Preview link')
      const address = (await page.locator('[data-copy="the preview link"]').textContent()) ?? ''
      assert.ok((await (await fetch(address)).text()).includes(name), address)
    },
  },
]

const table: string[] = []

for (const journey of journeys)
  for (const at of journeyViews.filter(({ phone }) => phone === undefined || phone === journey.phone))
    test(`${journey.name}: ${at.view}`, { skip: noBrowser }, async () => {
      const prepared = await journey.given()
      const context = await openContext(browser, at)
      context.setDefaultTimeout(Number(process.env['PATIENCE'] ?? 60_000))
      try {
        const page = await context.newPage()
        if (!journey.signedOut) await signInThere(page, site)
        hold(table, journey, at, await counted(page, at.phone, (hand) => journey.walk(hand, prepared)))
      } finally {
        await context.close()
      }
    })

test('what the journeys cost', { skip: noBrowser }, () => {
  process.stdout.write(`${['loads clicks keys', ...table].join('\n')}\n`)
  assert.ok(table.length > 0)
})
