// Links by the titles of entries, as people type them: by the arrow keys and Enter, by a whole title, and quicker than the entries arrive.
// What is neither a title nor an address is refused at the field.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, signInThere } from '../admin/chromium.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let browser: Browser
let site: TestSite
/** The cookies of the owner. */
let signedIn: ReturnType<BrowserContext['storageState']>
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  const context = await openContext(browser, desktop)
  await signInThere(await context.newPage(), site)
  signedIn = context.storageState()
  for (const title of ['Contact', 'Our bakery', 'Our bakery in June', 'Rolls are best warm'])
    await site.call('SVC_Content.create', { type: 'page', title, status: 'published', body: 'Words.' })
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

async function inEditor(body: string, walk: (page: Page) => Promise<void>) {
  const context = await openContext(browser, { ...desktop, storageState: await signedIn })
  const page = await context.newPage()
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Start', body })
  await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+End')
  await walk(page)
  await context.close()
}

const textOf = (page: Page): Promise<string> => page.locator('#f-body').inputValue()
const holds = (page: Page, text: string) =>
  until('the text is as expected', async () => (await textOf(page)) === text).catch(async () =>
    assert.equal(await textOf(page), text),
  )
const dialog = (page: Page) => page.getByRole('dialog')
const offered = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })

/** Answers the questions for entries late, as a slow connection does. */
const delayEntries = (page: Page) =>
  page.route(
    ({ searchParams }) => searchParams.has('q'),
    async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await route.continue()
    },
  )

async function openLink(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.locator('#link-words').waitFor()
  await page.keyboard.type(words, { delay: 40 })
}

interface Typed {
  readonly what: string
  readonly typed: string
  /** Waits until an entry with this title is offered. */
  readonly offered?: string
  readonly isSlow?: true
  readonly keys: readonly string[]
  readonly link: string
}

const links: readonly Typed[] = [
  {
    what: 'Down and Enter choose an entry',
    typed: 'cont',
    offered: 'Contact',
    keys: ['ArrowDown', 'Enter'],
    link: '[Contact](/contact)',
  },
  {
    what: 'Down and Enter before the entries are there',
    typed: 'cont',
    isSlow: true,
    keys: ['ArrowDown', 'Enter'],
    link: '[Contact](/contact)',
  },
  {
    what: 'a part of one title, and Enter',
    typed: 'Rolls are',
    keys: ['Enter'],
    link: '[Rolls are best warm](/rolls-are-best-warm)',
  },
  { what: 'a whole title in other case', typed: 'our BAKERY', keys: ['Enter'], link: '[Our bakery](/our-bakery)' },
  {
    what: 'a whole title before the entries are there',
    typed: 'Our bakery',
    isSlow: true,
    keys: ['Enter', 'Enter'],
    link: '[Our bakery](/our-bakery)',
  },
  { what: 'a host', typed: 'example.org/a', keys: ['Enter'], link: '[example.org/a](https://example.org/a)' },
  { what: 'a path', typed: '/contact', keys: ['Enter'], link: '[/contact](/contact)' },
]

for (const { what, typed, offered: name, isSlow, keys, link } of links)
  test(`Ctrl+K: ${what}`, { skip: noBrowser }, () =>
    inEditor('', async (page) => {
      if (isSlow) await delayEntries(page)
      await openLink(page, typed)
      if (name !== undefined) await offered(page, name).waitFor()
      for (const key of keys) await page.keyboard.press(key)
      await holds(page, link)
    }),
  )

test('Ctrl+K: the arrow keys go through the entries and back into the field', { skip: noBrowser }, () =>
  inEditor('', async (page) => {
    await openLink(page, 'our ba')
    await offered(page, 'Our bakery').waitFor()
    const second = await dialog(page).locator('li button').nth(1).innerText()
    for (const key of ['ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
    await page.keyboard.type('k')
    assert.equal(await page.locator('#link-words').inputValue(), 'our bak')
    await until('two entries are offered', async () => (await dialog(page).locator('li button').count()) === 2)
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await holds(page, `[${second}](/${second.toLowerCase().replaceAll(' ', '-')})`)
  }),
)

test('Ctrl+K: what leads nowhere is refused at the field, and stays there to be mended', { skip: noBrowser }, () =>
  inEditor('', async (page) => {
    await openLink(page, 'Our ba')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Choose one of these entries' }).waitFor()
    await holdAccessible(page, 'a refused link')
    assert.equal(await textOf(page), '')
    assert.equal(await page.locator('#link-words').inputValue(), 'Our ba')
    await page.locator('#link-words').fill('')
    await page.keyboard.type('nowhere', { delay: 40 })
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'No entry was found by these words' }).waitFor()
    assert.equal(await page.locator('#link-words').getAttribute('aria-invalid'), 'true')
    await page.locator('#link-words').fill('')
    await page.keyboard.type('Contact', { delay: 40 })
    await page.keyboard.press('Enter')
    await holds(page, '[Contact](/contact)')
  }),
)

test('a button of a section leads to the entry that Down and Enter choose', { skip: noBrowser }, () =>
  inEditor('::: button {href="/old"}\nWrite\n:::', async (page) => {
    await page.getByRole('button', { name: /^Change: / }).click()
    const field = page.getByLabel('Where the button leads')
    await field.fill('')
    await field.pressSequentially('cont', { delay: 40 })
    await offered(page, 'Contact').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    assert.equal(await field.inputValue(), '/contact')
    assert.ok(await dialog(page).isVisible(), 'Enter chose, and did not save')
    await page.keyboard.press('Enter')
    await holds(page, '::: button {href="/contact"}\nWrite\n:::')
  }),
)

test('a button of a section leads to a whole title, however slow the entries are, and never nowhere', { skip: noBrowser }, () =>
  inEditor('::: button {href="/old"}\nWrite\n:::', async (page) => {
    await delayEntries(page)
    await page.getByRole('button', { name: /^Change: / }).click()
    const field = page.getByLabel('Where the button leads')
    const save = dialog(page).getByRole('button', { name: 'Save', exact: true })
    await field.fill('nowhere')
    await save.click()
    await page.getByRole('alert').filter({ hasText: 'No entry was found by these words' }).waitFor()
    await holdAccessible(page, 'a refused section')
    assert.equal(await textOf(page), '::: button {href="/old"}\nWrite\n:::')
    await field.fill('our bakery')
    await save.click()
    await holds(page, '::: button {href="/our-bakery"}\nWrite\n:::')
  }),
)
