// Two browsers and an AI client write the same page for a minute, one of them with a dropped connection. No word is lost: each that was written is in
// the entry or in one of its revisions, and each version that a writer saved is found.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { noBrowser, openBrowser, openContext, signInThere } from '../admin/chromium.ts'
import { openSite, type TestSite } from '../site.ts'

const lastsMs = 60_000

interface Writer {
  readonly name: string
  readonly words: string[]
}

test(
  'two browsers and an AI client write one page: no word is lost, and every version is found',
  { skip: noBrowser },
  async () => {
    await using site = await openSite()
    const browser = await openBrowser()
    try {
      const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Together', body: 'Begin.' })
      const id = item.id as string
      const ends = Date.now() + lastsMs
      const told = await Promise.all([
        writeInBrowser(site, browser, { id, name: 'anna', ends, drops: true }),
        writeInBrowser(site, browser, { id, name: 'ben', ends, drops: false }),
        writeAsClient(site, id, ends),
      ])
      const texts = await everyText(site, id)
      for (const { name, words } of told) {
        assert.ok(words.length >= 5, `${name} wrote ${words.length} words`)
        for (const word of words)
          assert.ok(
            texts.some((text) => text.includes(word)),
            `${word} of ${name} is in no version`,
          )
      }
    } finally {
      await browser.close()
    }
  },
)

async function everyText(site: TestSite, id: string): Promise<readonly string[]> {
  const texts: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await site.call('SVC_Content.revisions', { id, limit: 100, ...(cursor === undefined ? {} : { cursor }) })
    for (const { revision } of page.items as { revision: number }[])
      texts.push((await site.call('SVC_Content.get', { id, revision })).item.body as string)
    cursor = page.next_cursor as string | null
  }
  return texts
}

async function writeAsClient(site: TestSite, id: string, ends: number): Promise<Writer> {
  const words: string[] = []
  for (let count = 0; Date.now() < ends; count++) {
    const word = `client-${count}`
    await site.call('SVC_Content.edit', { id, edits: [{ append: word }] })
    words.push(word)
    await pause(6000)
  }
  return { name: 'client', words }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Part {
  readonly id: string
  readonly name: string
  readonly ends: number
  /** Whether the connection is lost for a while in the middle. */
  readonly drops: boolean
}

async function writeInBrowser(site: TestSite, browser: Browser, { id, name, ends, drops }: Part): Promise<Writer> {
  const context = await openContext(browser, {})
  try {
    const page = await context.newPage()
    await signInThere(page, site)
    const address = `${site.base}/admin/content/edit?id=${id}`
    await page.goto(address)
    const words: string[] = []
    for (let count = 0; Date.now() < ends; count++) {
      if (drops && count === 3) await context.setOffline(true)
      if (drops && count === 8) await context.setOffline(false)
      const word = `${name}-${count}`
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(` ${word}`, { delay: 20 })
      words.push(word)
      await pause(1200)
      await settle(page, { offline: drops && count >= 3 && count < 8, keepsTheirs: count % 2 === 0 })
    }
    await context.setOffline(false)
    await finish(page)
    return { name, words }
  } finally {
    await context.close()
  }
}

/** A conflict is looked at as a person does: both texts are shown, and one of them stays. */
async function settle(
  page: Page,
  { offline, keepsTheirs }: { readonly offline: boolean; readonly keepsTheirs: boolean },
): Promise<void> {
  const compare = page.getByRole('button', { name: 'Compare both' })
  if (offline || !(await compare.isVisible())) return
  await compare.click()
  for (let tries = 0; tries < 20 && (await page.locator('#conflict-title').isVisible()); tries++) {
    const theirs = page.getByRole('button', { name: 'Keep theirs' })
    await (keepsTheirs ? theirs : page.getByRole('button', { name: 'Save draft' })).click()
    await page.locator('.cm-content').waitFor()
  }
}

/** The last words are saved too, however often somebody else was faster. */
async function finish(page: Page): Promise<void> {
  for (let tries = 0; tries < 30; tries++) {
    await settle(page, { offline: false, keepsTheirs: false })
    await page.keyboard.press('Control+s')
    await pause(700)
    const said = await page.locator('[data-saved]').textContent()
    if (said?.startsWith('Saved') === true && !(await page.locator('#conflict').isVisible())) return
  }
  throw new Error('The last words were not saved.')
}
