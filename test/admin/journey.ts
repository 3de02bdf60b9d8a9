// Journeys of people through the admin, as rows: what is there before somebody comes, what they do by what is written on the pages, and what it may
// cost at most in pages that load, clicks, and keys.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

export interface Cost {
  readonly loads: number
  readonly clicks: number
  readonly keys: number
}

/** Somebody at a page: what they do is counted. */
export interface Hand {
  readonly page: Page
  /** True without script. */
  readonly isPlain: boolean
  click(what: Locator): Promise<void>
  /** Fills a field in: a click, and a key for each character. */
  type(label: string, text: string): Promise<void>
  choose(label: string, option: string): Promise<void>
  /** Opens a page of the navigation; on a phone the menu is opened first. */
  go(...names: readonly string[]): Promise<void>
  button(name: string | RegExp): Promise<void>
  link(name: string | RegExp): Promise<void>
  /** Counts clicks and keys that went past the other functions. */
  did(clicks: number, keys?: number): void
}

type Phone = Journey['phone']

function handOf(page: Page, phone: Phone, cost: { clicks: number; keys: number }): Hand {
  const click = async (what: Locator): Promise<void> => {
    await (phone === 'touch' ? what.first().tap() : what.first().click())
    cost.clicks++
  }
  const link = (name: string | RegExp) => click(page.getByRole('main').getByRole('link', { name }))
  return {
    page,
    isPlain: phone === 'plain',
    click,
    link,
    async type(label, text) {
      await page.getByRole('main').getByLabel(label, { exact: true }).fill(text)
      cost.clicks++
      cost.keys += text.length
    },
    async choose(label, option) {
      await page.getByLabel(label, { exact: true }).selectOption(option)
      cost.clicks += 2
    },
    async go(...names) {
      for (const name of names) {
        if (phone !== undefined) await click(page.getByRole('button', { name: 'Menu', exact: true }))
        await click(page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: new RegExp(`^\\s*${name}`) }))
        await page.waitForLoadState()
      }
    },
    button: (name) => click(page.getByRole('main').getByRole('button', { name })),
    did(clicks, keys = 0) {
      cost.clicks += clicks
      cost.keys += keys
    },
  }
}

export interface Journey {
  readonly name: string
  readonly most: Cost
  /** A phone besides the desktop: `plain` without script, where each page takes a click more to open the menu, or `touch` with it. */
  readonly phone?: 'plain' | 'touch'
  /** Nobody is signed in: it begins with what the service printed at its start. */
  readonly signedOut?: true
  /** What is there before somebody comes; its answer goes to `walk`. */
  readonly given: () => Promise<string>
  readonly walk: (hand: Hand, given: string) => Promise<void>
}

/** The windows of a journey. */
export const journeyViews = [
  { view: 'desktop', viewport: { width: 1280, height: 900 }, javaScriptEnabled: true, phone: undefined, hasTouch: false },
  { view: 'phone, no script', viewport: { width: 390, height: 844 }, javaScriptEnabled: false, phone: 'plain', hasTouch: true },
  { view: 'phone, touch', viewport: { width: 390, height: 844 }, javaScriptEnabled: true, phone: 'touch', hasTouch: true },
] as const

/** Counts what a person does while they walk. */
export async function counted(page: Page, phone: Phone, walk: (hand: Hand) => Promise<void>): Promise<Cost> {
  const cost = { loads: 0, clicks: 0, keys: 0 }
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest() && response.frame() === page.mainFrame()
    if (isPage && response.status() < 300) cost.loads++
  })
  await walk(handOf(page, phone, cost)).catch(async (error: unknown) => {
    throw new Error(
      `${String(error)}\nat ${page.url()}\n${await page
        .locator('main')
        .ariaSnapshot({ timeout: 5000 })
        .catch(() => '')}`,
    )
  })
  return cost
}

/** Notes what a journey cost, and holds it to its row. */
export function hold(
  table: string[],
  { name, most }: Pick<Journey, 'name' | 'most'>,
  { view, phone }: (typeof journeyViews)[number],
  cost: Cost,
): void {
  table.push(
    `${String(cost.loads).padStart(5)} ${String(cost.clicks).padStart(6)} ${String(cost.keys).padStart(4)}  ${name}: ${view}`,
  )
  // On a phone each step of the navigation opens the menu first.
  const clicks = most.clicks + (phone === undefined ? 0 : 3)
  assert.ok(cost.loads <= most.loads, `${cost.loads} pages load; ${most.loads} would do`)
  assert.ok(cost.clicks <= clicks, `${cost.clicks} clicks; ${clicks} would do`)
  assert.ok(cost.keys <= most.keys, `${cost.keys} keys; ${most.keys} would do`)
}
