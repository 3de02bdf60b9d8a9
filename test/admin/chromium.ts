// A real browser on a running site: Debian's Chromium, driven by playwright-core.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import assert from 'node:assert/strict'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { root } from '../site.ts'
import { ownersPassword } from './visitor.ts'

const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((one) => existsSync(one))

/** The reason to skip browser tests; false if there is a browser. */
export const noBrowser: string | false = path === undefined && 'needs chromium'

/** What a browser may take for one thing, on a busy machine too. */
const patienceMs = 120_000

export function openBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']
  return chromium.launch({ executablePath: path ?? '', args, timeout: patienceMs })
}

/** A window of its own, with cookies of its own. */
export async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(patienceMs)
  return context
}

/** The windows in which pages are tried. */
export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 900 } }
export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** The windows of a journey: each size, each scheme, and none of the site's own script. */
export const threeViews = {
  'phone, dark': { ...phone, colorScheme: 'dark' },
  'desktop, light': { ...desktop, colorScheme: 'light' },
  'phone, light, without script': { ...phone, colorScheme: 'light', javaScriptEnabled: false },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>

let axe: string | undefined

/** Holds a page to axe's rules, and to fitting its window. It needs a page that may run script. */
export async function holdAccessible(page: Page, what: string): Promise<void> {
  axe ??= await readFile(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')
  // In the page's own world no script of ours may run: its policy sees to that. This goes past it.
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
    return (await loaded.run()).violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }))
  })
  assert.deepEqual(found, [], what)
  const [wide, window] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
  assert.ok(wide <= window, `${what} is ${wide} wide in a window of ${window}`)
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Where pictures of pages go when somebody wants to look at them. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/**
 * Returns what looks at a page in a view: it takes a picture, and holds the page to `holdAccessible` where it may run script, because
 * axe is a script itself.
 * @param topic begins the names of the pictures
 */
export const lookAs =
  (topic: string, view: string, options: BrowserContextOptions) =>
  async (page: Page, what: string): Promise<void> => {
    await picture(page, `${topic}-${view.replaceAll(', ', '-')}-${what}`)
    if (options.javaScriptEnabled !== false) await holdAccessible(page, `${what}, ${view}`)
  }

/** Signs the owner in, in a window. */
export async function signInThere(page: Page, site: { readonly base: string }): Promise<void> {
  await page.goto(`${site.base}/admin/sign-in`)
  await page.getByLabel('E-mail').fill('owner@example.org')
  await page.getByLabel('Password').fill(ownersPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}
