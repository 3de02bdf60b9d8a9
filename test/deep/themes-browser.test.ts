// The pages of the themes that come with Postern in a real browser, on a phone and a desktop, light and dark: axe finds nothing, nothing is wider than
// the window, nothing moves while a page loads, and the menu of a phone works with the keyboard and without script.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext, picture as takePicture } from '../admin/chromium.ts'
import { type Made, madePages, picture } from '../themes/made-site.ts'
import { filesOf, renderPage, themeIds } from '../themes/render-theme.ts'

let browser: Browser
before(async () => {
  if (noBrowser === false) browser = await openBrowser()
})
after(async () => {
  if (noBrowser === false) await browser.close()
})

/** Rounding of pixels counts as some ten-thousandths; a line that moves counts as hundredths. */
const mostShift = 0.002

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 900 }
const hero = {
  hero_image: picture(1920, 1080, 150),
  hero_title: 'Clocks, repaired properly',
  hero_button: 'Book a visit',
  hero_link: '/contact',
}
const firm = {
  address: 'Mill Lane 4; 12345 Alma',
  phone: '+49 30 123456',
  email: 'hello@example.org',
  hours: 'Monday–Friday: 9:00–18:00; Saturday: closed',
}
const views: readonly (Made & { readonly viewport: typeof phone; readonly colorScheme: 'light' | 'dark' })[] = [
  { language: 'en', viewport: phone, colorScheme: 'dark' },
  { language: 'en', viewport: desktop, colorScheme: 'light', settings: { ...hero, ...firm } },
  { language: 'de', viewport: phone, colorScheme: 'light', settings: { ...hero, ...firm, posts_layout: 'cards' } },
  { language: 'ar', viewport: desktop, colorScheme: 'dark' },
  { language: 'en', viewport: desktop, colorScheme: 'dark', bare: true },
]

for (const theme of themeIds)
  for (const view of views) {
    const what = `${theme} in ${view.language}, ${view.viewport.width} wide, ${view.colorScheme}${view.bare ? ', with little to show' : ''}`
    test(`axe finds nothing, and nothing moves: ${what}`, { skip: noBrowser }, async () => {
      const context = await openContext(browser, { viewport: view.viewport, colorScheme: view.colorScheme })
      try {
        for (const { name, data } of await madePages(theme, view)) {
          const page = await show(context, theme, renderPage(theme, data))
          await takePicture(page, `${theme}-${name}-${view.language}-${view.viewport.width}-${view.colorScheme}`)
          assert.ok((await shifted(page)) < mostShift, name)
          await holdAccessible(page, `${name}: ${what}`)
          await page.close()
        }
      } finally {
        await context.close()
      }
    })
  }

for (const theme of themeIds)
  test(`the menu of a phone opens and closes with the keyboard, without script: ${theme}`, { skip: noBrowser }, async () => {
    const context = await openContext(browser, { viewport: phone, javaScriptEnabled: false })
    try {
      const made = (await madePages(theme, { language: 'en' })).find(({ name }) => name === 'list')
      assert.ok(made)
      const page = await show(context, theme, renderPage(theme, made.data))
      const link = page.getByRole('link', { name: 'About', exact: true }).first()
      assert.equal(await link.count(), 0, 'hidden from screen readers while it is closed')
      await page.getByRole('button', { name: 'Menu' }).focus()
      await page.keyboard.press('Enter')
      await link.waitFor()
      await page.keyboard.press('Escape')
      await link.waitFor({ state: 'hidden' })
    } finally {
      await context.close()
    }
  })

test('a block of code has a button that copies it and says so; without script it has none', { skip: noBrowser }, async () => {
  const made = (await madePages('documentation', { language: 'en' })).find(({ name }) => name === 'page')
  assert.ok(made)
  const markup = '<h2 id="h-run">Run</h2><pre tabindex="0"><code>npm start\n</code></pre>'
  const entry = { ...made.data.page.entry, content: { markup } } as typeof made.data.page.entry
  const html = renderPage('documentation', { ...made.data, page: { ...made.data.page, entry } })
  for (const javaScriptEnabled of [true, false]) {
    const context = await openContext(browser, { viewport: desktop, javaScriptEnabled })
    try {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const page = await show(context, 'documentation', html)
      const button = page.getByRole('button', { name: 'Copy' })
      if (!javaScriptEnabled) {
        assert.equal(await button.count(), 0)
        continue
      }
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'npm start')
      assert.ok((await shifted(page)) < mostShift)
    } finally {
      await context.close()
    }
  }
})

/** A page with this HTML, the style sheet of the theme, and one picture for every image. */
async function show(context: BrowserContext, theme: string, html: string): Promise<Page> {
  const page = await context.newPage()
  const image = Buffer.from(picture(1280, 720, 200).url.split(',')[1] ?? '', 'base64')
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname.endsWith('.css'))
      return route.fulfill({ contentType: 'text/css', body: filesOf(theme).get('assets/style.css') ?? '' })
    if (pathname.endsWith('.js'))
      return route.fulfill({ contentType: 'text/javascript', body: filesOf(theme).get(pathname.slice(1)) ?? '' })
    if (pathname.endsWith('.jpg')) return route.fulfill({ contentType: 'image/svg+xml', body: image })
    return pathname === '/' ? route.fulfill({ contentType: 'text/html', body: html }) : route.abort()
  })
  await page.goto('https://example.org/')
  return page
}

/** How much has moved since the page began to load, as browsers count it. */
async function shifted(page: Page): Promise<number> {
  return (await page.evaluate(`new Promise((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value }).observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 50)))
  })`)) as number
}
