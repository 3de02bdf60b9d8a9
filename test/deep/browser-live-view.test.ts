// The live view in a real browser: what it shows, what it leaves as it was, and what it never loads or runs.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, picture, signInThere } from '../admin/chromium.ts'
import { typeText, waitForSaved } from '../admin/editor-hand.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true } as const

let browser: Browser
let site: TestSite
let context: BrowserContext
let media = ''
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  context = await openContext(browser, desktop)
  await signInThere(await context.newPage(), site)
  const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#b5651d' } })
    .jpeg()
    .toBuffer()
  const { item } = await site.call('SVC_Media.upload', { base64: photo.toString('base64'), filename: 'bread.jpg', alt: 'Bread' })
  media = item.path
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const bodyOf = async (id: string): Promise<string> => (await site.call('SVC_Content.get', { id })).item.body as string
const textOf = (page: Page): Promise<string> => page.locator('#f-body').inputValue()

async function openEditor(title: string, body: string, within = context): Promise<{ page: Page; id: string; path: string }> {
  const { item } = await site.call('SVC_Content.create', { type: 'page', title, body })
  const page = await within.newPage()
  await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
  await page.locator('.cm-content').waitFor()
  return { page, id: item.id as string, path: item.path as string }
}

/** Every mark that the view hides, and spaces and line ends that another editor would write anew. */
const written = () =>
  `Some **bold** and _other_ *words*, \`code\` and \\* a [link](/about "T").

Setext
------

* star
+ plus
    - deep
1) one

> quoted
lazy

![Bread](${media} "Our bread.")

|a|b|
|:-|-:|
|**1**||

***

~~~js
x
~~~

A break\\
here  
and here.

::: hero
## Inside
:::

[^1]: Note   

The end. `

test(
  'what nobody touched stays byte for byte, while something else is typed, saved and published',
  { skip: noBrowser },
  async () => {
    const { page, id, path } = await openEditor('Bytes', written())
    assert.equal(await textOf(page), written())
    await page.locator('.cm-content').click({ position: { x: 200, y: 20 } })
    await page.keyboard.press('Control+End')
    await typeText(page, 'Typed by hand.', 60)
    await waitForSaved(page)
    await until('it is saved', async () => (await bodyOf(id)) === `${written()}Typed by hand.`)
    await page.reload()
    await page.getByRole('button', { name: 'Source' }).click()
    assert.equal(await textOf(page), `${written()}Typed by hand.`)
    await page.getByRole('button', { name: 'Source' }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.locator('.notice.done').waitFor()
    assert.match(await (await fetch(site.base + path)).text(), /Typed by hand\./)
  },
)

test('marks are hidden until the caret is there, and the view looks like the page', { skip: noBrowser }, async () => {
  const { page } = await openEditor('View', written())
  const shown = page.locator('.cm-content')
  const first = shown.locator('.cm-line').first()
  assert.equal(await first.innerText(), 'Some bold and other words, code and * a link.')
  await first.click({ position: { x: 60, y: 8 } })
  assert.match(await first.innerText(), /^Some \*\*bold\*\* and other/)
  assert.equal(
    await shown.locator('.live-figure img').evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    60,
  )
  assert.equal(await shown.locator('.live-caption').innerText(), 'Our bread.')
  assert.deepEqual(await shown.locator('table.live-table th, table.live-table td').allInnerTexts(), ['a', 'b', '1', ''])
  await page.getByRole('button', { name: 'Source' }).click()
  assert.match(await first.innerText(), /\[link\]\(\/about "T"\)/)
  await page.reload()
  assert.match(await first.innerText(), /\[link\]\(\/about "T"\)/, 'the browser remembers the choice')
  await page.getByRole('button', { name: 'Source' }).click()
  await holdAccessible(page, 'the live view')
  await picture(page, 'live-view-desktop')
})

test(
  'attacks 94, 95 and 146: nothing of a stranger’s text runs in the editor, and nothing is loaded from elsewhere',
  { skip: noBrowser },
  async () => {
    const body = [
      '<img src=x onerror="window.ran=1">',
      '<script>window.ran=1</script>',
      '[a](javascript:window.ran=1)',
      '![a](https://elsewhere.example/track.png)',
      '![a](//elsewhere.example/track.png)',
      '![a](/media/../admin/sign-out)',
      '![a](/media//elsewhere.example/x.png)',
      '![a](data:image/svg+xml,<svg/onload=window.ran=1>)',
      '| <img src=x onerror="window.ran=1"> | ![a](https://elsewhere.example/t.png) |\n| - | - |\n| [a](javascript:window.ran=1) | <b>x</b> |',
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      '::: hero {image="https://elsewhere.example/h.png" onclick="window.ran=1"}\n:::',
    ].join('\n\n')
    const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Stranger', body })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
    await page.locator('.live-table').waitFor()
    for (const link of await page.locator('.cm-content .live-link').all()) await link.click()
    await page.waitForTimeout(300)
    assert.equal(await page.evaluate(() => (globalThis as { ran?: number }).ran), undefined)
    assert.deepEqual(
      asked.filter((address) => !address.startsWith(site.base) || address.includes('sign-out') || address.includes('/media/')),
      [],
    )
    assert.equal(
      await page.locator('.cm-content img:not(.cm-widgetBuffer), .cm-content script, .cm-content iframe, .cm-content a').count(),
      0,
    )
  },
)

test('a menu opens at /, and a table is made, filled and published by the keyboard alone', { skip: noBrowser }, async () => {
  const { page, path } = await openEditor('Menu', '')
  await page.locator('.cm-content').focus()
  await typeText(page, '/tab', 60)
  assert.deepEqual(await page.locator('.slash-menu').getByRole('option').allInnerTexts(), ['Table'])
  await page.keyboard.press('Enter')
  await page.getByLabel('Columns').fill('2')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Heading of column 1' }).waitFor()
  await page.keyboard.type('Day', { delay: 60 })
  assert.equal(await textOf(page), '| Day  |   |\n| --- | --- |\n|   |   |\n|   |   |\n')
  await page.getByRole('button', { name: 'Remove the row' }).waitFor()
  await page.getByRole('button', { name: 'Column after' }).press('Enter')
  assert.match(await textOf(page), /^\| Day \| {2}\| {2}\|\n\| --- \| --- \| --- \|/)
  await page.keyboard.press('Control+End')
  await typeText(page, '\nOpen from six.', 60)
  await waitForSaved(page)
  await page.keyboard.press('Control+Enter')
  await page.locator('.notice.done').waitFor()
  assert.match(await (await fetch(site.base + path)).text(), /<th[^>]*>Day<\/th>/)
})

test('on a phone, a heading, a task and a footnote are made with the buttons', { skip: noBrowser }, async () => {
  const own = await openContext(browser, phone)
  await signInThere(await own.newPage(), site)
  const { page, path } = await openEditor('Phone', '', own)
  await page.locator('.cm-content').tap()
  await page.getByRole('button', { name: 'Heading', exact: true }).tap()
  await typeText(page, 'Bread\n', 60)
  await typeText(page, 'Baked at four.', 60)
  await page.getByRole('button', { name: 'Footnote' }).tap()
  await page.keyboard.type('Every day.', { delay: 60 })
  await waitForSaved(page)
  assert.equal((await textOf(page)).trim(), '## Bread\nBaked at four.[^1]\n\n[^1]: Every day.')
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'no sideways scrolling')
  await picture(page, 'live-view-phone')
  await page.getByRole('button', { name: 'Publish', exact: true }).tap()
  await page.locator('.notice.done').waitFor()
  const shown = await (await fetch(site.base + path)).text()
  assert.match(shown, /<h2[^>]*>.*Bread/s)
  assert.match(shown, /Every day\./)
  await own.close()
})

test('the preview follows the text and its scrolling, and has the width of a phone', { skip: noBrowser }, async () => {
  const body = Array.from({ length: 12 }, (_, place) => `## Part ${place}\n\n${'Words of a paragraph. '.repeat(60)}`).join('\n\n')
  const { page } = await openEditor('Preview', body)
  await page.getByRole('button', { name: 'Show the page' }).click()
  const frame = page.locator('iframe.preview')
  await frame.contentFrame().getByRole('heading', { name: 'Part 11' }).waitFor()
  await page.locator('.cm-scroller').evaluate((scroller) => void (scroller.scrollTop = scroller.scrollHeight / 2))
  await until('it shows the same part', async () => /#h-part-[4-7]$/.test((await frame.getAttribute('src')) ?? ''))
  await page.getByRole('button', { name: 'Phone' }).click()
  assert.equal((await frame.boundingBox())?.width, 390)
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+End')
  await typeText(page, ' And more.', 40)
  await frame.contentFrame().getByText('And more.').waitFor()
  await page.getByRole('button', { name: 'Hide the page' }).click()
  assert.equal(await frame.isVisible(), false)
})
