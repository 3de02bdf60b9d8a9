// A comment from the form to the page in a real browser, with and without script: written, refused, sent, approved, answered; one of a
// writer who confirms by mail; and a webmention. axe finds nothing, and no page is wider than its window.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { desktop, lookAs, noBrowser, openBrowser, openContext, phone, signInThere } from '../admin/chromium.ts'
import { openRelay, readable, relayInput } from '../mail/relay-server.ts'
import { writeRows } from '../rows.ts'
import { openSite } from '../site.ts'
import { until } from '../until.ts'

let browser: Browser
before(async () => {
  if (noBrowser === false) browser = await openBrowser()
})
after(async () => {
  if (noBrowser === false) await browser.close()
})

const views = {
  'phone, dark': { ...phone, colorScheme: 'dark' },
  'desktop, light': { ...desktop, colorScheme: 'light' },
  'phone, light, without script': { ...phone, colorScheme: 'light', javaScriptEnabled: false },
  'desktop, dark, without script': { ...desktop, colorScheme: 'dark', javaScriptEnabled: false },
} as const

for (const [name, options] of Object.entries(views))
  test(`a visitor comments, the owner approves, another answers: ${name}`, { skip: noBrowser }, async () => {
    await using site = await openSite()
    const body = 'Peel the leeks.\n\nCook them slowly.'
    await site.call('SVC_Content.create', { type: 'post', title: 'Leek soup', slug: 'soup', status: 'published', body })
    await site.call('SVC_Settings.update', { set: { comments: ['post'] } })
    const [visitor, owner] = [await openContext(browser, options), await openContext(browser, options)]
    try {
      const page = await visitor.newPage()
      const admin = await owner.newPage()
      const look = lookAs('comments', name, options)
      await page.goto(`${site.base}/soup`)
      await look(page, 'form')
      assert.equal(await page.getByLabel('Website').isVisible(), true, 'it is laid out, beside the window')
      const form = page.locator('form.comment-form').last()
      await form.getByLabel('Name').fill('Ann')
      // The browser takes this address, and the site does not.
      await form.getByLabel('E-mail').fill('ann@example')
      await form.getByLabel('Comment').fill('Lovely soup.\n\nI add a potato, see https://example.org/potato.')
      await form.getByRole('button', { name: 'Send comment' }).click()
      await page.getByText('This is no e-mail address.').waitFor()
      assert.match(await form.getByLabel('Comment').inputValue(), /^Lovely soup\.\n\nI add a potato/)
      await look(page, 'refused')
      await form.getByLabel('E-mail').fill('ann@example.org')
      await form.getByRole('button', { name: 'Send comment' }).click()
      await page.getByText('Thank you. Your comment is shown once it has been approved.').waitFor()
      await look(page, 'sent')

      await signInThere(admin, site)
      await look(admin, 'home')
      await admin.goto(`${site.base}/admin/comments`)
      await look(admin, 'waiting')
      await admin.getByRole('checkbox').first().check()
      await admin.getByRole('button', { name: 'Approve' }).click()
      await admin.getByText('Moderated comments').waitFor()
      await admin.goto(`${site.base}/admin/comments?status=approved`)
      await look(admin, 'approved')
      await admin.getByRole('link', { name: 'Ann', exact: true }).click()
      await admin.getByLabel('Your answer').fill('Thank you, Ann.')
      await admin.getByRole('button', { name: 'Answer' }).click()
      await admin.getByText('Commented on an entry').waitFor()
      await look(admin, 'one')

      await page.goto(`${site.base}/soup`)
      await page.getByText('Answer to Ann').click()
      const answer = page.locator('details form.comment-form')
      await answer.getByLabel('Name').fill('Ben')
      await answer.getByLabel('Comment').fill('A potato, really?')
      await look(page, 'answering')
      await answer.getByRole('button', { name: 'Send comment' }).click()
      await page.getByText('Thank you. Your comment').waitFor()
      assert.deepEqual(
        (await site.call('SVC_Comments.list', {})).items.map(({ name: by, status }: { name: string; status: string }) => [
          by,
          status,
        ]),
        [
          ['Ben', 'pending'],
          ['Owner', 'approved'],
          ['Ann', 'approved'],
        ],
      )
    } finally {
      await visitor.close()
      await owner.close()
    }
  })

for (const [name, options] of Object.entries(views))
  test(`a trusted writer confirms by mail, and another site is shown: ${name}`, { skip: noBrowser }, async () => {
    await using relay = await openRelay()
    await using site = await openSite()
    await site.call('SVC_Mail.set-relay', relayInput(relay, { site_url: site.base, per_minute: 1000 }))
    await site.call('SVC_Settings.update', { set: { comments: ['post'], comments_trusted: true, webmentions: true } })
    const { item } = await site.call('SVC_Content.create', {
      type: 'post',
      title: 'Leek soup',
      slug: 'soup',
      status: 'published',
      body: 'Peel the leeks.',
    })
    // Webmentions are fetched through the guard, which lets no receiver on this machine answer.
    await writeRows(
      site.home,
      `insert into comment (id, entry_id, state, name, website, body, source, created_at, updated_at, revision)
       values ('01k8zq4v6m3t5c9e2n7r1x0bfd', ?, 'pending', 'Kitchen notes', 'https://notes.example/leeks-in-winter', 'Leeks in winter', 'webmention', 1, 1, 1)`,
      [item.id],
    )
    const context = await openContext(browser, options)
    try {
      const page = await context.newPage()
      const look = (what: string) => lookAs('trusted', name, options)(page, what)
      const confirm = async (number: number) => {
        const mails = () => relay.taken.filter(({ to }) => to.includes('ann@example.org'))
        await until(`mail ${number}`, () => mails().length >= number)
        const found = /(\/confirm-comment\?link=[\w.~-]+)/.exec(readable(mails()[number - 1] ?? assert.fail()))
        await page.goto(`${site.base}${found?.[1]}`)
        await look(`link-${number}`)
        await page.getByRole('button').last().click()
      }
      const write = async (text: string) => {
        await page.goto(`${site.base}/soup`)
        const form = page.locator('form.comment-form').last()
        await form.getByLabel('Name').fill('Ann')
        await form.getByLabel('E-mail').fill('ann@example.org')
        await form.getByLabel('Comment').fill(text)
        await form.getByRole('button', { name: 'Send comment' }).click()
      }
      await write('Lovely soup.')
      await page.getByText('Thank you').first().waitFor()
      await look('sent')
      await confirm(1)
      await page.getByText('is shown once it has been approved').waitFor()
      await look('waits')
      await signInThere(page, site)
      await page.goto(`${site.base}/admin/comments`)
      await page.getByText('Leeks in winter').waitFor()
      await look('admin')
      for (const box of await page.getByRole('checkbox').all()) await box.check()
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Moderated comments').waitFor()
      await page.goto(`${site.base}/soup`)
      await page.getByText('Leeks in winter').waitFor()
      await look('page')
    } finally {
      await context.close()
    }
  })
