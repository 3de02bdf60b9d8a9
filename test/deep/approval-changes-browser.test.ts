// Accepting a part of a proposal, or one that a person has edited, in a browser: the changed version is a proposal of that person,
// which is shown again before anything is done. The work stays under the assistant's name, and is undone in one go.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext, picture, signInThere } from '../admin/chromium.ts'
import { openVisitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let browser: Browser | undefined
before(async () => {
  site = await openSite()
  await openVisitor(site).signIn()
  browser = noBrowser === false ? await openBrowser() : undefined
})
after(async () => {
  await browser?.close()
  await site[Symbol.asyncDispose]()
})

/** An assistant that asks first. */
async function openHelper(name: string) {
  const made = await site.call('SVC_Tokens.create', { name, scope: 'admin', limits: { ask: ['*'] } })
  const { token, item } = made as unknown as { token: string; item: { id: string } }
  const propose = async (action: string, input: object): Promise<string> => {
    const { json, text } = await site.api(action, { ...input }, { token })
    assert.equal(json.data?.pending, true, text)
    return json.data.proposal.id
  }
  return { token, id: item.id, propose }
}

const publish = async (title: string, body: string): Promise<{ id: string; path: string }> =>
  (await site.call('SVC_Content.create', { type: 'page', title, body, status: 'published' })).item
const seen = async (path: string): Promise<string> => (await site.send(path, { token: null })).text
const stateOf = async (id: string): Promise<string> => (await site.call('SVC_Proposals.get', { id })).item.state

/** An undone acceptance waits again. */
async function refuseAll(): Promise<void> {
  const { items } = await site.call('SVC_Proposals.list', { where: { state: 'waiting' } })
  for (const { id } of items) await site.call('SVC_Proposals.reject', { id })
}

async function open(width: number, options: object = {}): Promise<BrowserContext> {
  const context = await openContext(browser as Browser, { viewport: { width, height: 900 }, bypassCSP: true, ...options })
  context.setDefaultTimeout(120_000)
  return context
}

for (const width of [390, 1280])
  for (const javaScriptEnabled of [true, false])
    test(
      `some fields accepted, and a text edited, at ${width} pixels ${javaScriptEnabled ? 'with' : 'without'} script; then the whole afternoon is undone`,
      { skip: noBrowser },
      async () => {
        const name = `${width} ${javaScriptEnabled}`
        const helper = await openHelper(`Draft helper ${name}`)
        const { id, path } = await publish(`Prices ${name}`, 'A loaf costs three.')
        const first = await helper.propose('SVC_Content.update', {
          id,
          title: `Cheap prices ${name}`,
          body: 'A loaf costs two.',
          excerpt: 'Only today',
        })
        await using context = await open(width, { javaScriptEnabled })
        const page = await context.newPage()
        await signInThere(page, site)
        await page.goto(`${site.base}/admin/approvals?id=${first}`)
        await page.getByRole('link', { name: 'Choose or edit…' }).click()
        await page.getByRole('checkbox', { name: 'Title' }).uncheck()
        await page.getByRole('textbox', { name: 'New: Text' }).fill('A loaf costs two and a half.')
        await picture(page, `change-${width}-${javaScriptEnabled}`)
        if (javaScriptEnabled) await holdAccessible(page, 'the page that changes a proposal')
        await page.getByRole('button', { name: 'Try it and show me' }).click()

        await page.getByText('This is your version. Nothing has been done yet').waitFor()
        assert.match(await page.innerText('main'), /Proposed by Owner/)
        assert.match(await seen(path), /A loaf costs three\./, 'nothing is done yet')
        assert.equal(await stateOf(first), 'replaced')
        await page.locator('.view-after input').first().click()
        const frame = page.locator('.of-after iframe').first()
        await frame.scrollIntoViewIfNeeded()
        await frame.contentFrame().getByText('A loaf costs two and a half.').first().waitFor()
        await picture(page, `changed-${width}-${javaScriptEnabled}`)
        await page.getByRole('button', { name: 'Accept', exact: true }).click()
        await page.waitForURL(/approvals\?done=/)
        const shown = await seen(path)
        assert.match(shown, /A loaf costs two and a half\./)
        assert.ok(!shown.includes('Cheap prices'), 'the title that was left out stays')

        const whole = await helper.propose('SVC_Content.create', { type: 'page', title: `Offer ${name}`, status: 'published' })
        await page.goto(`${site.base}/admin/approvals?id=${whole}`)
        await page.getByRole('button', { name: 'Accept', exact: true }).click()
        await page.waitForURL(/approvals\?done=/)

        await page.goto(`${site.base}/admin/content/revisions?id=${id}`)
        assert.match(
          (await page.locator('tbody tr').first().textContent()) ?? '',
          new RegExp(`Draft helper ${name}, accepted by Owner`),
        )
        await page.goto(`${site.base}/admin/activity?token=${helper.id}`)
        assert.match(await page.innerText('main'), new RegExp(`Draft helper ${name}, accepted by Owner`))
        await picture(page, `afternoon-${width}-${javaScriptEnabled}`)
        if (javaScriptEnabled) await holdAccessible(page, 'the activity of one assistant')
        await page.getByRole('link', { name: /^Undo everything since/ }).click()
        await page.getByRole('button', { name: /Undo 2 changes/ }).click()
        await page.waitForURL(/activity\?done=/)
        assert.match(await seen(path), /A loaf costs three\./)
        assert.equal((await site.send(`/offer-${width}-${javaScriptEnabled}`, { token: null })).status, 404)
      },
    )

for (const width of [390, 1280])
  test(
    `one of two steps, and one of two edits, at ${width} pixels; the number that waits is on every page`,
    { skip: noBrowser },
    async () => {
      await refuseAll()
      const helper = await openHelper(`Two steps ${width}`)
      const { id, path } = await publish(`Steps ${width}`, 'Bread and rolls.')
      const batch = await site.api(
        'SVC_API.batch',
        {
          calls: [
            { action: 'SVC_Settings.update', arguments: { set: { site_tagline: `Unwanted ${width}` } } },
            {
              action: 'SVC_Content.edit',
              arguments: {
                id,
                edits: [
                  { find: 'Bread', replace: 'Cake' },
                  { find: 'rolls', replace: 'buns' },
                ],
              },
            },
          ],
        },
        { token: helper.token },
      )
      await using context = await open(width, { colorScheme: 'dark' })
      const page = await context.newPage()
      await signInThere(page, site)
      for (const place of ['/admin/', '/admin/media', '/admin/settings', '/admin/account']) {
        await page.goto(site.base + place)
        assert.match(await page.title(), /^\(1\) /)
        const link = page.getByRole('link', { name: '1 proposal waits' })
        assert.ok(await link.isVisible(), place)
      }
      await picture(page, `waits-${width}`)
      await holdAccessible(page, 'a page with the number that waits')
      await page.getByRole('link', { name: '1 proposal waits' }).click()
      await page.getByRole('link', { name: batch.json.data.proposal.title }).or(page.locator('main .lines a')).first().click()
      await page.getByRole('checkbox', { name: /^1\./ }).uncheck()
      await page.getByRole('button', { name: 'Accept', exact: true }).click()
      await page.getByText('This is your version. Nothing has been done yet').waitFor()
      assert.match(await seen(path), /Bread and rolls/)
      await page.getByRole('link', { name: 'Choose or edit…' }).click()
      await page.getByRole('checkbox', { name: 'Change 2 of the text' }).uncheck()
      await picture(page, `edits-${width}`)
      await holdAccessible(page, 'the edits of a text')
      await page.getByRole('button', { name: 'Try it and show me' }).click()
      await page.getByText('This is your version. Nothing has been done yet').waitFor()
      await page.getByRole('button', { name: 'Accept', exact: true }).click()
      await page.waitForURL(/approvals\?done=/)
      assert.match(await seen(path), /Cake and rolls/)
      assert.notEqual((await site.call('SVC_Settings.list', {})).settings?.site_tagline, `Unwanted ${width}`)
      assert.equal(await page.getByRole('link', { name: /proposals? waits?$/ }).count(), 0)
      const [record] = (await site.call('SVC_Activity.list', { where: { token: helper.id, call: 'SVC_Proposals.approve' } }))
        .items
      assert.deepEqual([record.token_name, record.accepted_by], [`Two steps ${width}`, 'Owner'], 'through two versions')
    },
  )

for (const locale of ['en', 'de'])
  test(`the page of a token says in words what it may do (${locale})`, { skip: noBrowser }, async () => {
    const helper = await openHelper(`Asks ${locale}`)
    await using context = await open(390, { locale })
    const page = await context.newPage()
    await page.goto(`${site.base}/admin/sign-in`)
    await page.fill('[name=email]', 'owner@example.org')
    await page.fill('[name=password]', 'correct horse battery staple')
    await page.click('main form button')
    await page.waitForURL(/\/admin\/$/)
    await page.goto(`${site.base}/admin/tokens/token?id=${helper.id}`)
    await picture(page, `token-${locale}`)
    await holdAccessible(page, 'the page of a token')
    const first = await page.locator('.rights li').first().innerText()
    assert.match(first, locale === 'en' ? /^It asks first for everything/ : /^Fragt vor jeder Änderung zuerst/)
  })
