// The editor on a phone, with script: somebody types, loses the connection, comes back, and closes the page without one. No word is lost.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext, picture, signInThere } from '../admin/chromium.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let browser: Browser
let site: TestSite
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true } as const
const bodyOf = async (id: string): Promise<string> => (await site.call('SVC_Content.get', { id })).item.body as string

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Text', exact: true }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

test(
  'what is typed on a phone is saved by itself, and kept on the device without a connection',
  { skip: noBrowser },
  async () => {
    const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Diary', body: '- first' })
    const id = item.id as string
    const context = await openContext(browser, phone)
    const refused: string[] = []
    try {
      const page = await context.newPage()
      page.on('console', (message) => void (/content security policy/i.test(message.text()) && refused.push(message.text())))
      await signInThere(page, site)
      await page.goto(`${site.base}/admin/content/edit?id=${id}`)
      await type(page, '\nsecond')
      await until('the list went on and was saved', async () => (await bodyOf(id)) === '- first\n- second')
      await holdAccessible(page, 'the editor')
      await picture(page, 'editor-phone')
      await context.setOffline(true)
      await type(page, '\nthird')
      await page.getByText('There is no connection. Your text is kept on this device.').waitFor()
      await context.setOffline(false)
      await until('the words came after', async () => (await bodyOf(id)).endsWith('- third'))
      await context.setOffline(true)
      await type(page, '\nfourth')
      await page.getByText('There is no connection.').waitFor()
      await page.close()
      await context.setOffline(false)
      const again = await context.newPage()
      await again.goto(`${site.base}/admin/content/edit?id=${id}`)
      await again.getByRole('button', { name: 'Use it' }).click()
      await until('the kept words are saved', async () => (await bodyOf(id)).endsWith('- fourth'))
      await again.keyboard.press('Control+Enter')
      await again.locator('.notice.done', { hasText: 'Published.' }).waitFor()
      assert.equal((await site.call('SVC_Content.get', { id })).item.status, 'published')
      assert.equal((await site.call('SVC_Content.revisions', { id })).items.length, 3, 'all autosaves are one revision')
      assert.deepEqual(refused, [], 'the policy of the page refuses nothing')
    } finally {
      await context.close()
    }
  },
)
