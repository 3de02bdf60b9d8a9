// The page of backups elsewhere, in a real browser: set a place, try it, read its refusal, send, and see what is there. axe finds nothing, and
// the page is never wider than its window.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { desktop, holdAccessible, noBrowser, openBrowser, openContext, phone, picture, signInThere } from '../admin/chromium.ts'
import { openS3Server } from '../backup/elsewhere/s3-server.ts'
import { isDeep } from '../deep-run.ts'
import { openSite } from '../site.ts'

let browser: Browser
before(async () => {
  if (noBrowser === false) browser = await openBrowser()
})
after(async () => {
  if (noBrowser === false) await browser.close()
})

const views = [
  { name: 'phone-dark', options: { ...phone, colorScheme: 'dark' as const } },
  { name: 'desktop-light', options: { ...desktop, colorScheme: 'light' as const } },
]

for (const { name, options } of isDeep ? views : views.slice(0, 1))
  test(`an owner sends backups elsewhere: ${name}`, { skip: noBrowser }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postern-passphrase-'))
    const passphrase = join(folder, 'passphrase')
    await writeFile(passphrase, 'correct horse battery staple', { mode: 0o600 })
    await using server = await openS3Server()
    await using site = await openSite({ env: { POSTERN_BACKUP_PASSPHRASE_FILE: passphrase } })
    await site.call('SVC_Backup.create', {})
    const context = await openContext(browser, options)
    try {
      const page = await context.newPage()
      const look = async (what: string) => {
        await picture(page, `elsewhere-${name}-${what}`)
        await holdAccessible(page, `${what}, ${name}`)
      }
      await signInThere(page, site)
      await page.goto(`${site.base}/admin/backups`)
      await page.getByRole('link', { name: 'Backups elsewhere' }).click()
      await look('empty')
      for (const kind of ['WebDAV', 'SFTP', 'S3']) {
        await page.getByRole('link', { name: kind, exact: true }).click()
        await look(kind)
      }
      const { settings, secret } = server
      await page.getByLabel('Address', { exact: true }).fill(settings.address)
      await page.getByLabel('Region').fill(settings.region)
      await page.getByLabel('Bucket', { exact: true }).fill('No Bucket')
      await page.getByLabel('Folder', { exact: true }).fill(settings.folder)
      await page.getByLabel('Access key').fill(settings.user)
      await page.getByLabel('Secret key').fill('wrong')
      await page.getByLabel('The place is in a private network').check()
      await page.getByRole('button', { name: 'Save' }).click()
      await look('refused')
      assert.match(await page.content(), /must be the name of a bucket/)
      await page.getByLabel('Bucket', { exact: true }).fill(settings.bucket)
      await page.getByLabel('Secret key').fill('wrong')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Test it' }).click()
      await page.getByText('SignatureDoesNotMatch').first().waitFor()
      await look('wrong-secret')
      await page.getByLabel('Secret key').fill(secret)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Test it' }).click()
      await page.getByText('It worked.').waitFor()
      await page.getByRole('button', { name: 'Send now' }).click()
      await page.getByText('It worked.').waitFor()
      await page.getByRole('link', { name: 'Show what is there' }).click()
      await page.getByRole('heading', { name: 'Backups there' }).waitFor()
      await look('there')
      assert.ok(!(await page.content()).includes(secret))
      assert.equal(server.objects.size, 1)
    } finally {
      await context.close()
      await rm(folder, { recursive: true })
    }
  })
