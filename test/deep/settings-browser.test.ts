// The pages of settings, as people use them: they type, forget to save, are told, save, and find a setting by an everyday word.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext, signInThere } from '../admin/chromium.ts'
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

test(
  'what is not saved is told at the button and before the page is left, and never after saving',
  { skip: noBrowser },
  async () => {
    await using context = await openContext(browser as Browser, { viewport: { width: 1280, height: 900 }, bypassCSP: true })
    const page = await context.newPage()
    await signInThere(page, site)
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await page.goto(`${site.address}/admin/settings`)
    await holdAccessible(page, 'the settings of the site')
    const told = page.getByText('Not saved yet')
    assert.equal(await told.isVisible(), false)
    await page.getByLabel('Name', { exact: true }).fill('')
    await page.getByLabel('Name', { exact: true }).pressSequentially('Corner Bakery', { delay: 40 })
    await told.waitFor()
    await page.getByRole('link', { name: 'Technical' }).click()
    assert.deepEqual(asked, ['beforeunload'])
    assert.match(page.url(), /settings/, 'the person stays')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/done/)
    assert.equal(await told.isVisible(), false)
    await page.getByRole('link', { name: 'Writing and reading' }).click()
    await page.waitForURL(/page=content/)
    await page.goBack()
    assert.deepEqual(asked, ['beforeunload'])
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Corner Bakery')
  },
)

for (const [word, field, address] of [
  ['colour', 'Colour of links and buttons', /setting-accent/],
  ['favicon', 'Icon of the site', /page=site#f-site_icon/],
  ['clock', 'Time Zone', /page=site#f-time_zone/],
  ['front page', 'Home Page', /page=content#f-home/],
] as const)
  test(`the search of the admin finds a setting by “${word}”`, async () => {
    const visitor = openVisitor(site)
    await visitor.signIn()
    const { text } = await visitor.open(`/admin/search?q=${encodeURIComponent(word)}`)
    const links = [...text.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href = '', label = '']) => ({ href, label }))
    const found = links.find(({ href }) => address.test(href))
    assert.ok(found, `${field}: ${JSON.stringify(links)}`)
  })

test('an address without a scheme becomes one of the web in a menu, without script', async () => {
  const visitor = openVisitor(site)
  await visitor.signIn()
  const { item } = await site.call('SVC_Menus.create', { slug: 'links', name: 'Links', items: [] })
  const page = await visitor.open(`/admin/menus/edit?id=${item.id}`)
  const form = page.forms.find(({ controls }) => controls.some(({ name }) => name === 'url'))
  assert.ok(form)
  await visitor.submit(form, { url: 'example.org/bread', label: 'Bread' })
  const { item: after } = await site.call('SVC_Menus.get', { id: 'links' })
  assert.equal(after.items[0].url, 'https://example.org/bread')
})
