// Plugins in the admin: a person without script uploads, confirms, configures and deletes; what is no form of ours leaves nothing behind.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import type { Page as BrowserPage } from 'playwright-core'
import { holdAccessible, noBrowser, openBrowser, openContext } from '../admin/chromium.ts'
import { editRows } from '../admin/edit-rows.ts'
import { deepTest } from '../deep-run.ts'
import { type Form, openVisitor, ownersPassword, type Visitor } from '../admin/visitor.ts'
import { smallPlugin, zipOfFixture } from '../packages.ts'
import { pluginCalls } from '../plugin-calls.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
const { deleteAll, get, install, installUseful } = pluginCalls(() => site)
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())
afterEach(deleteAll)

interface Part {
  readonly name: string
  readonly text?: string
  readonly file?: Uint8Array
}

/** A body as browsers write it. */
function multipart(parts: readonly Part[], boundary = 'xXx'): Buffer {
  const lines = parts.flatMap(({ name, text = '', file }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file ? '; filename="p.zip"\r\nContent-Type: application/zip' : ''}\r\n\r\n`,
    ),
    file ?? Buffer.from(text),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...lines, Buffer.from(`--${boundary}--\r\n`)])
}

async function post(body: Uint8Array, type = 'multipart/form-data; boundary=xXx', headers: Record<string, string> = {}) {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const sent = { cookie, 'content-type': type, 'sec-fetch-site': 'same-origin', ...headers }
  return site.send('/admin/plugins', { method: 'POST', token: null, headers: sent, body })
}

const uploadForm = async (): Promise<Form> => (await owner.open('/admin/plugins')).form('/admin/plugins')

/** What the form holds, with these texts and this file. */
async function parts(file: Uint8Array, texts: Readonly<Record<string, string>> = {}): Promise<Part[]> {
  const { csrf = '' } = (await uploadForm()).fields
  return [
    { name: 'csrf', text: csrf },
    ...Object.entries(texts).map(([name, text]) => ({ name, text })),
    { name: 'package', file },
  ]
}

const upload = async (file: Uint8Array, texts: Readonly<Record<string, string>> = {}) => post(multipart(await parts(file, texts)))

const incoming = async () => {
  const folder = join(site.home, 'data', 'incoming')
  return existsSync(folder) ? readdir(folder) : []
}

/** The session's password was given an hour ago. */
const ageSession = () => editRows(site.home, 'update session set authenticated_at = authenticated_at - 3600000')

/** A fresh sign-in after it. */
const signInAnew = async () => {
  owner.cookies.clear()
  await owner.signIn()
}

test('the page lists the bundled bridge, with a way to activate it and its settings', async () => {
  const page = await owner.open('/admin/plugins')
  assert.equal(page.status, 200, page.text)
  for (const words of ['Legacy bridge', 'Inactive', 'included with Postern', 'Install a plugin'])
    assert.ok(page.text.includes(words), words)
  assert.ok(page.text.includes('href="/admin/plugins/activate?id=legacy-bridge"'))
  assert.ok((await owner.open('/admin/settings')).text.includes('href="/admin/plugins"'))
})

test('a zip is uploaded, its rights are read and confirmed, and it is switched off and deleted again', async () => {
  const sent = await upload(await zipOfFixture('useful'))
  assert.equal(sent.status, 303, sent.text)
  assert.match((await owner.open('/admin/plugins?done=operations.done_plugin_installed')).text, /Installed\./)
  assert.deepEqual(await incoming(), [])
  const page = await owner.open('/admin/plugins/activate?id=useful')
  assert.match(page.text, /call every action of SVC_Content/)
  const activated = await owner.submit(page.form('/admin/plugins/activate'))
  assert.equal(activated.status, 303, activated.text)
  assert.equal((await get('useful')).state, 'active')
  const off = (await owner.open('/admin/plugins')).form('/admin/plugins/deactivate')
  assert.equal((await owner.submit(off)).status, 303)
  assert.equal((await get('useful')).state, 'inactive')
  const remove = (await owner.open('/admin/plugins')).form('/admin/plugins/delete')
  assert.equal((await owner.submit(remove)).status, 303)
  assert.ok(!(await owner.open('/admin/plugins')).text.includes('Useful'))
})

test('another version replaces the one that is there only where that was said', async () => {
  await installUseful()
  const newer = await zipOfFixture('useful', { version: '1.1.0' })
  const refused = await upload(newer)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /is installed already/)
  assert.equal((await upload(newer, { replace: 'yes' })).status, 303)
  assert.equal((await get('useful')).version, '1.1.0')
})

test('rights that grew since the page was shown are not confirmed by it', async () => {
  await installUseful()
  const page = await owner.open('/admin/plugins/activate?id=useful')
  await upload(await zipOfFixture('useful', { version: '2.0.0', may: ['call:SVC_Content.*', 'authenticate'] }), {
    replace: 'yes',
  })
  const answer = await owner.submit(page.form('/admin/plugins/activate'))
  assert.equal(answer.status, 422)
  assert.match(answer.text, /say who is let in by X-API-Key/)
  assert.equal((await get('useful')).state, 'inactive')
})

test('attack 128: installing and activating ask for the password again after a quarter of an hour', async () => {
  await installUseful()
  try {
    await ageSession()
    const zip = await smallPlugin('later')
    for (const texts of [{}, { password: 'a wrong one' }]) {
      const refused = await upload(zip, texts)
      assert.equal(refused.status, 403, refused.text)
      assert.match(refused.text, /That is not your password/)
    }
    const page = await owner.open('/admin/plugins/activate?id=useful')
    assert.equal(page.form('/admin/plugins/activate').fields['password'], '')
    assert.equal((await owner.submit(page.form('/admin/plugins/activate'))).status, 403)
    assert.equal((await get('useful')).state, 'inactive')
    assert.equal((await site.api('SVC_Plugins.get', { id: 'later' })).json.error.code, 'not_found')
    const remove = (await owner.open('/admin/plugins')).form('/admin/plugins/delete')
    assert.equal(remove.fields['password'], '')
    assert.equal((await owner.submit(remove)).status, 403)
    assert.equal((await get('useful')).state, 'inactive', 'it is still there')
    const activated = await owner.submit(page.form('/admin/plugins/activate'), { password: ownersPassword })
    assert.equal(activated.status, 303, activated.text)
    assert.equal((await upload(zip)).status, 303, 'and then not again')
  } finally {
    await signInAnew()
  }
})

test('settings are saved, faults stand beside their fields, and a secret is never shown and stays while its field is empty', async () => {
  const settings = {
    many: { kind: 'number', label: 'How many', default: 3 },
    loud: { kind: 'boolean', label: 'Loud' },
    size: { kind: 'choice', label: 'Size', options: ['small', 'large'], default: 'small' },
    key: { kind: 'secret', label: 'Key' },
  }
  await install(smallPlugin('chosen', { settings }))
  const open = async () => (await owner.open('/admin/plugins/settings?id=chosen')).form('/admin/plugins/settings')
  const values = async () => (await get('chosen')).settings.map(({ value }: { value: unknown }) => value)
  const filled = { 'setting-many': '5', 'setting-loud': 'yes', 'setting-size': 'large', 'setting-key': 'hush-hush' }
  assert.equal((await owner.submit(await open(), filled)).status, 303)
  assert.deepEqual(await values(), [5, true, 'large', true])
  const form = await open()
  assert.equal(form.fields['setting-key'], '')
  const wrong = await owner.submit(form, { 'setting-many': 'a few' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /id="e-setting-many"/)
  assert.ok(!wrong.text.includes('hush'))
  assert.equal((await owner.submit(form, { 'setting-many': '' })).status, 303)
  assert.deepEqual(await values(), [3, true, 'large', true])
  assert.equal((await owner.submit(form, { 'setting-key-clear': 'yes' })).status, 303)
  assert.equal((await values())[3], false)
})

test('a plugin that fails when it is activated is shown quarantined, with the reason', async () => {
  await install(smallPlugin('broken', {}, "throw new Error('no luck')"))
  const page = await owner.open('/admin/plugins/activate?id=broken')
  const answer = await owner.submit(page.form('/admin/plugins/activate'))
  assert.equal(answer.status, 500)
  assert.match(answer.text, /no luck/)
  const list = await owner.open('/admin/plugins')
  assert.match(list.text, /Quarantined/)
  assert.match(list.text, /no luck/)
})

test('what a package calls itself is text', async () => {
  await install(smallPlugin('loud', { name: '<b>Loud</b>', description: '<script>alert(1)</script>' }))
  const { text } = await owner.open('/admin/plugins')
  assert.ok(text.includes('&lt;b&gt;Loud'))
  assert.ok(!text.includes('<script>'))
})

const emptyPart = '--xXx\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'

const hostile: readonly { rule: string; body: (whole: Buffer, parts: readonly Part[]) => Uint8Array; type?: string }[] = [
  { rule: 'cut off in the file', body: (whole) => whole.subarray(0, whole.length - 40) },
  { rule: 'cut off before the first part', body: () => Buffer.from('--xX') },
  { rule: 'empty', body: () => new Uint8Array(0) },
  { rule: 'without a boundary', body: (whole) => whole, type: 'multipart/form-data' },
  { rule: 'with an empty boundary', body: (whole) => whole, type: 'multipart/form-data; boundary=' },
  { rule: 'with another boundary', body: (whole) => whole, type: 'multipart/form-data; boundary=yYy' },
  {
    rule: 'of 100,000 parts',
    body: (whole) => Buffer.concat([Buffer.from(emptyPart.repeat(100_000)), whole]),
  },
  { rule: 'with a field twice', body: (_whole, all) => multipart([...all.slice(0, 1), ...all]) },
  { rule: 'with two files', body: (_whole, all) => multipart([...all, ...all.slice(-1)]) },
  { rule: 'with a field of 20 KiB', body: (_whole, all) => multipart([{ name: 'x', text: 'x'.repeat(20_000) }, ...all]) },
  { rule: 'that is JSON', body: () => Buffer.from('{}'), type: 'application/json' },
]
for (const { rule, body, type } of hostile) {
  test(`attack 107: a form ${rule} is 400 in time, and leaves nothing`, async () => {
    const all = await parts(await smallPlugin('never'))
    const answer = await post(body(multipart(all), all), type ?? 'multipart/form-data; boundary=xXx')
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual(await incoming(), [])
    assert.equal((await site.api('SVC_Plugins.get', { id: 'never' })).json.error.code, 'not_found')
  })
}

test('attack 107: a field named __proto__ is a field like any other', async () => {
  const all = await parts(await smallPlugin('plain'))
  assert.equal((await post(multipart([{ name: '__proto__', text: 'x' }, ...all]))).status, 303)
  assert.equal(({} as { x?: string }).x, undefined)
})

test('attack 69: an upload that another site sent, or without the form’s own token, is refused', async () => {
  const all = await parts(await smallPlugin('never'))
  assert.equal((await post(multipart(all), undefined, { 'sec-fetch-site': 'cross-site' })).status, 403)
  assert.equal((await post(multipart(all.slice(1)))).status, 403)
  assert.equal((await site.api('SVC_Plugins.get', { id: 'never' })).json.error.code, 'not_found')
  assert.deepEqual(await incoming(), [])
})

test('an editor has no page of plugins, and uploads nothing', async () => {
  const { link } = await site.call('SVC_Accounts.create', { email: 'editor@example.org', name: 'Editor', role: 'content' })
  const editor = openVisitor(site)
  const page = await editor.open(link as string)
  const signedIn = await editor.submit(page.form('/admin/new-password'), { password: 'another long password' })
  assert.equal(signedIn.status, 303, signedIn.text)
  assert.ok(!(await editor.open('/admin/')).text.includes('/admin/plugins'))
  assert.equal((await editor.open('/admin/plugins')).status, 403)
  assert.equal((await editor.open('/admin/plugins/activate?id=legacy-bridge')).status, 403)
})

for (const javaScriptEnabled of [true, false]) {
  deepTest(
    `in a browser ${javaScriptEnabled ? 'with' : 'without'} script: upload, activate, settings, delete`,
    { skip: noBrowser },
    async () => {
      const browser = await openBrowser()
      try {
        const context = await openContext(browser, { javaScriptEnabled, viewport: { width: 390, height: 844 } })
        await walk(await context.newPage(), async (page, what) => (javaScriptEnabled ? holdAccessible(page, what) : undefined))
      } finally {
        await browser.close()
      }
    },
  )
}

async function walk(page: BrowserPage, look: (page: BrowserPage, what: string) => Promise<void>): Promise<void> {
  await page.goto(`${site.base}/admin/sign-in?next=/admin/plugins`)
  await page.getByLabel('E-mail').fill('owner@example.org')
  await page.getByLabel('Password').fill(ownersPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await look(page, 'plugins')
  const buffer = await zipOfFixture('useful')
  await page.getByLabel('Package').setInputFiles({ name: 'useful.zip', mimeType: 'application/zip', buffer })
  await page.getByRole('button', { name: 'Install' }).click()
  await page.getByText('Installed.').waitFor()
  await look(page, 'plugins, one installed')
  await page.getByRole('link', { name: /Activate\s+Useful/ }).click()
  await look(page, 'activate')
  await page.getByRole('button', { name: 'Allow and activate' }).click()
  await page.getByText('Activated a plugin. Activity can undo it.').waitFor()
  await page.getByRole('link', { name: /Settings\s+of Useful/ }).click()
  await look(page, 'settings')
  await page.getByLabel('Greeting').fill('Good day')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Changed the settings of a plugin.').waitFor()
  await page.locator('summary', { hasText: 'Delete Useful' }).click()
  await page.getByRole('button', { name: 'Delete Useful' }).click()
  await page.getByText('Deleted a plugin.').waitFor()
}
