// How a plugin comes and goes: packages by each way in, what is refused of them, and what is left on the disk.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { smallPlugin, zipOf, zipOfFixture } from '../packages.ts'
import { base64, pluginCalls } from '../plugin-calls.ts'
import { readRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
const { activateUseful, deleteAll, get, install, installUseful, placed, pluginsFolder } = pluginCalls(() => site)
before(async () => {
  site = await openSite()
})
after(() => site[Symbol.asyncDispose]())
afterEach(deleteAll)

test('a zip becomes a plugin that is inactive, with its rights in words, files 644 and folders 755', async () => {
  const { item, activity_id: activity } = await installUseful()
  assert.equal(item.state, 'inactive')
  assert.equal(item.version, '1.0.0')
  assert.equal(item.confirmed, false)
  assert.deepEqual(item.may, [{ right: 'call:SVC_Content.*', means: 'call every action of SVC_Content' }])
  assert.deepEqual(item.actions, [])
  assert.ok(activity)
  const [hash = ''] = await readdir(join(pluginsFolder(), 'useful'))
  assert.match(hash, /^[0-9a-f]{16}$/)
  const folder = join(pluginsFolder(), 'useful', hash)
  assert.equal((await stat(folder)).mode & 0o777, 0o755)
  assert.equal((await stat(join(folder, 'index.js'))).mode & 0o777, 0o644)
})

test('the same package again changes nothing; another one of its id exists', async () => {
  await installUseful()
  const again = await install(zipOfFixture('useful'))
  assert.deepEqual([again.json.data.changed, again.json.data.activity_id], [[], null])
  const other = await install(zipOfFixture('useful', { version: '1.0.1' }))
  assert.equal(other.json.error.code, 'exists')
  assert.match(other.json.error.hint, /SVC_Plugins\.update/)
  assert.equal((await readdir(join(pluginsFolder(), 'useful'))).length, 1, 'nothing is left of what was refused')
})

const badInputs: readonly { rule: string; input: () => Promise<Record<string, unknown>>; code: string; field?: string }[] = [
  { rule: 'no package at all', input: async () => ({}), code: 'invalid', field: 'base64' },
  {
    rule: 'a package in two ways',
    input: async () => ({ base64: 'AA==', url: 'https://example.org/x.zip' }),
    code: 'invalid',
    field: 'base64',
  },
  { rule: 'what is no base64', input: async () => ({ base64: '§§' }), code: 'invalid', field: 'base64' },
  { rule: 'a zip that is none', input: async () => ({ base64: base64(Buffer.from('hello')) }), code: 'unprocessable' },
  {
    rule: 'another zip than its sha256 says',
    input: async () => ({ base64: base64(await smallPlugin('other')), sha256: '0'.repeat(64) }),
    code: 'unprocessable',
    field: 'sha256',
  },
  { rule: 'a path, but on the command line', input: async () => ({ path: '/etc/passwd' }), code: 'refused', field: 'path' },
  { rule: 'an upload that is not there', input: async () => ({ upload_id: '01k00000000000000000000000' }), code: 'not_found' },
  { rule: 'an upload that is a path', input: async () => ({ upload_id: '../../data/postern.db' }), code: 'not_found' },
  { rule: 'an address of this machine', input: async () => ({ url: 'http://127.0.0.1/x.zip' }), code: 'unreachable' },
  {
    rule: 'attack 115: an id that leads elsewhere',
    input: async () => ({ base64: base64(await smallPlugin('../x')) }),
    code: 'unprocessable',
    field: 'id',
  },
  {
    rule: 'attack 109: a name that leads elsewhere',
    input: async () => ({ base64: base64(hostile(await zipOf({ 'plugin.json': '{}', 'aa/evil.js': '' }))) }),
    code: 'unprocessable',
  },
  {
    rule: 'attack 114: an id whose classes are the core’s',
    input: async () => ({ base64: base64(await smallPlugin('svc')) }),
    code: 'unprocessable',
    field: 'id',
  },
  {
    rule: 'the id of a bundled plugin',
    input: async () => ({ base64: base64(await smallPlugin('legacy-bridge')) }),
    code: 'exists',
  },
]

/** The same zip with a name in it that leads out of its folder. */
const hostile = (zip: Buffer): Buffer => Buffer.from(zip.toString('latin1').replaceAll('aa/evil.js', '../evil.js'), 'latin1')

for (const { rule, input, code, field } of badInputs) {
  test(`not installed: ${rule}; nothing of it is left`, async () => {
    // The job of a failed call stays for a week: it says what became of the call.
    const leftOut = ['token_use', 'job']
    const rows = await readRows(site.home, leftOut)
    const before = await placed()
    const answer = await site.api('SVC_Plugins.install', await input())
    assert.equal(answer.json.error?.code, code, answer.text)
    if (field !== undefined) assert.equal(answer.json.error.field, field, answer.text)
    assert.deepEqual(await placed(), before)
    assert.deepEqual(await readRows(site.home, leftOut), rows)
  })
}

test('where the staging directory can’t be made, that is said, with the path and what to do; and it works once that is done', async () => {
  await rename(pluginsFolder(), `${pluginsFolder()}-aside`)
  await writeFile(pluginsFolder(), 'in the way')
  try {
    const answer = await install(zipOfFixture('useful'))
    assert.equal(answer.status, 503, answer.text)
    assert.match(answer.json.error.message, /staging directory could not be created/)
    assert.ok(answer.json.error.message.includes(pluginsFolder()))
  } finally {
    await rm(pluginsFolder())
    await rename(`${pluginsFolder()}-aside`, pluginsFolder())
  }
  await installUseful()
})

test('a zip with the SHA-256 that was meant is installed', async () => {
  const zip = await zipOfFixture('useful')
  const answer = await install(zip, { sha256: createHash('sha256').update(zip).digest('hex').toUpperCase() })
  assert.equal(answer.json.success, true, answer.text)
})

test('attack 87: dry_run of install tells the item and leaves no file and no row; it sends no request', async () => {
  const rows = await readRows(site.home)
  const before = await placed()
  const dry = await install(zipOfFixture('useful'), { dry_run: true })
  assert.equal(dry.json.data.item.id, 'useful', dry.text)
  assert.equal(
    (await site.api('SVC_Plugins.install', { url: 'https://example.org/x.zip', dry_run: true })).json.error.code,
    'refused',
  )
  assert.deepEqual(await placed(), before)
  assert.deepEqual(await readRows(site.home), rows)
})

test('deleting takes the files, and the settings unless they are to be kept; the wrong number does nothing', async () => {
  await installUseful()
  await site.call('SVC_Plugins.configure', { id: 'useful', settings: { words_per_minute: 5 } })
  const wrong = await site.api('SVC_Plugins.delete', { id: 'useful', expect: 2 })
  assert.deepEqual([wrong.json.error.code, wrong.json.error.expected], ['conflict', 1])
  const wordsPerMinute = async () => (await get('useful')).settings[0].value as number
  await site.call('SVC_Plugins.delete', { id: 'useful', expect: 1, keep_data: true })
  assert.equal(existsSync(join(pluginsFolder(), 'useful')), false)
  assert.equal((await site.api('SVC_Plugins.get', { id: 'useful' })).json.error.code, 'not_found')
  await installUseful()
  assert.equal(await wordsPerMinute(), 5)
  await site.call('SVC_Plugins.delete', { id: 'useful', expect: 1 })
  await installUseful()
  assert.equal(await wordsPerMinute(), 200)
})

test('an active plugin that is deleted is gone at once; a bundled one is not to be deleted', async () => {
  await installUseful()
  await activateUseful()
  await site.call('SVC_Plugins.delete', { id: 'useful', expect: 1 })
  assert.equal((await site.api('USEFUL_Words.count', { text: 'x' })).json.error.code, 'unknown_action')
  assert.equal((await site.api('SVC_Plugins.delete', { id: 'legacy-bridge', expect: 1 })).json.error.code, 'refused')
})
