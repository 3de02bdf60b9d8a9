// The newsletter in a real browser: a visitor subscribes, confirms from the mail and leaves again; the owner looks at a mail, tries it and
// sends it. axe finds nothing, and no page is wider than its window.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { lookAs, noBrowser, openBrowser, openContext, picture, signInThere, threeViews } from '../admin/chromium.ts'
import { openRelay, readable, relayInput } from '../mail/relay-server.ts'
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
  test(`a visitor subscribes, gets what the owner sends, and leaves: ${name}`, { skip: noBrowser }, async () => {
    await using relay = await openRelay()
    await using site = await openSite()
    const context = await openContext(browser, options)
    try {
      const page = await context.newPage()
      const look = (what: string) => lookAs('newsletter', name, options)(page, what)
      const linkIn = async (number: number) => {
        await until(`mail ${number}`, () => relay.taken.length >= number)
        return `${site.base}${/\/user-content\/newsletter\/[\w-]+/.exec(readable(relay.taken[number - 1] ?? assert.fail()))?.[0]}`
      }
      await signInThere(page, site)
      await page.goto(`${site.base}/admin/newsletter`)
      await look('without-relay')
      await site.call('SVC_Mail.set-relay', relayInput(relay, { site_url: site.base }))
      const news = '::: newsletter\n## News by e-mail\n\nOnce a month, with what we bake.\n:::'
      await site.call('SVC_Content.create', { type: 'page', title: 'News', body: news, status: 'published' })
      await site.call('SVC_Content.create', {
        type: 'post',
        title: 'Rye is back',
        body: 'From **Monday**, see [prices](/news).\n\n> Best in town.\n\n| Bread | Price |\n|-|-|\n| Rye | 4 € |\n\n::: button {href="/news"}\nOrder\n:::\n',
        status: 'published',
      })

      await page.goto(`${site.base}/news`)
      await look('page')
      await page.getByLabel('Your e-mail address').fill('anna@example')
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await page.getByText('Please give one e-mail address').waitFor()
      await look('refused')
      assert.equal(await page.getByLabel('Your e-mail address').inputValue(), 'anna@example')
      await page.getByLabel('Your e-mail address').fill('anna@example.com')
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await page.getByText('an e-mail is on its way to you').waitFor()
      await look('sent')
      await page.goto(await linkIn(1))
      await look('confirm')
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await page.getByRole('heading', { name: 'You are subscribed' }).waitFor()
      await look('confirmed')

      await page.goto(`${site.base}/admin/newsletter`)
      await page.getByText('anna@example.com').waitFor()
      await look('list')
      await page.getByLabel('Page or post').selectOption({ label: 'Rye is back – /rye-is-back' })
      await page.getByRole('button', { name: 'Look at the mail' }).click()
      await look('send')
      const [mail] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('link', { name: 'Look at it as people' }).click(),
      ])
      await mail.getByText('Best in town.').waitFor()
      await picture(mail, `newsletter-${name.replaceAll(', ', '-')}-mail`)
      await mail.close()
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByText('The relay took the mail').waitFor()
      await page.getByRole('button', { name: 'Send to 1 person' }).click()
      await page.getByRole('link', { name: 'Rye is back' }).waitFor()
      await until('the owner’s test and the mail came', () => relay.taken.length === 3)
      await page.goto(`${site.base}/admin/newsletter`)
      await page.getByText('1 sent').waitFor()
      await look('done')

      await page.goto(await linkIn(3))
      await look('leave')
      await page.getByRole('button', { name: 'Unsubscribe' }).click()
      await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
      await page.goto(`${site.base}/admin/newsletter?state=ended`)
      await page.getByText('anna@example.com').waitFor()
    } finally {
      await context.close()
    }
  })
