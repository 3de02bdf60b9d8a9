// The page of statistics in a real browser, on a phone and a desktop, light and dark, in both languages, with and without script. axe finds
// nothing, no page is wider than its window, and the chart's numbers are there as a table.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, phone, picture, signInThere } from '../admin/chromium.ts'
import { ownersPassword } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'
import { makeDays } from '../statistics/made-days.ts'

let browser: Browser
let site: TestSite
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  await makeDays(site.home, 35)
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const views = {
  'phone-dark': { ...phone, colorScheme: 'dark' },
  'phone-light': { ...phone, colorScheme: 'light' },
  'desktop-dark': { ...desktop, colorScheme: 'dark' },
  'desktop-light': { ...desktop, colorScheme: 'light' },
  'phone-light-no-script': { ...phone, colorScheme: 'light', javaScriptEnabled: false },
} as const

for (const [name, options] of Object.entries(views))
  test(`an owner reads the statistics: ${name}`, { skip: noBrowser }, async () => {
    const context = await openContext(browser, options)
    try {
      const page = await context.newPage()
      const hasScript = !('javaScriptEnabled' in options)
      await signInThere(page, site)
      await page.goto(`${site.base}/admin/statistics`)
      await picture(page, `statistics-${name}`)
      if (hasScript) await holdAccessible(page, name)
      // What a stranger typed is text.
      await page.getByRole('rowheader', { name: '<script>alert(1)</script>' }).waitFor()
      const chart = page.getByRole('img', { name: /Visits per day/ })
      assert.equal(await chart.locator('rect.all-views').count(), 30)
      await page.getByText('The numbers as a table').click()
      const days = page.getByRole('region', { name: 'Visits per day' })
      assert.equal(await days.getByRole('row').count(), 31)
      await picture(page, `statistics-${name}-table`)
      if (hasScript) await holdAccessible(page, `the table, ${name}`)
      await page.getByRole('link', { name: '12 months' }).click()
      await page.getByRole('img', { name: /Visits per month/ }).waitFor()
      await picture(page, `statistics-${name}-year`)
    } finally {
      await context.close()
    }
  })

test('the page in German, and empty', { skip: noBrowser }, async () => {
  await using fresh = await openSite()
  const context = await openContext(browser, { ...desktop, colorScheme: 'light', locale: 'de-DE' })
  try {
    const page = await context.newPage()
    await signInGerman(page, site)
    await page.goto(`${site.base}/admin/statistics`)
    await page.getByRole('heading', { name: 'KI-Crawler' }).waitFor()
    await page.getByText('deutsch', { exact: false }).first().waitFor()
    await picture(page, 'statistics-german')
    await holdAccessible(page, 'German')
    await signInGerman(page, fresh)
    await page.goto(`${fresh.base}/admin/statistics`)
    await page.getByText('Kein KI-Crawler kam.').waitFor()
    await picture(page, 'statistics-empty')
    await holdAccessible(page, 'empty')
  } finally {
    await context.close()
  }
})

async function signInGerman(page: Page, { base }: TestSite): Promise<void> {
  await page.goto(`${base}/admin/sign-in`)
  await page.getByLabel('E-Mail').fill('owner@example.org')
  await page.getByLabel('Passwort').fill(ownersPassword)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

test('a browser loads the hidden image of a page that a front may keep, and is counted once', { skip: noBrowser }, async () => {
  await using fresh = await openSite()
  await fresh.call('SVC_Content.create', { type: 'page', title: 'Bread', body: 'Rye.', status: 'published' })
  await fresh.call('SVC_Settings.update', { set: { cache_seconds: 60 } })
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const context = await openContext(browser, { ...desktop, javaScriptEnabled: false, userAgent: agent })
  try {
    const page = await context.newPage()
    const image = page.waitForResponse((answer) => answer.url().includes('/media/_/point.gif'))
    await page.goto(`${fresh.base}/bread?utm_source=letter`)
    assert.equal((await image).status(), 200)
    const read = async (by: string) => (await fresh.call('SVC_Stats.visits', { by })).items
    assert.deepEqual(await read('path'), [{ value: '/bread', views: 1, visitors: 1 }])
    assert.deepEqual(await read('campaign'), [{ value: 'letter / – / –', views: 1, visitors: 1 }])
  } finally {
    await context.close()
  }
})
