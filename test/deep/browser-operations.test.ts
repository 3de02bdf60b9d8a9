// The pages for running a site, in a real browser: plugins with one that was quarantined, the log, skills, maintenance. axe finds nothing
// on any of them, and none is wider than its window.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext, picture } from '../admin/chromium.ts'
import { ownersPassword } from '../admin/visitor.ts'
import { isDeep } from '../deep-run.ts'
import { addPlugins, until } from '../plugin-site.ts'
import { openSite, type TestSite } from '../site.ts'

let browser: Browser
before(async () => {
  if (noBrowser === false) browser = await openBrowser()
})
after(async () => {
  if (noBrowser === false) await browser.close()
})

const views = [
  { name: 'desktop', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'phone', width: 390, height: 844, colorScheme: 'dark' },
] as const

/** A site on which something happened on each of the pages. */
async function fill(site: TestSite): Promise<void> {
  await addPlugins(site, 'useful', 'trouble')
  for (let times = 0; times < 3; times++) await site.api('TROUBLE_Maker.make', { how: 'exit' })
  await until(
    'it is quarantined',
    async () => (await site.call('SVC_Plugins.get', { id: 'trouble' })).item.state === 'quarantined',
  )
  await site.call('SVC_Skills.put', { slug: 'house-style', when: 'Writing anything', text: '# How we write\n\nShort sentences.' })
}

async function signIn(page: Page, site: TestSite): Promise<void> {
  await page.goto(`${site.base}/admin/`)
  await page.getByLabel('E-mail').fill('owner@example.org')
  await page.getByLabel('Password').fill(ownersPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The view in which most can go wrong; a deep run looks at both. */
const usual: readonly string[] = ['phone']

for (const { name, width, height, colorScheme } of views.filter((view) => isDeep || usual.includes(view.name))) {
  test(`an owner looks after plugins, the log, skills and maintenance: ${name}`, { skip: noBrowser }, async () => {
    await using site = await openSite()
    await fill(site)
    const context = await openContext(browser, { viewport: { width, height }, colorScheme })
    try {
      const page = await context.newPage()
      const look = async (what: string) => {
        await picture(page, `${name}-${what}`)
        await holdAccessible(page, `${what}, ${name}`)
      }
      await signIn(page, site)
      await look('home-with-warnings')
      assert.match(await page.content(), /The plugin Trouble is quarantined\./)
      await page.goto(`${site.base}/admin/plugins`)
      await look('plugins')
      await page.goto(`${site.base}/admin/logs`)
      await look('logs')
      await page.goto(`${site.base}/admin/skills`)
      await look('skills')
      await page.goto(`${site.base}/admin/maintenance`)
      await look('maintenance-off')
      await site.call('SVC_Settings.maintenance', { on: true, message: 'Back at noon.' })
      await page.goto(`${site.base}/admin/maintenance`)
      await look('maintenance-on')
      await page.goto(`${site.base}/`)
      await look('closed')
      assert.match(await page.content(), /Back at noon\./)
    } finally {
      await context.close()
    }
  })
}
