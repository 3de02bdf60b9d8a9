// The bridge that comes with Postern: whose key is right is let in, everybody else has the answer of old, byte by byte.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { KeyAnswer, KeyRequest, PluginModule, Postern } from '../../src/plugins/api.ts'
import { bundledPlugins } from '../../src/plugins/bundled.ts'
import { root } from '../site.ts'

async function authenticateWith(settings: Postern['settings']): Promise<(key: string | null) => Promise<KeyAnswer>> {
  const file = pathToFileURL(join(root, 'src', 'plugins', 'bundled', 'legacy-bridge', 'index.js')).href
  const { activate } = (await import(file)) as PluginModule
  let registered: ((request: KeyRequest) => KeyAnswer | Promise<KeyAnswer>) | undefined
  const postern: Partial<Postern> = { settings, authenticate: (fn) => void (registered = fn) }
  await activate(postern as Postern)
  return async (key) => registered?.({ door: 'api', path: '/api/', key })
}

const rejection = {
  status: 401,
  type: 'text/html',
  body: '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Invalid or missing API key."},"id":null}',
}

const told = (answer: KeyAnswer) => {
  assert.ok(answer && 'status' in answer)
  assert.match(answer.headers?.['access-control-allow-headers'] ?? '', /X-API-Key/)
  return { status: answer.status, type: answer.headers?.['content-type'], body: answer.body }
}

test('the right key is let in with the scope and name that the owner chose', async () => {
  const ask = await authenticateWith({ api_key: 'k-1', scope: 'content', name: 'Old scripts' })
  assert.deepEqual(await ask('k-1'), { scope: 'content', name: 'Old scripts' })
})

for (const [rule, settings, key] of [
  ['a wrong key', { api_key: 'k-1' }, 'k-2'],
  ['no key', { api_key: 'k-1' }, null],
  ['a key that begins like the right one', { api_key: 'k-1' }, 'k-11'],
  ['an empty key where none is set', {}, ''],
  ['an empty key where an empty one is set', { api_key: '' }, ''],
  ['any key where none is set', {}, 'undefined'],
] as const) {
  test(`${rule} is answered 401, with the JSON that says text/html`, async () => {
    assert.deepEqual(told(await (await authenticateWith({ ...settings }))(key)), rejection)
  })
}

test('it is bundled, asks for one right, and lets in as admin unless told otherwise', () => {
  const manifest = bundledPlugins().get('legacy-bridge')?.manifest
  assert.deepEqual(manifest?.may, ['authenticate'])
  assert.equal(manifest?.settings['scope']?.default, 'admin')
  assert.equal(manifest?.settings['api_key']?.kind, 'secret')
})
