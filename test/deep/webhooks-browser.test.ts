// The pages of webhooks, in a real browser: add one, be refused, copy the secret, try it, turn it off and on, give it a new secret, delete it.
// axe finds nothing, and no page is wider than its window.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { lookAs, noBrowser, openBrowser, openContext, signInThere, threeViews } from '../admin/chromium.ts'
import { openSite } from '../site.ts'

let browser: Browser
before(async () => {
  if (noBrowser === false) browser = await openBrowser()
})
after(async () => {
  if (noBrowser === false) await browser.close()
})

for (const [name, options] of Object.entries(threeViews))
  test(`an owner sets a webhook up and takes it away: ${name}`, { skip: noBrowser }, async () => {
    await using site = await openSite()
    const context = await openContext(browser, options)
    try {
      const page = await context.newPage()
      const look = (what: string) => lookAs('webhooks', name, options)(page, what)
      await signInThere(page, site)
      await page.goto(`${site.base}/admin/webhooks`)
      await look('empty')
      // Nobody listens at a private address, and the guard refuses it.
      await page.getByLabel('Address', { exact: true }).fill('http://127.0.0.1/postern')
      await page.getByRole('textbox', { name: /^Events/ }).fill('content.published')
      await page.getByRole('button', { name: 'Add the webhook' }).click()
      await page.getByRole('alert').waitFor()
      assert.match(await page.getByRole('alert').innerText(), /There is no event "content\.published"/)
      assert.equal(await page.getByLabel('Address', { exact: true }).inputValue(), 'http://127.0.0.1/postern')
      await look('refused')
      await page.getByRole('textbox', { name: /^Events/ }).fill('content.publish')
      await page.getByRole('button', { name: 'Add the webhook' }).click()
      const secret = page.locator('.secret code, .secret input').first()
      await secret.waitFor()
      assert.match(await page.locator('.secret').innerText(), /whsec_|Secret/)
      await look('secret')
      await page.getByRole('link', { name: 'I have copied it' }).click()
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByText('That address gave no usable answer.').waitFor()
      await look('tried')
      await page.getByRole('button', { name: 'Turn off' }).click()
      await page.getByText('Off', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Turn on' }).click()
      await page.getByText('On', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'New secret' }).click()
      await page.getByRole('link', { name: 'I have copied it' }).click()
      await page.reload()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByText('No webhooks yet').waitFor()
    } finally {
      await context.close()
    }
  })
