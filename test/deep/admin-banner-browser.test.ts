// A refused form in a real browser: the banner is in the visible part of the page, has the focus and is an alert; its link leads to the field, also
// into a folded part of the page, in every view.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext, picture, signInThere } from '../admin/chromium.ts'
import { writeRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'

let browser: Browser
let site: TestSite
before(async () => {
  site = await openSite()
  if (noBrowser === false) browser = await openBrowser()
})
after(async () => {
  if (noBrowser === false) await browser.close()
  await site[Symbol.asyncDispose]()
})

const views = [
  { name: 'phone, light', width: 390, height: 844, colorScheme: 'light', javaScriptEnabled: true },
  { name: 'phone, dark', width: 390, height: 844, colorScheme: 'dark', javaScriptEnabled: true },
  { name: 'phone, no script', width: 390, height: 844, colorScheme: 'light', javaScriptEnabled: false },
  { name: 'desktop, light', width: 1280, height: 900, colorScheme: 'light', javaScriptEnabled: true },
  { name: 'desktop, dark', width: 1280, height: 900, colorScheme: 'dark', javaScriptEnabled: true },
] as const
type View = (typeof views)[number]

/** A refusal, and the field to which its banner leads. */
interface Refused {
  readonly path: string
  readonly fill: (page: Page) => Promise<void>
  readonly button: string
  readonly field: string
  readonly says: RegExp
}

const refusals: Readonly<Record<string, Refused>> = {
  'the editor': {
    path: '/admin/content/new',
    fill: async (page) => {
      await page.locator('#f-title').fill('Hours')
      await page.locator('#f-position').fill('first')
    },
    button: 'Publish',
    field: 'f-position',
    says: /Position: .*first/,
  },
  'the settings': {
    path: '/admin/settings?page=content',
    fill: (page) => page.locator('#f-posts_per_page').fill('100000'),
    button: 'Save',
    field: 'f-posts_per_page',
    says: /must be/,
  },
  'a folded form': {
    path: '/admin/terms?taxonomy=category',
    fill: async (page) => {
      for (const one of await page.locator('details').all()) await one.evaluate((part) => part.setAttribute('open', ''))
      await page.locator('form:has([value="new-taxonomy"]) [name=name]').fill('Regions')
      await page.locator('form:has([value="new-taxonomy"]) [name=slug]').fill('No slug!')
    },
    button: 'form:has([value="new-taxonomy"]) button',
    field: 'f-refused-slug',
    says: /No slug!/,
  },
}

async function holdSeen(page: Page, view: View, { field, says }: Refused, what: string): Promise<void> {
  const banner = page.getByRole('alert')
  await banner.waitFor()
  await page.locator('#refusal:focus').waitFor()
  assert.match((await banner.innerText()).replace(/\s+/g, ' '), says, what)
  const box = await banner.boundingBox()
  assert.ok(
    box && box.y >= 0 && box.y + Math.min(box.height, 200) <= view.height,
    `${what}: the banner is in sight: ${JSON.stringify(box)}`,
  )
  await picture(page, `banner-${what}-${view.name}`.replace(/\W+/g, '-'))
  if (view.javaScriptEnabled) await holdAccessible(page, what)
  await banner.getByRole('link').first().click()
  await page.locator(`[id="${field}"]:focus`).waitFor()
  assert.ok(await page.locator(`[id="${field}"]`).isVisible(), `${what}: the field is in sight`)
}

for (const view of views)
  test(`a refused form is seen: ${view.name}`, { skip: noBrowser }, async () => {
    const { width, height, colorScheme, javaScriptEnabled } = view
    const context = await openContext(browser, { viewport: { width, height }, colorScheme, javaScriptEnabled, locale: 'en' })
    try {
      const page = await context.newPage()
      await page.goto(`${site.base}/admin/sign-in`)
      await page.getByLabel('E-mail').fill('owner@example.org')
      // The views before this one have used the attempts of the owner up.
      await writeRows(site.home, 'delete from sign_in_attempt')
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await holdSeen(page, view, { field: 'f-password', says: /Password: / } as Refused, 'the sign-in')
      await signInThere(page, site)
      for (const [what, refused] of Object.entries(refusals)) {
        if (!javaScriptEnabled && what === 'a folded form') continue
        await page.goto(site.base + refused.path)
        await refused.fill(page)
        const isSelector = refused.button.includes('form')
        await (
          isSelector ? page.locator(refused.button) : page.getByRole('button', { name: refused.button, exact: true }).first()
        ).click()
        await holdSeen(page, view, refused, what)
      }
    } finally {
      await context.close()
    }
  })
