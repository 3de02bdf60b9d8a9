// Forms in a real browser: the owner makes one and puts it on a page; a visitor leaves a field out or picks a file that is not taken, is
// told so with the rest kept, and sends it; the owner reads it, takes the file and is done. axe finds nothing, and no page is wider
// than its window.

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
  test(`an owner makes a form, and a visitor writes: ${name}`, { skip: noBrowser }, async () => {
    await using site = await openSite()
    const context = await openContext(browser, options)
    try {
      const page = await context.newPage()
      const look = (what: string) => lookAs('forms', name, options)(page, what)
      await signInThere(page, site)
      await page.goto(`${site.base}/admin/forms`)
      await look('empty')
      await page.getByLabel('Name', { exact: true }).fill('Write to us')
      await page.getByRole('button', { name: 'Make the form' }).click()
      await page.getByText('::: form {form="write-to-us"}').first().waitFor()
      await look('form')
      await page.getByLabel('Consent').fill('I have read the [privacy page](/privacy).')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('status').waitFor()
      const body = '::: form {form="write-to-us"}\n## Write to us\n\nWe answer within a day.\n:::'
      await site.call('SVC_Content.create', { type: 'page', title: 'Contact', body, status: 'published' })
      await page.goto(`${site.base}/contact`)
      await look('page')
      // Somebody reads before they write.
      await page.waitForTimeout(3200)
      await page.getByLabel('Your name').fill('Anna')
      await page.getByLabel('Message').fill('Do you bake on Mondays?')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Please look at this once more').waitFor()
      assert.equal(await page.getByLabel('Message').inputValue(), 'Do you bake on Mondays?')
      await look('refused')
      await page.getByLabel('Your e-mail').fill('anna@example.com')
      await page.getByLabel('I have read the').check()
      await page.waitForTimeout(3200)
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Thank you. Your message has arrived.').waitFor()
      await look('thanks')
      await page.goto(`${site.base}/admin/forms`)
      await page.getByText('1 new').waitFor()
      await page.getByRole('link', { name: 'Write to us' }).click()
      await page.getByText('Do you bake on Mondays?').waitFor()
      await look('submissions')
      await page.getByRole('button', { name: 'Done', exact: true }).click()
      await page.getByText('Nothing here').waitFor()
    } finally {
      await context.close()
    }
  })

const papers = { name: 'My letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n1 0 obj\n') }
const program = { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ\0\0 a program') }

for (const [name, options] of Object.entries(threeViews))
  test(`an owner asks for files, and a visitor sends one: ${name}`, { skip: noBrowser }, async () => {
    await using site = await openSite()
    const context = await openContext(browser, options)
    try {
      const page = await context.newPage()
      const look = (what: string) => lookAs('form-files', name, options)(page, what)
      await signInThere(page, site)
      await page.goto(`${site.base}/admin/forms`)
      await page.getByLabel('Name', { exact: true }).fill('Apply')
      await page.getByRole('button', { name: 'Make the form' }).click()
      const added = page.locator('details[open]').filter({ hasText: 'A further field' }).first()
      await added.getByLabel('Words beside it').fill('Your papers')
      await added.getByLabel('Kind').selectOption('files')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('status').waitFor()
      await look('form')
      const body = '::: form {form="apply"}\n## Apply\n:::'
      await site.call('SVC_Content.create', { type: 'page', title: 'Jobs', body, status: 'published' })
      await page.goto(`${site.base}/jobs`)
      await look('page')
      await page.waitForTimeout(3200)
      await page.getByLabel('Your name').fill('Anna')
      await page.getByLabel('Your e-mail').fill('anna@example.com')
      await page.getByLabel('Message').fill('I bake since I was twelve.')
      await page.getByLabel('Your papers').setInputFiles(program)
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Please look at this once more').waitFor()
      assert.equal(await page.getByLabel('Message').inputValue(), 'I bake since I was twelve.')
      await look('refused')
      await page.getByLabel('Your papers').setInputFiles(papers)
      await page.waitForTimeout(3200)
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Thank you. Your message has arrived.').waitFor()
      await page.goto(`${site.base}/admin/forms`)
      await page.getByRole('link', { name: 'Apply', exact: true }).click()
      await page.getByText('I bake since I was twelve.').waitFor()
      await look('submission')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'my-letter.pdf' }).click(),
      ])
      assert.equal(download.suggestedFilename(), 'my-letter.pdf')
    } finally {
      await context.close()
    }
  })
