// "Saved" in the editor, in a real browser: whatever the form shows is stored by then, what is not is told at its field, and there
// is one entry however somebody comes back to it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, phone, picture, signInThere } from '../admin/chromium.ts'
import { typeText, waitForSaved } from '../admin/editor-hand.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let browser: Browser
let site: TestSite
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Tides' })
  await site.call('SVC_Content.create', { type: 'page', title: 'Coast', status: 'published' })
  await site.call('SVC_Types.update', { id: 'page', fields: [{ name: 'depth', kind: 'number', label: 'Depth' }] })
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const titled = async (title: string) =>
  (await site.call('SVC_Content.list', { where: { title } })).items as { id: string; path: string; status: string }[]

const whole = async (id: string, more: Record<string, unknown> = {}) =>
  (await site.call('SVC_Content.get', { id, ...more })).item as Record<string, any> // oxlint-disable-line no-explicit-any -- what came over the wire

const seenAt = async (path: string): Promise<string> => (await fetch(`${site.base}${path}`)).text()

type Walk = (page: Page, title: string, context: BrowserContext) => Promise<void>

/** Walks a way on desktop and phone, each with an entry of its own. */
function onBoth(what: string, walk: Walk): void {
  for (const [name, view] of Object.entries({ desktop, phone }))
    test(`${what}: ${name}`, { skip: noBrowser }, async () => {
      const context = await openContext(browser, view)
      try {
        const page = await context.newPage()
        await signInThere(page, site)
        await walk(page, `${what.split(' ').slice(0, 3).join(' ')} ${name}`.replaceAll(/[^\w ]/g, ''), context)
      } finally {
        await context.close()
      }
    })
}

async function newPage(page: Page, title: string): Promise<void> {
  await page.goto(`${site.base}/admin/content/new?type=page`)
  await page.getByLabel('Title', { exact: true }).pressSequentially(title)
}

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Publish/ }).click()
  await page.locator('.notice.done', { hasText: 'Published.' }).waitFor()
}

const autosaves = '**/content/autosave*'

/** The site stores what is autosaved, and the browser never hears of it. */
async function loseAnswers(context: BrowserContext): Promise<void> {
  await context.route(autosaves, async (route) => {
    await route.fetch()
    await route.abort()
  })
}

/** Keeps autosaves from arriving. @returns lets each of those that wait arrive */
async function delayAutosaves(context: BrowserContext): Promise<readonly (() => void)[]> {
  const waiting: (() => void)[] = []
  await context.route(autosaves, async (route) => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    await route.continue()
  })
  return waiting
}

async function openPanel(page: Page, name: string): Promise<void> {
  const panel = page.locator('details', { has: page.getByRole('heading', { name, exact: true }) })
  if (!(await panel.evaluate('node => node.open'))) await panel.locator('summary').click()
}

onBoth('all fields are saved, come back after a reload, and are public', async (page, title) => {
  await newPage(page, title)
  await typeText(page, 'Words for the page.', 50)
  await page.getByLabel('Depth').fill('12.5')
  await page.getByLabel('End of the address').fill(`own-${title.toLowerCase().replaceAll(' ', '-')}`)
  await page.getByLabel('Parent page', { exact: true }).fill('/coast')
  await page.getByLabel('Excerpt').fill('A short word.')
  await openPanel(page, 'Categories and tags')
  await page.getByLabel('Tides').check()
  await openPanel(page, 'Search engines')
  await page.getByLabel('Title in search results').fill('Found by engines')
  await page.getByLabel('Take off the site at').fill('2099-01-31T18:00')
  await waitForSaved(page)
  await page.reload()
  const path = `/coast/own-${title.toLowerCase().replaceAll(' ', '-')}`
  const draft = await whole(path)
  assert.deepEqual(
    [draft['status'], draft['body'], draft['fields'].depth, draft['excerpt'], draft['seo'].title, draft['unpublish_at']],
    ['draft', 'Words for the page.', 12.5, 'A short word.', 'Found by engines', '2099-01-31T18:00:00.000Z'],
  )
  assert.deepEqual(
    draft['terms'].map(({ ref }: { ref: string }) => ref),
    ['tag/tides'],
  )
  assert.equal(await page.getByLabel('Depth').inputValue(), '12.5')
  await publish(page)
  assert.match(await seenAt(path), /Words for the page\./)
  assert.equal((await whole(path))['seo'].title, 'Found by engines')
  assert.match(await seenAt(path), /name="description" content="A short word\."/)
  assert.equal((await titled(title)).length, 1)
})

onBoth('a slug that is no slug stays at its field while the text is saved', async (page, title) => {
  await newPage(page, title)
  await typeText(page, 'First.')
  await waitForSaved(page)
  const slug = page.getByLabel('End of the address')
  await slug.fill('')
  await slug.pressSequentially('Not A Slug!')
  await page.locator('#e-slug', { hasText: 'when you leave the field' }).waitFor()
  await typeText(page, ' Second.')
  await page.locator('#e-slug', { hasText: 'is not a slug' }).waitFor()
  await page.getByText(/^Not saved: End of the address\./).waitFor()
  await until('the text is stored', async () => (await whole((await titled(title))[0]?.id ?? ''))['body'] === 'First. Second.')
  assert.equal(await slug.getAttribute('aria-invalid'), 'true')
  await holdAccessible(page, 'a field that is not saved')
  await picture(page, `unsaved-${title}`)
  await slug.fill('right-now')
  await page.getByLabel('Title', { exact: true }).focus()
  await waitForSaved(page)
  assert.equal(await page.locator('#e-slug').count(), 0)
  assert.equal((await titled(title))[0]?.path, '/right-now')
  await publish(page)
  await site.call('SVC_Content.delete', { ids: [(await titled(title))[0]?.id] })
})

onBoth('a public page waits with its changes, and its date goes with the button', async (page, title) => {
  const { item } = await site.call('SVC_Content.create', { type: 'page', title, body: 'Old.', status: 'published' })
  await page.goto(`${site.base}/admin/content/edit?id=${item.id}`)
  await typeText(page, ' New.')
  await page.getByLabel('Published', { exact: true }).fill('2001-02-03T04:05')
  await page.locator('#e-published_at', { hasText: 'save it with a button' }).waitFor()
  assert.doesNotMatch((await page.locator('[data-saved]').textContent()) ?? '', /^Saved/)
  assert.equal((await whole(item.id as string))['body'], 'Old.')
  await publish(page)
  const { body, published_at: at, staged } = await whole(item.id as string)
  assert.deepEqual([body, at, staged], ['Old. New.', '2001-02-03T04:05:00.000Z', false])
})

onBoth('going back makes no second entry', async (page, title) => {
  await page.goto(`${site.base}/admin/content`)
  await newPage(page, title)
  await typeText(page, 'At once.')
  // Before the editor has saved by itself.
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.locator('.notice.done').waitFor()
  await page.goBack()
  await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
  assert.match(page.url(), /edit\?id=/, 'the page for new entries is not behind that of the entry')
  await typeText(page, ' And later.')
  await waitForSaved(page)
  await page.goBack()
  await page.goForward()
  await publish(page)
  await page.goBack()
  await typeText(page, ' Once more.')
  await waitForSaved(page)
  await publish(page)
  assert.deepEqual(
    (await titled(title)).map(({ status }) => status),
    ['published'],
  )
  assert.match(await seenAt((await titled(title))[0]?.path ?? ''), /At once\. And later\. Once more\./)
  await page.goto(`${site.base}/admin/content/new?type=page`)
  assert.equal(await page.locator('.kept-text').count(), 0, 'nothing of it is offered again')
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), '')
})

onBoth('a text that is kept on the device outlives a publication, until somebody drops it', async (page, title, context) => {
  const { item } = await site.call('SVC_Content.create', { type: 'page', title, body: 'Old.' })
  const address = `${site.base}/admin/content/edit?id=${item.id as string}`
  await page.goto(address)
  await context.route(autosaves, (route) => route.abort())
  await typeText(page, ' Only here.')
  await page.getByText('There is no connection.').waitFor()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(address)
  await context.unroute(autosaves)
  const kept = page.locator('.kept-text')
  await kept.waitFor()
  await publish(page)
  assert.doesNotMatch(await seenAt(item.path), /Only here/)
  await page.goto(address)
  await kept.getByRole('button', { name: 'Use' }).click()
  await waitForSaved(page)
  await page.reload()
  assert.equal(await kept.count(), 0)
  await publish(page)
  assert.match(await seenAt(item.path), /Old\. Only here\./)
})

onBoth('without a line, a press of Publish says so and loses nothing', async (page, title, context) => {
  const { item } = await site.call('SVC_Content.create', { type: 'page', title, body: 'Old.' })
  await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
  await typeText(page, ' On a train.')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Not sent: there is no connection.').waitFor()
  await context.setOffline(false)
  await publish(page)
  assert.match(await seenAt(item.path), /Old\. On a train\./)
})

onBoth('an answer that is lost on the way makes no second entry', async (page, title, context) => {
  await newPage(page, title)
  await loseAnswers(context)
  await typeText(page, 'Lost and')
  await page.getByText('There is no connection.').waitFor()
  await context.unroute(autosaves)
  await typeText(page, ' found.')
  await waitForSaved(page)
  await publish(page)
  const [only, ...others] = await titled(title)
  assert.deepEqual(others, [])
  assert.match(await seenAt(only?.path ?? ''), /Lost and found\./)
})

onBoth('an answer to later words that is lost is no conflict', async (page, title, context) => {
  await newPage(page, title)
  await typeText(page, 'One.')
  await waitForSaved(page)
  await loseAnswers(context)
  await typeText(page, ' Two.')
  await page.getByText('There is no connection.').waitFor()
  await context.unroute(autosaves)
  await typeText(page, ' Three.')
  await waitForSaved(page)
  assert.equal(await page.locator('#conflict').count(), 0)
  assert.equal((await whole((await titled(title))[0]?.id ?? ''))['body'], 'One. Two. Three.')
})

onBoth('publishing at once after a lost answer needs no second look', async (page, title, context) => {
  await newPage(page, title)
  await typeText(page, 'One.')
  await waitForSaved(page)
  await loseAnswers(context)
  await typeText(page, ' Two.')
  await page.getByText('There is no connection.').waitFor()
  await context.unroute(autosaves)
  await publish(page)
  assert.match(await seenAt((await titled(title))[0]?.path ?? ''), /One\. Two\./)
})

onBoth('leaving while Publish waits for what is being saved asks first, and staying publishes', async (page, title, context) => {
  await newPage(page, title)
  await typeText(page, 'One.')
  await waitForSaved(page)
  const answers = await delayAutosaves(context)
  await typeText(page, ' Two.')
  await until('an autosave is on its way', () => answers.length > 0)
  await page.getByRole('button', { name: /^Publish/ }).click()
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.dismiss()
  })
  await page.evaluate(`location.assign('/admin/')`)
  await until('the browser asks', () => asked.length > 0)
  for (const answer of answers) answer()
  await page.locator('.notice.done', { hasText: 'Published.' }).waitFor()
  assert.deepEqual(asked, ['beforeunload'])
  await context.unroute(autosaves)
  assert.match(await seenAt((await titled(title))[0]?.path ?? ''), /One\. Two\./)
})

onBoth('a button beside the text waits for what is being saved, too', async (page, title, context) => {
  const { item } = await site.call('SVC_Content.create', { type: 'page', title, body: 'Old.', status: 'published' })
  await page.goto(`${site.base}/admin/content/edit?id=${item.id}`)
  const answers = await delayAutosaves(context)
  await page.locator('.entry-menu summary', { hasText: 'Unpublish' }).click()
  await typeText(page, ' New.')
  await until('an autosave is on its way', () => answers.length > 0)
  await page.locator('.entry-menu button[value=unpublish]').click()
  for (const answer of answers) answer()
  await page.locator('.notice.done').waitFor()
  assert.equal((await whole(item.id as string))['status'], 'draft')
})

onBoth('the banner of a refusal goes once all is saved', async (page, title) => {
  await newPage(page, title)
  await page.getByLabel('Position').fill('first')
  await page.getByRole('button', { name: /^Publish/ }).click()
  await page.locator('#refusal').waitFor()
  await page.getByLabel('Position').fill('3')
  await waitForSaved(page)
  assert.equal(await page.locator('#refusal').count(), 0)
  await publish(page)
})

onBoth('two tabs of one entry: the one without words of its own follows', async (page, title, context) => {
  await newPage(page, title)
  await typeText(page, 'One.')
  await waitForSaved(page)
  const other = await context.newPage()
  await other.goto(page.url())
  await typeText(page, ' Two.')
  await waitForSaved(page)
  await other.locator('.cm-content', { hasText: 'One. Two.' }).waitFor()
  await publish(other)
  await page.getByRole('button', { name: 'Publish changes' }).waitFor()
  await typeText(page, ' Three.')
  await waitForSaved(page)
  await publish(page)
  assert.equal((await titled(title)).length, 1)
  assert.match(await seenAt((await titled(title))[0]?.path ?? ''), /One\. Two\. Three\./)
})

onBoth('fields are kept on the device without a connection, and offered again', async (page, title, context) => {
  await newPage(page, title)
  await typeText(page, 'Here.')
  await waitForSaved(page)
  await context.setOffline(true)
  await openPanel(page, 'Categories and tags')
  await page.getByLabel('Tides').check()
  await page.getByLabel('Depth').fill('7')
  await page.getByText('There is no connection.').waitFor()
  const address = page.url()
  await page.close()
  await context.setOffline(false)
  const again = await context.newPage()
  await again.goto(address)
  await again.getByRole('button', { name: 'Use it' }).click()
  await waitForSaved(again)
  const { fields, terms } = await whole((await titled(title))[0]?.id ?? '')
  assert.deepEqual([fields.depth, terms.length], [7, 1])
})

onBoth('a list that is left by Enter twice is over', async (page, title) => {
  await newPage(page, title)
  await typeText(page, '- one\ntwo\n\nAfter the list.')
  await waitForSaved(page)
  await publish(page)
  const [entry] = await titled(title)
  assert.equal((await whole(entry?.id ?? ''))['body'], '- one\n- two\n\nAfter the list.')
  assert.match(await seenAt(entry?.path ?? ''), /<li>two<\/li>\s*<\/ul>\s*<p>After the list\.<\/p>/)
})

onBoth('a picture from the editor has no description until somebody gives one', async (page, title) => {
  await newPage(page, title)
  await typeText(page, 'Look: ')
  await page.getByRole('button', { name: 'Picture', exact: true }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'From this device' }).click()
  const names = [`IMG 2041 ${title}.png`, `IMG 2042 ${title}.png`]
  // Two files with the same bytes would be one.
  await (
    await chooser
  ).setFiles(names.map((name) => ({ name, mimeType: 'image/png', buffer: Buffer.concat([png, Buffer.from(name)]) })))
  const question = page.getByLabel(/What does .*2041.* show/)
  await question.waitFor()
  await holdAccessible(page, 'the question')
  await picture(page, `describe-${title}`)
  await question.pressSequentially('A boat [red]')
  await page.keyboard.press('Enter')
  await page.getByLabel(/What does .*2042.* show/).waitFor()
  await page.getByRole('button', { name: 'It is only decoration' }).click()
  await waitForSaved(page)
  const { body } = await whole((await titled(title))[0]?.id ?? '')
  assert.match(body, /!\[A boat \\\[red\\\]\]\([^)]+\)/)
  assert.match(body, /!\[\]\([^)]+\)/)
  assert.doesNotMatch(body.replaceAll(/\([^)]*\)/g, ''), /IMG/, 'the file name is no description')
  await publish(page)
  const seen = await seenAt((await titled(title))[0]?.path ?? '')
  assert.match(seen, /alt="A boat \[red\]"/)
})
