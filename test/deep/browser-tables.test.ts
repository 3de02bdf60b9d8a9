// Tables that are written in place: a cell opens at a press or a key, what is typed there changes that cell alone, and the table
// stays a table all the while.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, picture, signInThere } from '../admin/chromium.ts'
import { waitForSaved } from '../admin/editor-hand.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true } as const

let browser: Browser
let site: TestSite
/** The cookies of the owner. */
let signedIn: ReturnType<BrowserContext['storageState']>
before(async () => {
  if (noBrowser !== false) return
  browser = await openBrowser()
  site = await openSite()
  const context = await openContext(browser, desktop)
  await signInThere(await context.newPage(), site)
  signedIn = context.storageState()
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await site[Symbol.asyncDispose]()
})

interface Walk {
  readonly page: Page
  readonly id: string
  readonly path: string
}

async function inEditor(options: BrowserContextOptions, body: string, walk: (walk: Walk) => Promise<void>): Promise<void> {
  const context = await openContext(browser, { ...options, storageState: await signedIn })
  const page = await context.newPage()
  const failures: string[] = []
  page.on('pageerror', ({ message }) => void failures.push(message))
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Prices', body })
  await page.goto(`${site.base}/admin/content/edit?id=${item.id as string}`)
  await page.locator('.cm-content').waitFor()
  await walk({ page, id: item.id as string, path: item.path as string })
  assert.deepEqual(failures, [])
  await context.close()
}

const textOf = (page: Page): Promise<string> => page.locator('#f-body').inputValue()
const holds = (page: Page, text: string): Promise<void> =>
  until('the text is as expected', async () => (await textOf(page)) === text).catch(async () =>
    assert.equal(await textOf(page), text),
  )
/** Slowly typed words are several steps of undo. */
async function undoTo(page: Page, text: string): Promise<void> {
  for (let press = 0; press < 9 && (await textOf(page)) !== text; press++) await page.keyboard.press('Control+z')
  await holds(page, text)
}
const cell = (page: Page, row: number, column: number) => page.locator('.live-table tr').nth(row).locator('th, td').nth(column)
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const isOpen = (page: Page, name: string): Promise<void> => field(page, name).and(page.locator(':focus')).waitFor()

/** Everything that a cell may hold, and that another editor would write anew. */
const written = `Our prices:

| Bread | Price | Note |
|:--|--:|:-:|
| **Rye** | 4.20 |[Order](/order "Now")|
|  Wheat  |3.80|a \\| b|
| \`x\` | | _new_ |
|Oat|

Open from six.`

test('three cells are typed in, and no byte of the others changes', { skip: noBrowser }, () =>
  inEditor(desktop, written, async ({ page, id, path }) => {
    await cell(page, 2, 1).click()
    await isOpen(page, 'Price, row 2')
    assert.equal(await field(page, 'Price, row 2').inputValue(), '3.80')
    await page.keyboard.press('End')
    await page.keyboard.type(' each', { delay: 40 })
    await page.keyboard.press('Tab')
    await isOpen(page, 'Note, row 2')
    assert.equal(await field(page, 'Note, row 2').inputValue(), 'a | b')
    await page.keyboard.type(' | c', { delay: 40 })
    await cell(page, 3, 1).click()
    await page.keyboard.type('5', { delay: 40 })
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('or 6', { delay: 40 })
    assert.equal(await field(page, 'Price, row 3').inputValue(), '5\nor 6')
    await picture(page, 'table-field-desktop')
    await holdAccessible(page, 'a table with an open cell')
    const changed = written.replace('|3.80|a \\| b|', '|3.80 each|a \\| b \\| c|').replace('| `x` | |', '| `x` | 5<br>or 6 |')
    await holds(page, changed)
    assert.equal(await page.locator('table.live-table').count(), 1, 'it stays a table')
    assert.equal(await cell(page, 1, 0).locator('strong').innerText(), 'Rye')
    await waitForSaved(page)
    await until('it is saved', async () => (await site.call('SVC_Content.get', { id })).item.body === changed)
    await page.reload()
    await holds(page, changed)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.locator('.notice.done').waitFor()
    const shown = await (await fetch(site.base + path)).text()
    assert.match(shown, /<td[^>]*>3\.80 each<\/td>\s*<td[^>]*>a \| b \| c<\/td>/)
    assert.match(shown, /<td[^>]*>5<br ?\/?>or 6<\/td>/)
  }),
)

test('by the keyboard alone: in by an arrow, on by Tab, a new row, undo, and out again', { skip: noBrowser }, () =>
  inEditor(desktop, written, async ({ page }) => {
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await isOpen(page, 'Heading of column 1')
    await page.keyboard.press('ArrowDown')
    await isOpen(page, 'Bread, row 1')
    await page.keyboard.press('Shift+Tab')
    await isOpen(page, 'Heading of column 3')
    await page.keyboard.press('ArrowRight')
    await isOpen(page, 'Bread, row 1')
    assert.equal(
      await field(page, 'Bread, row 1').evaluate((one) => (one as unknown as { selectionStart: number }).selectionStart),
      0,
    )
    await page.keyboard.press('ArrowLeft')
    await isOpen(page, 'Heading of column 3')
    await page.keyboard.press('Enter')
    await isOpen(page, 'Note, row 1')
    for (const name of ['Note, row 2', 'Note, row 3']) {
      await page.keyboard.press('Enter')
      await isOpen(page, name)
    }
    await page.keyboard.press('Tab')
    await isOpen(page, 'Bread, row 4')
    await page.keyboard.press('Tab')
    await isOpen(page, 'Price, row 4')
    await page.keyboard.type('2', { delay: 40 })
    await holds(page, written.replace('|Oat|', '|Oat| 2 |'))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await isOpen(page, 'Bread, row 5')
    await page.keyboard.type('Spelt', { delay: 40 })
    await holds(page, written.replace('|Oat|', '|Oat| 2 |\n| Spelt |  |  |'))
    await undoTo(page, written.replace('|Oat|', '|Oat| 2 |'))
    await isOpen(page, 'Note, row 4')
    await undoTo(page, written)
    await page.keyboard.press('Control+y')
    await holds(page, written.replace('|Oat|', '|Oat| 2 |'))
    await isOpen(page, 'Price, row 4')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('Words.', { delay: 40 })
    await holds(page, written.replace('|Oat|\n\n', '|Oat|\n\nWords.\n'))
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await isOpen(page, 'Bread, row 4')
    await page.keyboard.press('Escape')
    await page.locator('.cm-content:focus').waitFor()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Delete')
    await isOpen(page, 'Heading of column 1')
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Or seven.', { delay: 40 })
    assert.match(await textOf(page), /Open from six\. Or seven\.$/)
  }),
)

test('bold, and links, and the buttons of rows and columns work in an open cell', { skip: noBrowser }, () =>
  inEditor(desktop, '| a | b |\n| - | - |\n| one | two |\n', async ({ page }) => {
    await cell(page, 1, 0).dblclick()
    await isOpen(page, 'a, row 1')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+b')
    await holds(page, '| a | b |\n| - | - |\n| **one** | two |\n')
    await isOpen(page, 'a, row 1')
    await page.getByRole('button', { name: 'Italic' }).click()
    await holds(page, '| a | b |\n| - | - |\n| ***one*** | two |\n')
    await isOpen(page, 'a, row 1')
    await undoTo(page, '| a | b |\n| - | - |\n| one | two |\n')
    await page.keyboard.press('Control+k')
    await page.locator('#link-words').fill('https://example.org/')
    await page.keyboard.press('Enter')
    await holds(page, '| a | b |\n| - | - |\n| [one](https://example.org/) | two |\n')
    await isOpen(page, 'a, row 1')
    await page.getByRole('button', { name: 'Row below' }).click()
    await isOpen(page, 'a, row 2')
    await page.keyboard.type('new', { delay: 40 })
    await page.getByRole('button', { name: 'Column after' }).click()
    await isOpen(page, 'Column 2, row 2')
    await page.keyboard.type('middle', { delay: 40 })
    await holds(page, '| a |  | b |\n| - | --- | - |\n| [one](https://example.org/) |  | two |\n| new | middle |  |\n')
    await page.getByRole('button', { name: 'Remove the column' }).click()
    await isOpen(page, 'b, row 2')
    await page.getByRole('button', { name: 'Remove the row' }).click()
    await isOpen(page, 'b, row 1')
    await holds(page, '| a | b |\n| - | - |\n| [one](https://example.org/) | two |\n')
    await page.getByRole('button', { name: 'Source' }).click()
    assert.equal(await page.locator('table.live-table').count(), 0)
    await page.getByRole('button', { name: 'Source' }).click()
    await cell(page, 1, 1).click()
    await page.getByRole('button', { name: 'Remove the table' }).click()
    await holds(page, '\n')
    await page.keyboard.press('Control+z')
    await holds(page, '| a | b |\n| - | - |\n| [one](https://example.org/) | two |\n')
  }),
)

test('on a phone, cells are filled by touch, saved and published', { skip: noBrowser }, () =>
  inEditor(phone, 'Prices\n\n| Bread | Price |\n| --- | ---: |\n|  |  |', async ({ page, path }) => {
    await cell(page, 1, 0).tap()
    await isOpen(page, 'Bread, row 1')
    await page.keyboard.type('Rye', { delay: 40 })
    await cell(page, 1, 1).tap()
    await isOpen(page, 'Price, row 1')
    await page.keyboard.type('4.20', { delay: 40 })
    await page.getByRole('button', { name: 'Row below' }).tap()
    await isOpen(page, 'Price, row 2')
    await page.keyboard.type('3.80', { delay: 40 })
    await picture(page, 'table-field-phone')
    await holdAccessible(page, 'a table on a phone')
    const text = 'Prices\n\n| Bread | Price |\n| --- | ---: |\n| Rye | 4.20 |\n|  | 3.80 |'
    await holds(page, text)
    await waitForSaved(page)
    await page.getByRole('button', { name: 'Publish', exact: true }).tap()
    await page.locator('.notice.done').waitFor()
    assert.match(await (await fetch(site.base + path)).text(), /<td[^>]*>Rye<\/td>\s*<td[^>]*>4\.20<\/td>/)
  }),
)

interface Press {
  readonly what: string
  readonly before: string
  readonly cell: readonly [number, number]
  /** Keys of the keyboard; a text is typed. */
  readonly keys: readonly (string | { readonly text: string })[]
  readonly after: string
}

const typed = (text: string) => ({ text })
const bare = 'a | b\n--- | ---\none | two\n'

const presses: readonly Press[] = [
  {
    what: 'a table without outer bars keeps its form',
    before: bare,
    cell: [1, 1],
    keys: ['End', typed('!')],
    after: bare.replace('two', 'two!'),
  },
  {
    what: 'a first cell that becomes empty gets the bar that it needs, and its words come back',
    before: bare,
    cell: [1, 0],
    keys: ['Control+a', 'Backspace', typed('new')],
    after: bare.replace('one | two', '| new | two'),
  },
  {
    what: 'a first cell that begins as a list does stays a cell',
    before: bare,
    cell: [1, 0],
    keys: ['Control+a', typed('- x')],
    after: bare.replace('one', '| - x'),
  },
  {
    what: 'a last cell that becomes empty is written anew',
    before: bare,
    cell: [1, 1],
    keys: ['Control+a', 'Backspace', typed('x y')],
    after: bare.replace('two', 'x y'),
  },
  {
    what: 'a backslash before a bar ends no cell',
    before: '|a|b|\n|-|-|\n|c|d|',
    cell: [1, 0],
    keys: ['End', typed('\\')],
    after: '|a|b|\n|-|-|\n|c\\ |d|',
  },
  {
    what: 'a table in a section is written like any other',
    before: '::: prices\n| Bread | Price |\n| --- | ---: |\n| Rye | 4.20 |\n:::',
    cell: [1, 1],
    keys: ['End', typed('5'), 'Tab', typed('Oat')],
    after: '::: prices\n| Bread | Price |\n| --- | ---: |\n| Rye | 4.205 |\n| Oat |  |\n:::',
  },
  {
    what: 'words typed below a table in a section are no row of it',
    before: '::: prices\n| Bread | Price |\n| --- | ---: |\n| Rye | 4.20 |\n:::',
    cell: [1, 1],
    keys: ['Escape', typed('Until six.')],
    after: '::: prices\n| Bread | Price |\n| --- | ---: |\n| Rye | 4.20 |\n\nUntil six.\n:::',
  },
  {
    what: 'below a table that ends the text, a line begins',
    before: '| a |\n| - |\n| b |',
    cell: [1, 0],
    keys: ['ArrowDown', typed('After.')],
    after: '| a |\n| - |\n| b |\n\nAfter.',
  },
  {
    what: 'above a table that begins the text, a line begins',
    before: '| a |\n| - |\n| b |',
    cell: [0, 0],
    keys: ['ArrowUp', typed('Before.')],
    after: 'Before.\n\n| a |\n| - |\n| b |',
  },
  {
    what: 'Enter in an empty last row leaves the table, as it leaves a list',
    before: '| a |\n| - |\n| b |\n\nAfter.',
    cell: [1, 0],
    keys: ['Enter', 'Enter', typed('Words.')],
    after: '| a |\n| - |\n| b |\n\nWords.\nAfter.',
  },
  {
    what: 'a word that is typed in the middle stays where it is, with spaces at both ends',
    before: '| a |\n| - |\n| one three |\n',
    cell: [1, 0],
    keys: ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', typed(' two'), 'End', typed(' four '), 'Home', typed(' x')],
    after: '| a |\n| - |\n|  xone two three four  |\n',
  },
]

for (const {
  what,
  before: body,
  cell: [row, column],
  keys,
  after: expected,
} of presses)
  test(what, { skip: noBrowser }, () =>
    inEditor(desktop, body, async ({ page }) => {
      await cell(page, row, column).click()
      for (const key of keys)
        await (typeof key === 'string' ? page.keyboard.press(key) : page.keyboard.type(key.text, { delay: 40 }))
      await holds(page, expected)
    }),
  )

test('a table that is typed as Markdown becomes one behind its line of hyphens', { skip: noBrowser }, () =>
  inEditor(desktop, '', async ({ page }) => {
    await page.locator('.cm-content').click()
    await page.keyboard.type('| a | b |', { delay: 20 })
    await page.keyboard.press('Enter')
    await page.keyboard.type('| --- | --- |', { delay: 20 })
    assert.equal(await page.locator('table.live-table').count(), 0)
    await page.keyboard.press('Enter')
    await page.locator('table.live-table').waitFor()
    await page.keyboard.type('|', { delay: 40 })
    await isOpen(page, 'a, row 1')
    await page.keyboard.type('x', { delay: 40 })
    assert.match(await textOf(page), /^\| a \| b \|\n\| --- \| --- \|\n\| x \| {2}\|/)
  }),
)
