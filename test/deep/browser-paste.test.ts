// Paste and Enter in a real browser, up to the page that a visitor sees.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, picture, signInThere } from '../admin/chromium.ts'
import { type Copied, copy, paste } from '../admin/clipboard.ts'
import { typeText, waitForSaved } from '../admin/editor-hand.ts'
import { clipboard } from '../fixtures/clipboard.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let browser: Browser
let site: TestSite
let context: BrowserContext
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  context = await openContext(browser, desktop)
  await signInThere(await context.newPage(), site)
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const bodyOf = async (id: string): Promise<string> => (await site.call('SVC_Content.get', { id })).item.body as string

interface Open {
  readonly page: Page
  readonly id: string
  readonly path: string
}

/** A page of the site with a text, in the editor. */
async function openEditor(title: string, body = ''): Promise<Open> {
  const { item } = await site.call('SVC_Content.create', { type: 'page', title, body })
  const page = await context.newPage()
  await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
  await page.getByRole('textbox', { name: 'Text', exact: true }).click()
  await page.keyboard.press('Control+End')
  return { page, id: item.id as string, path: item.path as string }
}

const textOf = (page: Page): Promise<string> => page.locator('#f-body').inputValue()

/** What visitors read, without the white space between blocks. */
async function visited(path: string): Promise<string> {
  const page = await (await openContext(browser, desktop)).newPage()
  await page.goto(site.base + path)
  return page.locator('main').innerHTML()
}

async function publish({ page }: Open): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.locator('.notice.done').waitFor()
}

test('a text of Word is pasted while somebody types, survives a reload, and is published', { skip: noBrowser }, async () => {
  const open = await openEditor('From Word', 'Before.\n')
  const { page, id } = open
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/admin/content/paste', async (route) => {
    await held
    await route.continue()
  })
  await page.keyboard.press('Enter')
  await paste(page, { html: clipboard.word, plain: 'Baking Bread' })
  await page.locator('.pasting').waitFor()
  await page.keyboard.type('Typed for a few seconds meanwhile, without a stop.', { delay: 60 })
  letGo()
  await page.locator('.pasting').waitFor({ state: 'detached' })
  await waitForSaved(page)
  await holdAccessible(page, 'the editor after a paste')
  await picture(page, 'editor-pasted')
  const body = await bodyOf(id)
  assert.match(body, /^Before\.\n\n## Baking Bread\n\n/)
  assert.match(body, /\n\nTyped for a few seconds meanwhile, without a stop\.\n?$/)
  await page.reload()
  assert.equal(await textOf(page), body)
  await publish(open)
  const shown = await visited(open.path)
  for (const part of [
    'Baking Bread',
    '<strong>flour</strong>',
    '<li>500 g of flour',
    '<em>slowly</em>',
    '<section class="footnotes"',
  ])
    assert.ok(shown.includes(part), `${part} in ${shown}`)
  assert.doesNotMatch(shown, /mso|o:p|<script|onclick/i)
})

test('a paste is one step back, and another step forward', { skip: noBrowser }, async () => {
  const { page } = await openEditor('Undo', 'One.')
  await page.keyboard.type(' Two.')
  await paste(page, { html: '<p>A <b>bold</b> word</p><ul><li>x</li></ul>', plain: 'A bold word' })
  const pasted = 'One. Two.\n\nA **bold** word\n\n- x'
  await until('it is pasted', async () => (await textOf(page)) === pasted)
  await page.keyboard.press('Control+z')
  assert.equal(await textOf(page), 'One. Two.')
  await page.keyboard.press('Control+y')
  assert.equal(await textOf(page), pasted)
})

const rows: readonly {
  readonly rule: string
  readonly body?: string
  readonly copied: Copied
  readonly text: string | RegExp
}[] = [
  {
    rule: 'words within a line stay in the line',
    body: 'Before ',
    copied: { html: 'a <b>bold</b> word' },
    text: 'Before a **bold** word',
  },
  { rule: 'a text without HTML is pasted as it is', copied: { plain: '*x* <b>' }, text: '*x* <b>' },
  { rule: 'in a block of code', body: '```\nlet a\n', copied: { html: '<b>b</b>', plain: 'b' }, text: '```\nlet a\nb' },
  { rule: 'in front matter', body: '---\ntitle: ', copied: { html: '<b>b</b>', plain: 'b' }, text: '---\ntitle: b' },
  { rule: 'a list into an empty item', body: '- a\n- ', copied: { html: '<ul><li>b<li>c</ul>' }, text: '- a\n- b\n- c' },
  { rule: 'a spreadsheet', copied: { html: clipboard.excel, plain: 'x' }, text: /^\| Name \| Price \|\n\| --- \| ---: \|\n/ },
  {
    rule: 'a label of a footnote that is taken',
    body: 'See[^1].\n\n[^1]: Old.\n\n',
    copied: { html: clipboard.docs },
    text: /New[^]*\[\^2\][^]*\n\[\^2\]: /,
  },
  { rule: 'a page with scripts', copied: { html: clipboard.hostile }, text: /^(?!.*(?:script|onerror|javascript|alert))/is },
]
for (const { rule, body = '', copied, text } of rows)
  test(`paste: ${rule}`, { skip: noBrowser }, async () => {
    const { page } = await openEditor(rule, body)
    await paste(page, copied)
    await page.locator('.pasting').waitFor({ state: 'detached' })
    if (typeof text === 'string') await until('it is pasted', async () => (await textOf(page)) === text)
    else await until('it is pasted', async () => text.test(await textOf(page)) && (await textOf(page)) !== body)
    await page.close()
  })

test('Ctrl+Shift+V pastes the plain text of what was copied from a page', { skip: noBrowser }, async () => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { page } = await openEditor('Plain')
  await copy(page, { html: '<p>a <b>bold</b> word</p>', plain: 'a bold word' })
  await page.keyboard.press('Control+Shift+V')
  await until('the words are there', async () => (await textOf(page)) === 'a bold word')
  await page.keyboard.press('Control+V')
  await until('the same with its mark', async () => (await textOf(page)) === 'a bold worda **bold** word')
})

test('without a connection, and above 1 MB, the plain text is pasted with a word', { skip: noBrowser }, async () => {
  const { page } = await openEditor('Lost')
  await page.route('**/admin/content/paste', (route) => route.abort())
  await paste(page, { html: '<p>no <b>word</b></p>', plain: 'no word' })
  await page.getByText('Pasted as plain text. The server could not be reached to keep the formatting.').waitFor()
  assert.equal(await textOf(page), 'no word')
  await page.unroute('**/admin/content/paste')
  await paste(page, { html: `<p>${'a'.repeat(1024 * 1024)}</p>`, plain: ' is lost' })
  await page.getByText('Pasted as plain text. More than 1 MB was pasted.').waitFor()
  assert.equal(await textOf(page), 'no word is lost')
  await paste(page, { html: '<div>'.repeat(5000), plain: ' ever' })
  await page.getByText('Pasted as plain text. The formatting could not be read.').waitFor()
  assert.equal(await textOf(page), 'no word is lost ever')
})

test('pictures are uploaded from the clipboard alone, and those of other sites are named', { skip: noBrowser }, async () => {
  const open = await openEditor('Pictures')
  const { page, id } = open
  const asked: string[] = []
  page.on('request', (request) => void (request.url().startsWith(site.base) || asked.push(request.url())))
  const png = (
    await sharp({ create: { width: 4, height: 3, channels: 3, background: '#b5651d' } })
      .png()
      .toBuffer()
  ).toString('base64')
  const html = `<p>Here <img src="data:image/png;base64,${png}" alt="A loaf"> it is.</p>
    <p><img src="https://other.example/one.jpg" alt="One"><img src="https://other.example/two.jpg"></p>
    <p><img src="file:///C:/x/image001.png" alt="From Word"></p>`
  const second = (
    await sharp({ create: { width: 5, height: 3, channels: 3, background: '#224466' } })
      .png()
      .toBuffer()
  ).toString('base64')
  await paste(page, { html, plain: 'Here it is.', files: [{ name: 'image001.png', type: 'image/png', base64: second }] })
  await page.getByText('2 pictures were on other sites and were not copied. Links are in their places.').waitFor()
  await until('both are stored', async () =>
    /!\[A loaf\]\(\/media\/[^)]+\)[^]*!\[From Word\]\(\/media\/[^)]+\)/.test(await textOf(page)),
  )
  await waitForSaved(page)
  await until('all of it is saved', async () => /From Word\]\(\/media/.test(await bodyOf(id)))
  assert.match(await bodyOf(id), /\[One\]\(https:\/\/other\.example\/one\.jpg\)\[two\.jpg\]\(https:\/\/other/)
  await publish(open)
  const shown = await visited(open.path)
  assert.equal(shown.match(/<img /g)?.length, 2)
  assert.deepEqual(asked, [], 'nothing is fetched from elsewhere')
})

test('an address on three lines stays three lines, and Enter twice begins a paragraph', { skip: noBrowser }, async () => {
  const open = await openEditor('Enter')
  const { page, id } = open
  await typeText(page, 'The Corner Bakery', 40)
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('.cm-line').first().innerText(), 'The Corner Bakery\\')
  assert.equal(await textOf(page), 'The Corner Bakery\n', 'a break that breaks nothing is not saved')
  await page.keyboard.type('12 Mill Lane\nOxford\n\nOpen from six.\n\n- bread\nrolls\n\nAsk us.\n', { delay: 30 })
  await page.keyboard.press('Control+Home')
  await waitForSaved(page)
  const text = 'The Corner Bakery\\\n12 Mill Lane\\\nOxford\n\nOpen from six.\n\n- bread\n- rolls\n\nAsk us.\n'
  await until('it is saved', async () => (await bodyOf(id)).trimEnd() === text.trimEnd())
  await page.reload()
  await publish(open)
  const shown = await visited(open.path)
  assert.match(shown, /The Corner Bakery<br>\s*12 Mill Lane<br>\s*Oxford<\/p>\s*<p>Open from six\.<\/p>/)
  assert.doesNotMatch(shown, /\\/)
})

const enters: readonly { readonly rule: string; readonly body?: string; readonly typed: string; readonly text: string }[] = [
  { rule: 'in lines that were there before', body: 'old', typed: '\nnew', text: 'old\nnew' },
  { rule: 'in code', body: '```\n', typed: 'a\nb', text: '```\na\nb' },
  { rule: 'in a heading', typed: '## a\nb', text: '## a\nb' },
  { rule: 'in a list', typed: '- a\nb', text: '- a\n- b' },
  { rule: 'in front matter', body: '---\n', typed: 'a: b\nc: d', text: '---\na: b\nc: d' },
  { rule: 'before a list', typed: 'a\n- b', text: 'a\n- b' },
  { rule: 'before a quotation', typed: 'a\n> b', text: 'a\n> b' },
]
for (const { rule, body = '', typed, text } of enters)
  test(`Enter writes no backslash ${rule}`, { skip: noBrowser }, async () => {
    const { page } = await openEditor(rule, body)
    await page.keyboard.type(typed)
    assert.equal(await textOf(page), text)
    await page.close()
  })

test(
  'Shift+Enter breaks a line also in a list, and somebody who writes Markdown turns the other Enter off',
  { skip: noBrowser },
  async () => {
    const { page } = await openEditor('Shift')
    await page.keyboard.type('- one')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('two')
    assert.equal(await textOf(page), '- one\\\n  two')
    await page.goto(`${site.base}/admin/account`)
    await page.getByLabel('Enter breaks the line, and twice begins a paragraph').uncheck()
    await page.locator('#writing').locator('xpath=..').getByRole('button', { name: 'Save' }).click()
    await page.locator('.notice.done').waitFor()
    const markdown = await openEditor('Source')
    await markdown.page.keyboard.type('a\nb')
    assert.equal(await textOf(markdown.page), 'a\nb')
    await markdown.page.keyboard.press('Shift+Enter')
    await markdown.page.keyboard.type('c')
    assert.equal(await textOf(markdown.page), 'a\nb\\\nc')
  },
)
