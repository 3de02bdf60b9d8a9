// What the editor has saved by itself is published by its button, in a real browser, as people do it: a title, five seconds of
// writing, "Saved", Publish. Longer ways are in test/deep/browser-autosave.test.ts.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { isDeep } from '../deep-run.ts'
import { desktop, noBrowser, openBrowser, openContext, phone, signInThere } from '../admin/chromium.ts'
import { typeText, waitForSaved } from '../admin/editor-hand.ts'
import { openSite, type TestSite } from '../site.ts'

let browser: Browser
let site: TestSite
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

for (const [name, view] of Object.entries(isDeep ? { desktop, phone } : { phone }))
  test(`a new page is written, saved by itself and published on a ${name}`, { skip: noBrowser }, async () => {
    const context = await openContext(browser, view)
    try {
      const page = await context.newPage()
      await signInThere(page, site)
      await page.goto(`${site.base}/admin/content/new?type=page`)
      await page.getByLabel('Title', { exact: true }).pressSequentially(`Harbour from a ${name}`, { delay: 20 })
      // Longer than the rest after which the editor saves, in two goes.
      await typeText(page, 'The tide comes in at nine, and', 80)
      await waitForSaved(page)
      await typeText(page, ' everybody waits for it.', 80)
      await waitForSaved(page)
      assert.equal(await page.getByLabel('End of the address').inputValue(), `harbour-from-a-${name}`)
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      await page.locator('.notice.done', { hasText: 'Published.' }).waitFor()
      const seen = await fetch(`${site.base}/harbour-from-a-${name}`)
      assert.equal(seen.status, 200)
      assert.match(await seen.text(), /The tide comes in at nine, and everybody waits for it\./)
      const { items } = await site.call('SVC_Content.list', { where: { title: `Harbour from a ${name}` } })
      assert.equal(items.length, 1)
    } finally {
      await context.close()
    }
  })
