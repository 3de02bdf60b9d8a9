// Texts in a real browser: a frame of another site loads nothing before a click, with script and without; the page is accessible and fits a
// phone.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext, picture } from '../admin/chromium.ts'
import { openSite, type TestSite } from '../site.ts'

const skip = noBrowser

const body = `Some "words"[^1].

> [!WARNING]
> Hot.

- [x] Done
- [ ] To do

Term
: Definition

\`\`\`js
const a = "a long line of code that does not fit into the window of a phone" // 42
\`\`\`

| | A long heading of a column | Another long heading | A third |
|-|-|-|-|
| a | b | c | d |

https://youtu.be/dQw4w9WgXcQ

https://www.openstreetmap.org/#map=15/52.51/13.37

[^1]: A note.
`

let site: TestSite
let browser: Browser

before(async () => {
  if (skip) return
  site = await openSite()
  await site.call('SVC_Content.create', { type: 'page', title: 'Text', slug: 'text', status: 'published', body })
  browser = await openBrowser()
})
after(async () => {
  if (skip) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

/** Opens the page. Every request to another site is noted, and answered here. */
async function openText(options: Parameters<typeof openContext>[1]) {
  const context = await openContext(browser, { viewport: { width: 390, height: 900 }, ...options })
  const outside: string[] = []
  const refused: string[] = []
  await context.route(
    (url) => !url.href.startsWith(site.base),
    (route) => {
      outside.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Other site</title><p>Playing</p>' })
    },
  )
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  await page.goto(`${site.base}/text`)
  return { context, page, outside, refused }
}

for (const javaScriptEnabled of [true, false])
  test(
    `a video loads nothing from its site before a click, with script ${javaScriptEnabled ? 'on' : 'off'}`,
    { skip },
    async () => {
      const { context, page, outside, refused } = await openText({ javaScriptEnabled })
      const frames = page.locator('figure.embed iframe')
      assert.equal(await frames.count(), 2)
      await frames.last().scrollIntoViewIfNeeded()
      await frames.first().contentFrame().getByText('Play the video').waitFor()
      assert.deepEqual(outside, [])
      await frames.first().contentFrame().getByRole('link').click()
      await frames.first().contentFrame().getByText('Playing').waitFor()
      assert.deepEqual(outside, ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1'])
      assert.deepEqual(refused, [])
      assert.equal(new URL(page.url()).pathname, '/text')
      await context.close()
    },
  )

for (const colorScheme of ['light', 'dark'] as const)
  test(`a text with every construct is accessible and fits a phone, in ${colorScheme} colours`, { skip }, async () => {
    const { context, page } = await openText({ colorScheme, bypassCSP: true })
    await holdAccessible(page, `text in ${colorScheme} colours`)
    await picture(page, `text-${colorScheme}`)
    await context.close()
  })
