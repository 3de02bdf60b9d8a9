// An owner gives the site its colours and fonts in a real browser: by mouse, by touch and without script, until a visitor sees them. The
// fonts of a page are the site's own and weigh no more than promised.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, phone, picture, signInThere } from '../admin/chromium.ts'
import { themeIds } from '../themes/render-theme.ts'
import { openSite, type TestSite } from '../site.ts'

let browser: Browser
let site: TestSite
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  const body = 'Bread at *four*, sold at **six**. Žofie and Øystein bake it.'
  await site.call('SVC_Content.create', { type: 'post', title: 'Bread from the corner', status: 'published', body })
  await site.call('SVC_Settings.update', {
    set: {
      site_title: 'The Corner Bakery',
      site_address: 'Mill Lane 4\n12345 Alma',
      social_links: ['https://mastodon.social/@bakery', 'https://friends.example/bakery'],
    },
  })
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const settingsPage = () => `${site.base}/admin/themes/edit?id=default`

async function asOwner(options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await openContext(browser, options)
  try {
    const page = await context.newPage()
    await signInThere(page, site)
    await page.goto(settingsPage())
    await work(page)
  } finally {
    await context.close()
  }
}

interface Seen {
  readonly page: Page
  /** The addresses of all requests, and the bytes of the fonts. */
  readonly asked: readonly string[]
  readonly fontBytes: () => Promise<number>
}

async function asVisitor(
  path: string,
  work: (seen: Seen) => Promise<void>,
  options: BrowserContextOptions = desktop,
): Promise<void> {
  const context = await openContext(browser, options)
  try {
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(site.base + path, { waitUntil: 'networkidle' })
    const fontBytes = async (): Promise<number> => {
      const fonts = asked.filter((address) => address.includes('-latin-wght-'))
      const sizes = await Promise.all(fonts.map(async (address) => (await (await fetch(address)).arrayBuffer()).byteLength))
      return sizes.reduce((sum, size) => sum + size, 0)
    }
    await work({ page, asked, fontBytes })
  } finally {
    await context.close()
  }
}

const colourOf = (page: Page, selector: string, property: string): Promise<string> =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}'))['${property}']`)

const frameOf = (page: Page) => page.frameLocator('iframe.look')
const choose = (page: Page, name: string) => page.locator('label.pictured', { hasText: name })

test(
  'a palette is chosen by a click: the frame changes, nothing is public until it is saved, then a visitor sees it',
  {
    skip: noBrowser,
  },
  () =>
    asOwner({ ...desktop, colorScheme: 'light' }, async (page) => {
      await choose(page, 'Plum').click()
      await frameOf(page).locator('html').waitFor()
      // The frame may be loading another page at that moment.
      const inFrame = async (): Promise<string> => {
        const shown = page.frames().at(-1)?.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
        return (await shown?.catch(() => undefined)) ?? ''
      }
      for (let tries = 0; (await inFrame()) !== 'rgb(254, 250, 253)'; tries++) {
        assert.ok(tries < 100, await inFrame())
        await page.waitForTimeout(100)
      }
      await picture(page, 'look-plum-1280-light')
      await holdAccessible(page, 'the settings of a theme')
      await asVisitor('/', async ({ page: visited }) =>
        assert.notEqual(await colourOf(visited, 'html', 'backgroundColor'), 'rgb(254, 250, 253)'),
      )
      await page.getByRole('button', { name: 'Save the settings' }).click()
      await page.getByRole('status').first().waitFor()
      assert.ok(await page.getByRole('radio', { name: 'Plum' }).isChecked())
      for (const [colorScheme, colour] of [
        ['light', 'rgb(254, 250, 253)'],
        ['dark', 'rgb(23, 17, 22)'],
      ] as const)
        await asVisitor(
          '/',
          async ({ page: visited }) => assert.equal(await colourOf(visited, 'html', 'backgroundColor'), colour),
          { ...desktop, colorScheme },
        )
    }),
)

test(
  'whoever changes the own colour leaves the palette, and whoever chooses a font of the device leaves the pair',
  {
    skip: noBrowser,
  },
  () =>
    asOwner(desktop, async (page) => {
      await choose(page, 'Honey').click()
      await page.getByLabel('Own colour').last().fill('#b5651d')
      assert.ok(await page.getByRole('radio', { name: 'Own colour' }).isChecked())
      await choose(page, 'Classic').click()
      await page.getByLabel('Font of texts').selectOption('slab')
      assert.ok(await page.getByRole('radio', { name: 'Fonts of the device' }).isChecked())
      await page.getByRole('button', { name: 'Save the settings' }).click()
      await page.getByRole('status').first().waitFor()
      await asVisitor('/', async ({ page: visited, asked }) => {
        assert.equal(await visited.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--accent')`), '#b5651d')
        assert.deepEqual(
          asked.filter((address) => address.includes('.woff2')),
          [],
        )
      })
    }),
)

test('by keyboard alone: arrows move through the palettes, the frame follows, and Enter saves', { skip: noBrowser }, () =>
  asOwner(desktop, async (page) => {
    const before = await page.locator('iframe.look').getAttribute('src')
    await page.getByRole('radio', { name: 'Own colour' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    assert.ok(await page.getByRole('radio', { name: 'Sea' }).isChecked())
    await page.locator(`iframe.look:not([src="${before ?? ''}"])`).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('status').first().waitFor()
    await page.reload()
    assert.ok(await page.getByRole('radio', { name: 'Sea' }).isChecked())
  }),
)

for (const [name, families] of [
  ['Bookish', ['Figtree', 'Lora']],
  ['Warm', ['Fraunces', 'Figtree']],
] as const)
  test(
    `the pair ${name}, by touch on a phone without script: a visitor loads fonts of this site alone, within 100 KB`,
    {
      skip: noBrowser,
    },
    async () => {
      await asOwner({ ...phone, javaScriptEnabled: false }, async (page) => {
        await choose(page, name).tap()
        await page.getByRole('button', { name: 'Save the settings' }).tap()
        await page.getByRole('status').first().waitFor()
        assert.ok(await page.getByRole('radio', { name }).isChecked())
      })
      await asVisitor('/bread-from-the-corner', async ({ page, asked, fontBytes }) => {
        assert.ok(
          asked.every((address) => address.startsWith(`${site.base}/`)),
          asked.join('\n'),
        )
        const bytes = await fontBytes()
        assert.ok(bytes > 10_000 && bytes <= 100_000, String(bytes))
        const loaded = (await page.evaluate(
          `[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', ''))`,
        )) as string[]
        for (const family of families) assert.ok(loaded.includes(family), `${family} in ${loaded.join()}`)
        assert.ok((await colourOf(page, 'h1', 'fontFamily')).includes(families[0]))
        const shift = await page.evaluate(`new Promise((resolve) => {
        let sum = 0
        new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 100)
      })`)
        assert.ok(Number(shift) < 0.05, `texts moved by ${String(shift)}`)
      })
    },
  )

test('a font is kept for ever by browsers, and a frame without origin may load it', { skip: noBrowser }, async () => {
  await site.call('SVC_Themes.configure', { id: 'default', settings: { fonts: 'plain' } })
  const address = /href="([^"]*figtree-latin-wght-normal\.woff2)"/.exec((await site.send('/')).text)?.[1] ?? ''
  const answer = await fetch(address)
  assert.deepEqual(
    ['content-type', 'cache-control', 'access-control-allow-origin', 'x-content-type-options'].map((name) =>
      answer.headers.get(name),
    ),
    ['font/woff2', 'public, max-age=31536000, immutable', '*', 'nosniff'],
  )
  const again = await fetch(address, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })
  assert.equal(again.status, 304)
  const older = address.replace(/fonts\/[0-9a-f]{12}/, 'fonts/000000000000')
  assert.equal((await fetch(older)).headers.get('cache-control'), 'no-cache')
  for (const wrong of ['figtree-license.txt', '..%2fstyle.css', 'none.woff2'])
    assert.equal((await fetch(address.replace(/[^/]*$/, wrong))).status, 404, wrong)
})

test(
  'the footer of every theme has the address with its lines, this year and links to networks, and axe finds nothing',
  {
    skip: noBrowser,
  },
  async () => {
    for (const theme of themeIds) {
      await site.call('SVC_Themes.activate', { id: theme })
      for (const [options, colorScheme] of [
        [desktop, 'light'],
        [phone, 'dark'],
      ] as const)
        await asVisitor(
          '/',
          async ({ page }) => {
            const footer = page.locator('footer.bottom')
            assert.match(await footer.innerText(), /© 20\d\d The Corner Bakery/)
            // The restaurant has it above its footer.
            assert.equal((await page.locator('address').last().innerText()).trim(), 'Mill Lane 4\n12345 Alma')
            assert.equal(await footer.getByRole('link', { name: 'Mastodon' }).locator('svg').count(), 1)
            assert.equal(
              await footer.getByRole('link', { name: 'friends.example' }).getAttribute('href'),
              'https://friends.example/bakery',
            )
            await picture(page, `footer-${theme}-${colorScheme}`)
            await holdAccessible(page, `${theme} in ${colorScheme}`)
          },
          { ...options, colorScheme },
        )
    }
    await site.call('SVC_Themes.activate', { id: 'default' })
  },
)

test('files are a page of their own, which the settings name at their end, for those who write code', { skip: noBrowser }, () =>
  asOwner(phone, async (page) => {
    assert.equal(await page.getByText('layout.liquid').count(), 0)
    await page.getByRole('region', { name: 'For those who write code' }).getByRole('link').tap()
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
    await holdAccessible(page, 'the files of a theme')
    await page.getByRole('link', { name: 'layout.liquid' }).tap()
    await page.getByRole('heading', { level: 1, name: 'layout.liquid' }).waitFor()
  }),
)

for (const [what, options] of [
  ['a desktop', desktop],
  ['a phone', phone],
] as const)
  test(`the themes page on ${what} shows the owner's own home page in each theme`, { skip: noBrowser }, () =>
    asOwner(options, async (page) => {
      await page.goto(`${site.base}/admin/themes`)
      assert.equal(await page.locator('.look-small iframe').count(), themeIds.length)
      const first = page.locator('.card', { has: page.locator('iframe') }).first()
      await first.scrollIntoViewIfNeeded()
      await first.frameLocator('iframe').getByText('The Corner Bakery').first().waitFor({ state: 'attached' })
      await picture(page, `themes-${what.slice(2)}`)
      await holdAccessible(page, `the themes on ${what}`)
    }),
  )
