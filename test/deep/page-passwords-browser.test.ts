// A page with a password by hand: the owner sets it in the editor, a visitor without script types it, the list and the menu say what
// visitors see, and the owner removes it again.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, phone, picture, signInThere } from '../admin/chromium.ts'
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

test('a password from the editor to a visitor and back', { skip: noBrowser }, async () => {
  const { item } = await site.call('SVC_Content.create', {
    type: 'page',
    title: 'For members',
    status: 'published',
    body: 'The cellar key hangs behind the door.',
  })
  const owner = await openContext(browser as Browser, { ...desktop, bypassCSP: true })
  const page = await owner.newPage()
  await signInThere(page, site)
  await page.goto(`${site.base}/admin/content/edit?id=${item.id}`)
  await page.getByLabel('Password', { exact: true }).fill('cellar')
  await picture(page, 'editor-password')
  // Nothing on the device has it, though the script keeps what is typed.
  await page.getByLabel('Title', { exact: true }).fill('For our members')
  await page.waitForTimeout(3000)
  assert.ok(!String(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).includes('cellar"'))
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await picture(page, 'after-publish')
  await page.getByText('Visitors type a password to read this').waitFor({ timeout: 15000 })
  assert.equal((await site.call('SVC_Content.get', { id: item.id })).item.title, 'For our members')
  assert.ok(!(await page.content()).includes('cellar"'))

  for (const [name, options] of [
    ['phone', { ...phone, javaScriptEnabled: false }],
    ['desktop-dark', { ...desktop, javaScriptEnabled: false, colorScheme: 'dark' as const }],
  ] as const) {
    const visitor = await openContext(browser as Browser, options)
    const at = await visitor.newPage()
    await at.goto(`${site.base}/for-members`)
    assert.ok(!(await at.content()).includes('behind the door'))
    await picture(at, `locked-${name}`)
    await at.getByLabel('Password').fill('wrong')
    await at.getByRole('button', { name: 'Open the page' }).click()
    await at.getByRole('alert').waitFor()
    await picture(at, `locked-wrong-${name}`)
    await at.getByLabel('Password').fill('cellar')
    await at.keyboard.press('Enter')
    await at.getByText('behind the door').waitFor()
    await at.reload()
    await at.getByText('behind the door').waitFor()
    await picture(at, `unlocked-${name}`)
    await visitor.close()
  }

  await site.call('SVC_Content.create', { type: 'page', title: 'Not yet', body: 'Soon.' })
  const { item: menu } = await site.call('SVC_Menus.create', {
    slug: 'top',
    name: 'Top',
    location: 'main',
    items: [{ entry: '/for-members' }, { entry: '/not-yet' }],
  })
  await page.goto(`${site.base}/admin/menus/edit?id=${menu.id}`)
  await page.getByText('Draft, visitors don’t see it').waitFor()
  await holdAccessible(page, 'the menu')
  await picture(page, 'menu')
  await page.getByLabel('Location', { exact: true }).selectOption({ label: 'Footer menu' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Shown at the location').waitFor()
  assert.equal((await site.call('SVC_Menus.get', { id: menu.id })).item.location, 'footer')
  const shown = (await site.send('/', { token: null })).text
  assert.ok(shown.includes('For our members') && !shown.includes('Not yet'))

  await site.call('SVC_Content.update', { id: item.id, body: 'New words', stage: true })
  await page.goto(`${site.base}/admin/content?show=waiting`)
  await page
    .getByRole('row', { name: /For our members/ })
    .getByText('Change waiting')
    .first()
    .waitFor()
  await picture(page, 'list')
  await page.goto(`${site.base}/admin/content/edit?id=${item.id}`)
  await page.getByLabel('Remove the password').check()
  await page.getByRole('button', { name: 'Save for later' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
  assert.match((await site.send('/for-members', { token: null })).text, /behind the door/)
})
