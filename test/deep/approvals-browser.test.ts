// Approvals in a browser, on a phone and on a desktop: what several proposals change is shown before they are accepted, a
// proposal that moved says so, and an undo that asks for a proof keeps what was to be done.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext, picture } from '../admin/chromium.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openVisitor, ownersPassword } from '../admin/visitor.ts'
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

const propose = async (title: string, calls: readonly object[]): Promise<string> =>
  (await site.call('SVC_Proposals.create', { title, calls, note: 'As you asked.' })).item.id

/** Signs the owner in, in any language. */
async function signIn(page: Page): Promise<void> {
  await page.goto(`${new URL(site.base).origin}/admin/sign-in`)
  await page.fill('[name=email]', 'owner@example.org')
  await page.fill('[name=password]', ownersPassword)
  await page.click('main form button')
  await page.waitForURL(/\/admin\/$/)
}

for (const width of [390, 1280])
  test(`approvals at ${width} pixels`, { skip: noBrowser }, async () => {
    const { item } = await site.call('SVC_Content.create', { type: 'page', title: `Hours ${width}`, body: 'Mondays' })
    const moves = await propose('Small fix', [
      { action: 'SVC_Content.get', arguments: { id: item.id } },
      { action: 'SVC_Content.update', arguments: { id: '$0.item.id', body: 'Mondays\n\nSundays', excerpt: 'Open' } },
      { action: 'SVC_Settings.update', arguments: { set: { site_tagline: `Proposed ${width}` } } },
    ])
    const adds = await propose('Another', [
      { action: 'SVC_Content.create', arguments: { type: 'page', title: `Sundays ${width}` } },
    ])
    await site.call('SVC_Settings.update', { set: { site_tagline: `Somebody else ${width}` } })
    const somebody = await site.call('SVC_Accounts.create', { email: `d${width}@example.org`, name: 'D', role: 'admin' })
    const demotion = await site.call('SVC_Accounts.update', { id: somebody.item.id, role: 'read' })
    await using context = await openContext(browser as Browser, { viewport: { width, height: 900 }, bypassCSP: true })
    const page = await context.newPage()
    const here = new URL(site.base).origin
    await signIn(page)

    await page.goto(`${here}/admin/approvals?id=${moves}`)
    await picture(page, `approval-${width}`)
    await holdAccessible(page, 'a proposal that moved')
    assert.match(await page.innerText('main'), /This is out of date/)
    assert.match(await page.innerText('main'), new RegExp(`Hours ${width}`), 'the object is named')

    await page.goto(`${here}/admin/approvals?all=yes`)
    await page.click('button[value=approve]')
    await page.waitForSelector('input[name=shown]', { state: 'attached' })
    await picture(page, `approvals-${width}`)
    await holdAccessible(page, 'several proposals')
    await page.click('button[value=approve]')
    await page.waitForSelector('text=Decided: 1')
    assert.equal((await site.call('SVC_Proposals.get', { id: adds })).item.state, 'approved')
    await site.call('SVC_Proposals.reject', { id: moves })

    await page.goto(`${here}/admin/activity/take-back?ids=${demotion.activity_id}`)
    await editRows(site.home, 'update session set authenticated_at = 0')
    await page.click('main form button')
    await page.waitForSelector('main [name=password]')
    await picture(page, `proof-${width}`)
    await holdAccessible(page, 'the page that asks for a proof')
    await page.fill('main [name=password]', ownersPassword)
    await page.click('main form:has([name=password]) button')
    await page.waitForSelector('text=Send it now')
    await picture(page, `kept-${width}`)
    await page.click('main form button')
    await page.waitForURL(/activity\?done=/)
    assert.equal((await site.call('SVC_Accounts.get', { id: somebody.item.id })).item.role, 'admin')
  })

for (const width of [390, 1280])
  for (const colorScheme of ['light', 'dark'] as const)
    test(
      `a joined proposal at ${width} pixels, ${colorScheme}: its steps in order, in both languages`,
      { skip: noBrowser },
      async () => {
        const name = `${width} ${colorScheme}`
        const made = await site.call('SVC_Tokens.create', { name: `Helper ${name}`, scope: 'admin', limits: { ask: ['*'] } })
        const token = (made as { token: string }).token
        const send = async (call: string, input: object) => (await site.api(call, { ...input }, { token })).json.data.proposal
        const { id, makes } = await send('SVC_Content.create', {
          type: 'page',
          title: `Bakery ${name}`,
          body: 'Bread.\n\nRolls.',
        })
        await send('SVC_Content.edit', { id: makes[0].id, edits: [{ find: 'Rolls', replace: 'Rolls and cake' }] })
        await send('SVC_Menus.create', {
          slug: `bakery-${width}-${colorScheme}`,
          name: 'Bakery',
          items: [{ entry: makes[0].id }],
        })
        const last = await send('SVC_Content.publish', { id: makes[0].path })
        assert.deepEqual([last.id, last.calls], [id, 4])
        const here = new URL(site.base).origin
        for (const locale of ['en', 'de']) {
          await using context = await openContext(browser as Browser, {
            viewport: { width, height: 900 },
            colorScheme,
            locale,
            bypassCSP: true,
          })
          const page = await context.newPage()
          await signIn(page)
          await page.goto(`${here}/admin/approvals?id=${id}`)
          await picture(page, `steps-${width}-${colorScheme}-${locale}`)
          await holdAccessible(page, 'a joined proposal')
          const steps = (await page.locator('fieldset .choice').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())
          const expected = {
            en: ['1. Create “Bakery', '2. Change the text of “Bakery', '3. Create the menu “Bakery”', '4. Publish “Bakery'],
            de: ['1. „Bakery', '2. Text von „Bakery', '3. Menü „Bakery“', '4. „Bakery'],
          }[locale as 'en' | 'de']
          assert.equal(steps.length, 4)
          for (const [place, words] of expected.entries()) assert.ok(steps[place]?.startsWith(words), steps.join(' | '))
          if (locale === 'en') continue
          await page.click('button[value=approve]')
          await page.waitForURL(/approvals\?done=/)
          await page.goto(`${here}/admin/approvals?id=${id}`)
          assert.equal(await page.locator('main ol > li').count(), 4, 'the steps stay to be seen')
        }
        assert.equal((await site.call('SVC_Content.get', { id: makes[0].path })).item.status, 'published')
      },
    )
