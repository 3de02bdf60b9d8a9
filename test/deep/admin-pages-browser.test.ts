// Every page of the admin in a real browser, on a desktop and a phone, light and dark: axe finds nothing, and no page is wider than its window. With ten
// thousand entries the pages cost no more than a few times what they cost with a few.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Services } from '../../src/actions/call/services.ts'
import { adminPaths } from '../../src/admin/paths.ts'
import { adminRoutes } from '../../src/admin/routes.ts'
import { holdAccessible, noBrowser, openBrowser, openContext, picture } from '../admin/chromium.ts'
import { openVisitor, ownersPassword } from '../admin/visitor.ts'
import { processorMsOf } from '../processor-time.ts'
import { openSite, type TestSite } from '../site.ts'

let browser: Browser
let site: TestSite
before(async () => {
  site = await openSite({ ownProcess: true, env: { POSTERN_RATE_LIMITS: 'off' } })
  if (noBrowser === false) browser = await openBrowser()
  await write(0, 50)
  await site.call('SVC_Content.update', { id: '/entry-1', body: 'Other words.', stage: true })
  await site.call('SVC_Content.update', { id: '/entry-3', body: '[Gone](/nowhere)' })
  await site.call('SVC_Content.check', { where: {} })
  await site.call('SVC_Backup.create', { note: 'Before' })
})
after(async () => {
  await site[Symbol.asyncDispose]()
  if (noBrowser === false) await browser.close()
})

/** Makes entries, fifty in one call. */
async function write(from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += 50) {
    const calls = Array.from({ length: 50 }, (_, place) => ({
      action: 'SVC_Content.create',
      arguments: {
        type: 'post',
        title: `Entry ${first + place}`,
        body: 'Some words.',
        status: place % 2 === 0 ? 'draft' : 'published',
      },
    }))
    await site.call('SVC_API.batch', { calls })
  }
}

const skipped: readonly string[] = [
  adminPaths.activatePlugin,
  adminPaths.configurePlugin,
  adminPaths.undo,
  adminPaths.newPassword,
  // A file to download.
  adminPaths.newsletterCsv,
]

async function addresses(): Promise<readonly string[]> {
  const plain = adminRoutes({} as Services)
    .filter(
      ({ path, methods, kind }) => methods.GET && kind === 'window' && /^\/admin\/[^*:]*$/.test(path) && !skipped.includes(path),
    )
    .map(({ path }) => path)
  const [record] = (await site.call('SVC_Activity.list', { where: { call: 'SVC_Content.update' }, limit: 1 })).items
  const [backup] = (await site.call('SVC_Backup.list', {})).items
  const [account] = (await site.call('SVC_Accounts.list', {})).items
  const { item: entry } = await site.call('SVC_Content.get', { id: '/entry-1' })
  return [
    ...plain,
    `${adminPaths.activity}?id=${record.id}`,
    `${adminPaths.activity}?by=&from=2020-01-01`,
    `${adminPaths.undo}?ids=${record.id}`,
    `${adminPaths.backups}?id=${backup.id}`,
    `${adminPaths.editEntry}?id=${entry.id}`,
    `${adminPaths.entryRevisions}?id=${entry.id}`,
    `${adminPaths.person}?id=${account.id}`,
    `${adminPaths.search}?q=entry`,
    `${adminPaths.console}?action=SVC_Content.create&example=0`,
  ]
}

const views = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
] as const

for (const { width, height, colorScheme } of views) {
  test(`axe finds nothing on any page: ${width} wide, ${colorScheme}`, { skip: noBrowser }, async () => {
    const context = await openContext(browser, { viewport: { width, height }, colorScheme })
    try {
      const page = await context.newPage()
      await page.goto(`${site.base}/admin/sign-in`)
      await page.getByLabel('E-mail').fill('owner@example.org')
      await page.getByLabel('Password').fill(ownersPassword)
      await page.getByRole('button', { name: 'Sign in' }).click()
      const findings: string[] = []
      for (const address of await addresses()) {
        await page.goto(site.base + address)
        await picture(page, `${address.replace(/[^a-z]+/g, '-').slice(0, 60)}-${width}-${colorScheme}`)
        await holdAccessible(page, `${address}, ${width}, ${colorScheme}`).catch((error: Error) => findings.push(error.message))
      }
      assert.ok(findings.length === 0, findings.join('\n\n'))
    } finally {
      await context.close()
    }
  })
}

test('with ten thousand entries no page takes much more work than with fifty', async () => {
  const owner = openVisitor(site)
  await owner.signIn()
  const all = (await addresses()).filter((address) => !address.startsWith(adminPaths.signIn))
  const costs = async (): Promise<ReadonlyMap<string, number>> => {
    const found = new Map<string, number>()
    for (const address of all) {
      await owner.open(address)
      const before = await processorMsOf(site.pid)
      for (let times = 0; times < 20; times++) await owner.open(address)
      found.set(address, (await processorMsOf(site.pid)) - before)
    }
    return found
  }
  const few = await costs()
  await write(50, 10_000)
  const many = await costs()
  for (const [address, cost] of many) {
    const was = few.get(address) ?? 0
    // Some ticks of the clock that counts processor time are noise.
    assert.ok(cost <= 4 * was + 200, `${address}: ${was} ms of processor time for 20 requests, then ${cost}`)
  }
})
