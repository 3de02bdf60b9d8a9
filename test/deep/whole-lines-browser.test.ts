// Pictures and sections in the editor stay whole, whatever a person presses beside them: what is typed after a picture or a section stands below it, no key
// breaks the line of one, and Backspace after a picture removes the picture. A new section has its words selected, and asks for what it can't do without.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, signInThere } from '../admin/chromium.ts'
import { waitForSaved } from '../admin/editor-hand.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true } as const

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
  const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#b5651d' } })
    .jpeg()
    .toBuffer()
  await site.call('SVC_Media.upload', { base64: photo.toString('base64'), filename: 'bread.jpg', alt: 'Bread' })
  await site.call('SVC_Content.create', { type: 'page', title: 'Contact', status: 'published', body: 'Ring us.' })
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

async function inEditor(options: BrowserContextOptions, body: string, walk: (page: Page, path: string) => Promise<void>) {
  const context = await openContext(browser, { ...options, storageState: await signedIn })
  const page = await context.newPage()
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Bakery', body })
  await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
  // A click would be on the picture, which asks for its description.
  await page.locator('.cm-content').focus()
  await walk(page, item.path as string)
  await context.close()
}

const textOf = (page: Page): Promise<string> => page.locator('#f-body').inputValue()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function publish(page: Page, path: string): Promise<string> {
  await waitForSaved(page)
  await page.reload()
  await button(page, 'Publish').click()
  await page.locator('.notice.done').waitFor()
  return (await fetch(site.base + path)).text()
}

const picture = '![Bread](/media/bread.jpg)'
const section = '::: call\nRing us.\n:::'

interface Press {
  readonly what: string
  readonly before: string
  /** Keys of the keyboard; a text is typed. */
  readonly keys: readonly (string | { readonly text: string })[]
  readonly after: string
}

const typed = (text: string) => ({ text })

const presses: readonly Press[] = [
  {
    what: 'words after a picture begin a paragraph',
    before: picture,
    keys: ['Control+End', typed('Our rye.')],
    after: `${picture}\n\nOur rye.`,
  },
  {
    what: 'words in the last line, below a picture, begin a paragraph',
    before: `${picture}\n`,
    keys: ['Control+End', typed('Our rye.')],
    after: `${picture}\n\nOur rye.`,
  },
  {
    what: 'words after Enter behind a picture begin a paragraph',
    before: picture,
    keys: ['Control+End', 'Enter', typed('Our rye.')],
    after: `${picture}\n\nOur rye.`,
  },
  {
    what: 'words after a picture whose caption has brackets begin a paragraph',
    before: '![Bread](/media/bread.jpg "Rye (dark)")',
    keys: ['Control+End', typed('Our rye.')],
    after: '![Bread](/media/bread.jpg "Rye (dark)")\n\nOur rye.',
  },
  {
    what: 'words after a picture with a mark for its width begin a paragraph',
    before: `${picture}{.wide} `,
    keys: ['Control+End', typed('Our rye.')],
    after: `${picture}{.wide} \n\nOur rye.`,
  },
  {
    what: 'words in an empty line above a picture are a paragraph',
    before: `\n${picture}`,
    keys: ['Control+Home', typed('Our rye.')],
    after: `Our rye.\n\n${picture}`,
  },
  {
    what: 'words before a picture are a paragraph',
    before: picture,
    keys: ['Control+Home', typed('Our rye.')],
    after: `Our rye.\n\n${picture}`,
  },
  {
    what: 'Backspace after a picture removes it whole',
    before: `Rye.\n\n${picture}`,
    keys: ['Control+End', 'Backspace'],
    after: 'Rye.\n\n',
  },
  {
    what: 'Delete before a picture removes it whole',
    before: `${picture}\n\nRye.`,
    keys: ['Control+Home', 'Delete'],
    after: '\n\nRye.',
  },
  {
    what: 'Backspace at the start of words below a picture joins nothing',
    before: `${picture}\nRye.`,
    keys: ['Control+End', 'Home', 'Backspace', typed('Dark. ')],
    after: `${picture}\n\nDark. \nRye.`,
  },
  {
    what: 'words after a section stand below it',
    before: section,
    keys: ['Control+End', typed('Till six.')],
    after: `${section}\n\nTill six.`,
  },
  {
    what: 'words before a section stand above it',
    before: section,
    keys: ['Control+Home', typed('Till six.')],
    after: `Till six.\n\n${section}`,
  },
  {
    what: 'Backspace after a section goes into its words',
    before: section,
    keys: ['Control+End', 'Backspace', typed(' Now.')],
    after: '::: call\nRing us. Now.\n:::',
  },
  {
    what: 'Backspace at the start of the words of a section joins nothing',
    before: `Before.\n\n${section}`,
    keys: ['Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Home', 'Backspace'],
    after: `Before.\n\n${section}`,
  },
  {
    what: 'Delete at the end of the words of a section joins nothing',
    before: `${section}\n\nAfter.`,
    keys: ['Control+Home', 'ArrowDown', 'End', 'Delete', 'Delete'],
    after: `${section}\n\nAfter.`,
  },
]

for (const { what, before: body, keys, after: expected } of presses)
  test(what, { skip: noBrowser }, () =>
    inEditor(desktop, body, async (page) => {
      for (const key of keys)
        await (typeof key === 'string' ? page.keyboard.press(key) : page.keyboard.type(key.text, { delay: 40 }))
      await until('the text is as expected', async () => (await textOf(page)) === expected).catch(async () =>
        assert.equal(await textOf(page), expected),
      )
    }),
  )

test('words after a picture from the library, at the end of the text, are a paragraph on the page', { skip: noBrowser }, () =>
  inEditor(desktop, 'Rye.', async (page, path) => {
    await page.keyboard.press('Control+End')
    await button(page, 'Picture').click()
    await button(page, 'bread.jpg').click()
    await button(page, 'Use').click()
    await page.locator('.live-figure img').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Baked at four.', { delay: 40 })
    assert.match(await textOf(page), /^Rye\.\n\n!\[Bread\]\(\/media\/bread\.jpg\)\n\nBaked at four\.\s*$/)
    assert.match(await publish(page, path), /<p><img [^>]*><\/p>\s*<p>Baked at four\.<\/p>/)
  }),
)

test('an opening gets words, a picture and a button that leads to a page, by names alone', { skip: noBrowser }, () =>
  inEditor(desktop, '', async (page, path) => {
    await button(page, 'Section').click()
    await holdAccessible(page, 'the kinds of sections')
    await button(page, 'Opening').click()
    await page.locator('.live-section-bar').waitFor()
    await page.keyboard.type('Cakes for every feast', { delay: 40 })
    await page.getByRole('button', { name: /^Change: / }).click()
    await button(page, 'Choose a picture').click()
    await button(page, 'bread.jpg').click()
    await button(page, 'Use').click()
    await page.getByLabel('Words on the button').fill('Order')
    await page.getByLabel('Where the button leads').pressSequentially('Conta', { delay: 40 })
    await page.getByRole('dialog').getByRole('button', { name: 'Contact' }).click()
    await page.getByLabel('Side of the words').selectOption({ label: 'In the middle' })
    await holdAccessible(page, 'the form of a section')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    const bar = page.locator('.live-section-bar')
    assert.match(await bar.innerText(), /^Opening\s+Order · \/contact/)
    await bar.locator('img').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Open from six.', { delay: 40 })
    const shown = await publish(page, path)
    assert.match(shown, /<section class="section is-hero[^"]*"[^]*>Cakes for every feast</)
    assert.match(shown, /<a class="button" href="[^"]*\/contact">Order<\/a>[^]*<\/section>\s*<p>Open from six\./)
  }),
)

test(
  'on a phone, a button is made from the menu at /, and asks for its words and where it leads before it is there',
  { skip: noBrowser },
  () =>
    inEditor(phone, 'Come by.', async (page, path) => {
      await page.keyboard.press('Control+End')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await page.keyboard.type('/butt', { delay: 60 })
      await page.getByRole('option', { name: 'Button', exact: true }).tap()
      await page.getByLabel('Where the button leads').waitFor()
      assert.doesNotMatch(await textOf(page), /:::/, 'nothing is there before it leads somewhere')
      await page.getByLabel('Words on the button').fill('Write to us')
      await page.getByLabel('Where the button leads').pressSequentially('Conta', { delay: 40 })
      await page.getByRole('dialog').getByRole('button', { name: 'Contact' }).tap()
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).tap()
      await page.locator('.live-section-bar').waitFor()
      const shown = await publish(page, path)
      assert.match(shown, /Come by\.[^]*<a class="button" href="[^"]*\/contact">Write to us<\/a>/)
    }),
)

test(
  'the menu at / finds a picture as photo and as image, and the empty text says that there is a menu',
  { skip: noBrowser },
  () =>
    inEditor(desktop, '', async (page) => {
      await page.locator('.cm-placeholder', { hasText: '/' }).waitFor()
      await holdAccessible(page, 'an empty text')
      for (const words of ['/photo', '/image', '/pictu']) {
        await page.keyboard.type(words, { delay: 40 })
        assert.deepEqual(
          await page
            .getByRole('option')
            .allInnerTexts()
            .then((names) => names.includes('Picture')),
          true,
          words,
        )
        await page.keyboard.press('Escape')
        for (let press = 0; press < words.length; press++) await page.keyboard.press('Backspace')
      }
    }),
)

test('the line that closes a section is no row of the table before it', { skip: noBrowser }, () =>
  inEditor(desktop, 'Our prices:\n\n::: prices\n| Bread | Price |\n| --- | ---: |\n| Rye | 4.20 |\n:::', async (page) => {
    await page.keyboard.press('Control+Home')
    const rows = page.locator('table.live-table tr')
    await rows.first().waitFor()
    assert.deepEqual(await rows.allInnerTexts(), ['Bread\tPrice', 'Rye\t4.20'])
    await page.locator('.live-section-foot').waitFor({ state: 'attached' })
  }),
)
