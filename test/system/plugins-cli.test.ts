// Plugins from the operator's shell, beside a running service: results on standard output, words on standard error, codes that mean something.

import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { fixture, smallPlugin, zipOfFixture } from '../packages.ts'
import { pluginCalls } from '../plugin-calls.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
let scratch: string
const { deleteAll, get } = pluginCalls(() => site)
before(async () => {
  site = await openSite()
  scratch = await mkdtemp(join(tmpdir(), 'postern-plugins-'))
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await rm(scratch, { recursive: true, force: true })
})
afterEach(deleteAll)

/** Runs a command that must succeed, and answers what it printed. */
async function plugin(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { code, ...texts } = await site.postern(['plugin', ...args])
  assert.equal(code, 0, texts.stderr)
  return texts
}

const word = { word: { kind: 'secret', label: 'Word' } }

async function signedCopy(name: string, key: string, manifest: Record<string, unknown> = {}): Promise<string> {
  const folder = join(scratch, name)
  await cp(fixture('useful'), folder, { recursive: true })
  const json = { id: 'useful', name: 'Useful', version: '1.0.0', main: 'index.js', may: ['call:SVC_Content.*'], ...manifest }
  await writeFile(join(folder, 'plugin.json'), JSON.stringify(json))
  await plugin('sign', folder, '--key', key)
  return folder
}

test('install, activate, deactivate and delete: ids on standard output, rights in words on standard error, seen by the running service', async () => {
  const zip = join(scratch, 'useful.zip')
  await writeFile(zip, await zipOfFixture('useful'))
  const installed = await plugin('install', zip)
  assert.equal(installed.stdout, 'useful\n')
  assert.match(installed.stderr, /call every action of SVC_Content {2}\(call:SVC_Content\.\*\)/)
  assert.match(installed.stderr, /postern plugin activate useful/)
  const activated = await plugin('activate', 'useful')
  assert.equal(activated.stdout, 'useful\n')
  assert.match(activated.stderr, /Once active, Useful may:\n {2}call every action of SVC_Content/)
  await until(
    'the service sees it',
    async () => (await site.api('USEFUL_Words.count', { text: 'one two' })).json.data?.words === 2,
  )
  assert.match((await plugin('list')).stdout, /^useful\t1\.0\.0\tactive\tUseful$/m)
  await plugin('deactivate', 'useful')
  await until(
    'the service sees it',
    async () => (await site.api('USEFUL_Words.count', { text: 'x' })).json.error?.code === 'unknown_action',
  )
  assert.equal((await plugin('delete', 'useful')).stdout, 'useful\n')
  assert.doesNotMatch((await plugin('list')).stdout, /useful/)
})

test('a folder is installed as a zip is, and with --json the whole item is printed', async () => {
  const { stdout } = await plugin('install', fixture('useful'), '--json')
  const item = JSON.parse(stdout)
  assert.deepEqual([item.id, item.state, item.may[0].right], ['useful', 'inactive', 'call:SVC_Content.*'])
  const listed = JSON.parse((await plugin('list', '--json')).stdout) as { id: string }[]
  assert.deepEqual(
    listed.map(({ id }) => id),
    ['legacy-bridge', 'useful'],
  )
})

test('settings are given as key=value by their kind, and secrets on standard input', async () => {
  const zip = join(scratch, 'settings.zip')
  const settings = {
    many: { kind: 'number', label: 'Many' },
    loud: { kind: 'boolean', label: 'Loud' },
    word: { kind: 'text', label: 'Word', default: 'none' },
    key: { kind: 'secret', label: 'Key' },
  }
  await writeFile(zip, await smallPlugin('chosen', { settings }))
  await plugin('install', zip)
  await plugin('configure', 'chosen', 'many=3', 'loud=true', 'word=42')
  const values = async () => (await get('chosen')).settings.map(({ value }: { value: unknown }) => value)
  assert.deepEqual(await values(), [3, true, '42', false])
  const { code, stdout, stderr } = await site.postern(['plugin', 'configure', 'chosen', '-'], '{"key": "hush-hush"}')
  assert.equal(code, 0, stderr)
  assert.ok(!`${stdout}${stderr}`.includes('hush'))
  await writeFile(join(scratch, 'word'), 'from a file')
  await plugin('configure', 'chosen', `word=@${join(scratch, 'word')}`)
  assert.equal((await values())[2], 'from a file')
  await plugin('configure', 'chosen', 'word=')
  assert.deepEqual(await values(), [3, true, 'none', true])
})

test('an update must be signed by whoever signed what is there', async () => {
  const key = join(scratch, 'author.key')
  const first = await signedCopy('first', key)
  assert.equal((await stat(key)).mode & 0o777, 0o600)
  const installed = JSON.parse((await plugin('install', first, '--json')).stdout)
  assert.ok(installed.signer)
  const others = await signedCopy('others', join(scratch, 'other.key'), { version: '1.1.0' })
  const refused = await site.postern(['plugin', 'update', others])
  assert.equal(refused.code, 4, refused.stderr)
  assert.match(refused.stderr, /was signed by/)
  const next = await signedCopy('next', key, { version: '1.1.0' })
  assert.equal(JSON.parse((await plugin('update', next, '--json')).stdout).version, '1.1.0')
})

test('what a deleted plugin left is given to no package that another key signed', async () => {
  await site.postern(['plugin', 'delete', 'useful'])
  await plugin('install', await signedCopy('kept', join(scratch, 'kept.key'), { settings: word }))
  await plugin('configure', 'useful', 'word=sesame')
  await plugin('delete', 'useful', '--keep-data')
  const thief = await signedCopy('thief', join(scratch, 'thief.key'), { settings: word })
  assert.match((await plugin('install', thief)).stderr, /signed by another key/)
  assert.equal((await site.call('SVC_Plugins.get', { id: 'useful' })).item.settings[0].value, false, 'no secret is set')
})

test('attack 115: a package that was changed after it was signed is refused, and nothing of it runs', async () => {
  const folder = await signedCopy('changed', join(scratch, 'changed.key'))
  await writeFile(join(folder, 'index.js'), 'export function activate() {}\n')
  const { code, stderr } = await site.postern(['plugin', 'install', folder])
  assert.equal(code, 4, stderr)
  assert.match(stderr, /changed after it was signed/)
})

for (const { rule, args, code } of [
  { rule: 'no words', args: [], code: 2 },
  { rule: 'no package', args: ['install'], code: 2 },
  { rule: 'a package that is not there', args: ['install', '/nowhere/x.zip'], code: 3 },
  { rule: 'a plugin that is not there', args: ['activate', 'nobody'], code: 3 },
  { rule: 'a word that is no setting', args: ['configure', 'legacy-bridge', 'scope'], code: 2 },
  { rule: 'a setting that is not there', args: ['configure', 'legacy-bridge', 'colour=red'], code: 2 },
  { rule: 'what is bundled is not deleted', args: ['delete', 'legacy-bridge'], code: 4 },
  { rule: 'an address of this machine', args: ['install', 'http://127.0.0.1:1/x.zip'], code: 5 },
  { rule: 'a folder that is no plugin', args: ['sign', '/nowhere', '--key', '/nowhere.key'], code: 3 },
]) {
  test(`postern plugin ${args.join(' ')} (${rule}) ends with ${code}`, async () => {
    const answer = await site.postern(['plugin', ...args])
    assert.equal(answer.code, code, answer.stderr)
    assert.equal(answer.stdout, '')
    assert.notEqual(answer.stderr, '')
  })
}
