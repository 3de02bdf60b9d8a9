// The first hour, from an account to a site that visitors see: by mouse with script, and on a phone without it, in German.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { holdAccessible, noBrowser, openBrowser, openContext } from '../admin/chromium.ts'
import { openVisitor, ownersPassword, setUpLinkOf } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

/** Makes the account and comes to the first step. */
async function begin(page: Page, site: TestSite): Promise<void> {
  await page.goto(await setUpLinkOf(site))
  await page.fill('[name=name]', 'Anna Baker')
  await page.fill('[name=email]', 'anna@example.org')
  await page.fill('[name=password]', ownersPassword)
  await page.click('main button')
  await page.waitForURL(/\/admin\/start/)
}

async function hour(options: BrowserContextOptions, walk: (page: Page, site: TestSite) => Promise<void>): Promise<void> {
  await using site = await openSite({ bare: true })
  const browser = await openBrowser()
  try {
    await using context = await openContext(browser, { ...options, bypassCSP: options.javaScriptEnabled !== false })
    await walk(await context.newPage(), site)
  } finally {
    await browser.close()
  }
}

const visitors = async (site: TestSite, path: string) => (await site.send(path, { token: null })).text

test(
  'a baker has a site after three steps, goes back once, reloads once, and throws the examples away',
  { skip: noBrowser },
  () =>
    hour({ viewport: { width: 1280, height: 900 } }, async (page, site) => {
      await begin(page, site)
      await holdAccessible(page, 'the name')
      await page.click('text=Next')
      assert.match(page.url(), /start/, 'a site needs a name')
      await page.getByLabel('Name', { exact: true }).pressSequentially('Corner Bakery', { delay: 20 })
      await page.getByLabel('Tagline').fill('Bread from four to six')
      await page.click('main button')
      await page.waitForURL(/step=kind/)
      await holdAccessible(page, 'the kind')
      await page.locator('[value=manual]').check()
      await page.click('main button')
      await page.waitForURL(/step=look/)
      assert.match(await visitors(site, '/'), /Start here/)
      await page.goBack()
      await page.reload()
      await page.locator('[value=business]').check()
      await page.click('main button')
      await page.waitForURL(/step=look/)
      await holdAccessible(page, 'the look')
      assert.match(await visitors(site, '/'), /What you do, and for whom/)
      await page.setInputFiles('[name=logo]', {
        name: 'logo.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><circle cx="32" cy="32" r="30" fill="#b5651d"/></svg>',
        ),
      })
      const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#b5651d' } })
        .jpeg()
        .toBuffer()
      await page.getByLabel('Photo for the front page').setInputFiles({ name: 'oven.jpg', mimeType: 'image/jpeg', buffer: photo })
      await page.fill('[name=accent]', '#b5651d')
      await page.click('main button')
      await page.waitForURL(/\/admin\/\?done/)
      const home = await visitors(site, '/')
      assert.match(home, /Corner Bakery/)
      assert.match(home, /is-hero[^"]* with-picture/)
      assert.match(home, /logo[^"]*\.svg/)
      assert.match(home, /<a[^>]*href="[^"]*\/about"/)
      assert.equal((await site.send('/privacy', { token: null })).status, 404, 'the privacy page is a draft')
      assert.match(await page.innerText('main'), /What is left to do/)
      await holdAccessible(page, 'the home page of the admin')

      await page.getByRole('main').getByRole('link', { name: 'Contact' }).first().click()
      const text = page.locator('.cm-content')
      await text.click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('Ring twice, we are in the bakehouse.', { delay: 30 })
      await page
        .getByText(/^Saved/)
        .first()
        .waitFor()
      await page
        .getByRole('button', { name: /^Publish/ })
        .first()
        .click()
      await page.waitForLoadState()
      assert.match(await visitors(site, '/contact'), /Ring twice/)

      await page.goto(`${site.address}/admin/`)
      await page.getByRole('button', { name: 'Throw the 2 examples away' }).click()
      await page.waitForURL(/done/)
      assert.match(await visitors(site, '/contact'), /Ring twice/, 'what she changed stays')
      assert.doesNotMatch(await visitors(site, '/'), /What you do/, 'a photo alone makes no page of her own')
      assert.equal((await site.send('/about', { token: null })).status, 404)
      assert.ok(!(await page.innerText('main')).includes('Example pages'))
      await page.getByRole('button', { name: 'Put this list away' }).click()
      await page.waitForURL(/done/)
      assert.ok(!(await page.innerText('main')).includes('What is left to do'))
    }),
)

test('on a phone without script, in German', { skip: noBrowser }, () =>
  hour(
    { viewport: { width: 390, height: 844 }, javaScriptEnabled: false, hasTouch: true, locale: 'de-DE' },
    async (page, site) => {
      await begin(page, site)
      await page.fill('[name=site_title]', 'Annas Notizen')
      await page.click('main button.primary')
      await page.check('[value=blog]')
      await page.click('main button.primary')
      await page.click('main button.primary')
      await page.waitForURL(/\/admin\/\?done/)
      const home = await visitors(site, '/')
      assert.match(home, /<html lang="de"/)
      assert.match(home, /Das ist ein Beispiel/)
      assert.match(await page.innerText('main'), /Was noch zu tun ist/)
      await page.click('text=Beispiele wegwerfen')
      await page.waitForURL(/done/)
      assert.ok(!(await visitors(site, '/')).includes('Das ist ein Beispiel'))
    },
  ),
)

test('a site with entries of its own does not begin again, and says so in the form', async () => {
  await using site = await openSite()
  await openVisitor(site).signIn()
  await site.call('SVC_Content.create', { type: 'page', title: 'Ours', status: 'published' })
  const refused = await site.api('SVC_Site.begin', { kind: 'blog' })
  assert.match(refused.text, /The site has entries already, such as \\"Ours\\"/)
  assert.match((await site.api('SVC_Site.remove-examples', {})).text, /There are no example pages/)
})

test('a site that begins again as another kind has the menu and the examples of that kind', async () => {
  await using site = await openSite()
  await site.call('SVC_Site.begin', { kind: 'business' })
  await site.call('SVC_Site.begin', { kind: 'blog' })
  const { items: menus } = await site.call('SVC_Menus.list', {})
  assert.equal(menus.length, 1)
  const { shown } = await site.call('SVC_Menus.get', { id: menus[0].id })
  assert.deepEqual(
    shown.map(({ url }: { url: string }) => url),
    ['/about'],
  )
  const { removed, kept } = await site.call('SVC_Site.remove-examples', {})
  assert.equal(removed.length, 2)
  assert.deepEqual(kept, [])
})

test('examples that a batch made are examples too, and one that somebody changed is not', async () => {
  await using site = await openSite()
  const calls = [{ action: 'SVC_Site.begin', arguments: { kind: 'business' } }]
  await site.call('SVC_API.batch', { calls })
  await site.call('SVC_Content.update', { id: '/about', title: 'Ours' })
  const { removed, kept } = await site.call('SVC_Site.remove-examples', {})
  assert.deepEqual(
    kept.map(({ title }: { title: string }) => title),
    ['Ours'],
  )
  assert.ok(removed.every(({ path }: { path: string }) => path !== '/about'))
})

test('one undo takes a beginning back whole', async () => {
  await using site = await openSite()
  const { activity_id: id, pages } = await site.call('SVC_Site.begin', { kind: 'business', locale: 'de' })
  assert.deepEqual(pages, ['/willkommen', '/ueber-uns', '/kontakt'])
  await site.call('SVC_Activity.undo', { ids: [id] })
  assert.equal((await site.call('SVC_Content.list', {})).items.length, 0)
  assert.equal((await site.call('SVC_Menus.list', {})).items.length, 0)
  const { items } = await site.call('SVC_Settings.list', { group: 'reading' })
  assert.equal(items.find(({ key }: { key: string }) => key === 'home').value, null)
})
