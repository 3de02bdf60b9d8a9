// The page of mail and a password that was forgotten, in a real browser with a real relay: set the relay wrong, then right, send a test,
// sign out, ask for a link, follow it, set a password. axe finds nothing, and no page is wider than its window.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { lookAs, noBrowser, openBrowser, openContext, signInThere, threeViews } from '../admin/chromium.ts'
import { openRelay, readable } from '../mail/relay-server.ts'
import { openSite } from '../site.ts'
import { until } from '../until.ts'

let browser: Browser
before(async () => {
  if (noBrowser === false) browser = await openBrowser()
})
after(async () => {
  if (noBrowser === false) await browser.close()
})

for (const [name, options] of Object.entries(threeViews))
  test(`an owner sets the relay, forgets the password, and gets in again by mail: ${name}`, { skip: noBrowser }, async () => {
    await using relay = await openRelay()
    await using site = await openSite()
    const context = await openContext(browser, options)
    try {
      const page = await context.newPage()
      const look = (what: string) => lookAs('mail', name, options)(page, what)
      await signInThere(page, site)
      await page.goto(`${site.base}/admin/mail`)
      await look('empty')
      const set = async (fields: Readonly<Record<string, string>>) => {
        for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
        await page.getByLabel('Encryption').selectOption('none')
        await page.getByRole('button', { name: 'Save and verify' }).click()
      }
      await set({
        Host: 'http://127.0.0.1',
        Port: String(relay.port),
        User: 'site',
        Password: 'wrong',
        Sender: 'site@example.org',
      })
      await page.getByRole('alert').waitFor()
      assert.match(await page.getByRole('alert').innerText(), /must be the name or address of a relay/)
      await look('refused')
      await set({ Host: '127.0.0.1', Password: 'wrong', 'Address of the site': site.base })
      await page.getByText('Nothing is sent: 535').waitFor()
      await look('not-verified')
      await set({ Password: 'right' })
      await page.getByText('works', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Send a test mail' }).click()
      await page.getByText('The relay took the mail to owner@example.org.').waitFor()
      await look('tested')
      await context.clearCookies()
      await page.goto(`${site.base}/admin/sign-in`)
      await page.getByText('Forgot your password?').click()
      await page.getByRole('link', { name: 'Get a link by mail' }).click()
      await look('forgot')
      await page.getByLabel('E-mail').fill('owner@example.org')
      await page.getByRole('button', { name: 'Send the link' }).click()
      await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
      await look('sent')
      const links = () => relay.taken.flatMap((mail) => /^http\S+\?code=psl_[\w-]{43}/m.exec(readable(mail))?.[0] ?? [])
      await until('the mail came', () => links().length === 1)
      await page.goto(links()[0] ?? '')
      await look('new-password')
      await page.getByLabel('Password', { exact: true }).fill('quite another phrase')
      await page.getByRole('button', { name: 'Set password' }).click()
      await page.waitForURL(/\/admin\/$/)
      await page.goto(`${site.base}/admin/mail#sent`)
      await until('all is sent', async () => {
        await page.reload()
        return (await page.getByText('waiting', { exact: true }).count()) === 0
      })
      await look('list')
      await page.goto(`${site.base}/admin/account`)
      await page.getByLabel('Tell me by mail of proposals and comments that wait').selectOption('daily')
      await page.locator('section[aria-labelledby=mails] button').click()
      await page.getByRole('status').waitFor()
      await page.reload()
      assert.equal(await page.getByLabel('Tell me by mail of proposals and comments that wait').inputValue(), 'daily')
    } finally {
      await context.close()
    }
  })
