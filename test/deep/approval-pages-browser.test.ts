// Proposals with one's eyes, in a browser: a page before and after, marked, and as source; the next one that waits; and what a
// visitor sees in the end. On a phone and on a desktop, with and without script.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext, picture, signInThere } from '../admin/chromium.ts'
import { openVisitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let browser: Browser | undefined
let asking: string
before(async () => {
  site = await openSite()
  await openVisitor(site).signIn()
  const made = await site.call('SVC_Tokens.create', { name: 'Draft helper', scope: 'admin', limits: { ask: ['*'] } })
  asking = (made as { token: string }).token
  browser = noBrowser === false ? await openBrowser() : undefined
})
after(async () => {
  await browser?.close()
  await site[Symbol.asyncDispose]()
})

const propose = async (action: string, input: object): Promise<string> =>
  (await site.api(action, { ...input }, { token: asking })).json.data.proposal.id
const publish = async (title: string, body: string): Promise<{ id: string; path: string }> =>
  (await site.call('SVC_Content.create', { type: 'page', title, body, status: 'published' })).item
const seen = async (path: string): Promise<string> => (await site.send(path, { token: null })).text

async function open(width: number, options: object = {}): Promise<BrowserContext> {
  const context = await openContext(browser as Browser, { viewport: { width, height: 900 }, bypassCSP: true, ...options })
  context.setDefaultTimeout(120_000)
  return context
}

/** The words of the frame of one view, if people see it. */
async function wordsIn(page: Page, view: string): Promise<string | undefined> {
  const frame = page.locator(`.of-${view} iframe`).first()
  if (!(await frame.isVisible())) return undefined
  await frame.scrollIntoViewIfNeeded()
  const body = frame.contentFrame().locator('main, body').first()
  await body.waitFor()
  return body.innerText()
}

const views = ['before', 'after', 'marked'] as const
const shown = async (page: Page) => Promise.all(views.map(async (view) => (await wordsIn(page, view)) !== undefined))

const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).first().click()

const text = 'We bake bread.\n\n- Rolls\n- Cake\n\nOpen from **nine** on Mondays.'

for (const width of [390, 1280])
  for (const javaScriptEnabled of [true, false])
    test(
      `a change of a page at ${width} pixels ${javaScriptEnabled ? 'with' : 'without'} script: looked at in each view, accepted, and seen by a visitor`,
      { skip: noBrowser },
      async () => {
        const name = `Hours ${width} ${javaScriptEnabled}`
        const { id, path } = await publish(name, text)
        const edits = [
          { find: 'nine', replace: 'ten' },
          { find: '- Cake\n', replace: '' },
        ]
        const proposal = await propose('SVC_Content.edit', { id, edits })
        await using context = await open(width, { javaScriptEnabled })
        const page = await context.newPage()
        await signInThere(page, site)
        await page.goto(`${site.base}/admin/approvals?id=${proposal}`)

        assert.deepEqual(await shown(page), [false, false, true], 'the differences come first')
        const isWide = width >= 992
        await choose(page, isWide ? 'Before and after' : 'After')
        assert.match((await wordsIn(page, 'after')) ?? '', /Open from ten on Mondays/)
        assert.deepEqual(await shown(page), [isWide, true, false], 'side by side where there is room')
        if (!isWide) await choose(page, 'Before')
        assert.match((await wordsIn(page, 'before')) ?? '', /Cake[^]*Open from nine on Mondays/)
        await picture(page, `seen-${width}-${javaScriptEnabled}`)
        if (javaScriptEnabled) await holdAccessible(page, 'a proposal as pages')

        await choose(page, 'Changes marked')
        assert.deepEqual(await shown(page), [false, false, true])
        const marked = page.locator('.of-marked iframe').first().contentFrame()
        assert.deepEqual(await marked.locator('del').allInnerTexts(), ['Cake', 'nine'])
        assert.deepEqual(await marked.locator('ins').allInnerTexts(), ['ten'])
        await picture(page, `marked-${width}-${javaScriptEnabled}`)

        await choose(page, 'Source')
        assert.deepEqual(await shown(page), [false, false, false])
        assert.match(await page.locator('.of-source').first().innerText(), /\*\*ten\*\*/)
        await picture(page, `source-${width}-${javaScriptEnabled}`)

        assert.match(await seen(path), /nine/)
        await page.getByRole('button', { name: 'Accept', exact: true }).click()
        await page.waitForURL(/approvals\?done=/)
        assert.match(await seen(path), /Open from <strong>ten<\/strong> on Mondays/)
      },
    )

test('by keyboard alone: the arrows choose a view, and the next proposal is a link away', { skip: noBrowser }, async () => {
  const ids: string[] = []
  for (const name of ['One', 'Two', 'Three']) {
    const { id } = await publish(`Way ${name}`, 'Old words.')
    ids.push(await propose('SVC_Content.update', { id, body: `New words ${name}.` }))
  }
  await using context = await open(1280)
  const page = await context.newPage()
  await signInThere(page, site)
  await page.goto(`${site.base}/admin/approvals?id=${ids[1]}`)
  assert.match(await page.innerText('.neighbours'), /2 of 3 waiting/)
  await page.locator('.views input[value=marked]').focus()
  await page.keyboard.press('ArrowRight')
  assert.deepEqual(await shown(page), [true, true, false])
  await page.getByRole('link', { name: 'Next' }).press('Enter')
  await page.getByText('New words One').first().waitFor({ state: 'attached' })
  assert.match(page.url(), new RegExp(`id=${ids[0]}`))
  await page.getByRole('link', { name: 'Previous' }).press('Enter')
  await page.waitForURL(new RegExp(`id=${ids[1]}`))
  await page.getByRole('link', { name: 'Previous' }).press('Enter')
  await page.waitForURL(new RegExp(`id=${ids[2]}`))
  assert.equal(await page.getByRole('link', { name: 'Previous' }).count(), 0, 'the newest is the first')
  for (const id of ids) await site.call('SVC_Proposals.reject', { id })
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [390, 1280])
    test(
      `the change of a page that waits, at ${width} pixels, ${colorScheme}: compared as pages and published`,
      { skip: noBrowser },
      async () => {
        const { id, path } = await publish(`Staged ${width} ${colorScheme}`, text)
        await site.call('SVC_Content.update', { id, body: text.replace('nine', 'eleven'), stage: true })
        await using context = await open(width, { colorScheme, locale: colorScheme === 'dark' ? 'de' : 'en' })
        const page = await context.newPage()
        await page.goto(`${site.base}/admin/sign-in`)
        await page.fill('[name=email]', 'owner@example.org')
        await page.fill('[name=password]', 'correct horse battery staple')
        await page.click('main form button')
        await page.waitForURL(/\/admin\/$/)
        await page.goto(`${site.base}/admin/content/revisions?id=${id}&from=live&to=staged`)
        assert.match((await wordsIn(page, 'marked')) ?? '', /nine\s*eleven/)
        await page.locator('.view-after input').click()
        assert.match((await wordsIn(page, 'after')) ?? '', /Open from eleven/)
        await page.locator('.view-marked input').click()
        await picture(page, `waiting-${width}-${colorScheme}`)
        await holdAccessible(page, 'a change that waits')
        await page.click('button[value=publish]')
        await page.waitForURL(/done=/)
        assert.match(await seen(path), /eleven/)
      },
    )
