// One kept plugin: whatever comes at whatever moment, none of its processes is left behind.

import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../../src/base/log.ts'
import { createKeeper, type Keeper, type PluginError, startChecked } from '../../src/plugins/keeper.ts'
import { nothingRegistered, type Plugin } from '../../src/plugins/plugin-store.ts'
import { until } from '../until.ts'
import { firstAction, isAlive } from './processes.ts'

const schema = { type: 'object', properties: {} } as const
const declared = {
  class: 'KEPT_Words',
  action: 'say',
  summary: 'Says.',
  tier: 'any',
  effect: 'read',
  input: schema,
  output: schema,
}
const registered = { ...nothingRegistered, actions: [{ ...declared, examples: [] }] } as Plugin['registered']

interface Kept extends AsyncDisposable {
  readonly keeper: Keeper
  /** Of every process that was started. */
  readonly pids: readonly number[]
  readonly fatals: readonly PluginError[]
}

/** A keeper of a plugin with one action, of this class, that answers at once. */
async function keep({ className = declared.class, idleMs = 60_000, also = '', hooks = 0 }): Promise<Kept> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-kept-'))
  const action = JSON.stringify({ ...declared, class: className })
  await writeFile(
    join(folder, 'index.js'),
    `export const activate = (postern) => {\n  postern.action({ ...${action}, run: ({ breaks }) => (breaks ? process.exit(0) : {}) })\n  ${also}\n}\n`,
  )
  const manifest = { id: 'kept', name: 'Kept', version: '1.0.0', main: 'index.js', description: '', may: [], settings: {} }
  const about = { id: 'kept', name: 'Kept', version: '1.0.0', package: 'as-bundled', bundled: true, signer: null, reason: null }
  const plugin: Plugin = {
    ...about,
    manifest,
    state: 'active',
    may: [],
    settings: {},
    registered: { ...registered, hooks },
    revision: 1,
  }
  const pids: number[] = []
  const fatals: PluginError[] = []
  const log = createLog('debug', (_line, _level, { pid }) => void (typeof pid === 'number' && pids.push(pid)))
  const ask = () => Promise.resolve({})
  const told = { onPrint: () => undefined, onFatal: (error: PluginError) => void fatals.push(error) }
  const keeper = createKeeper({ plugin, folder, ask, log, now: Date.now, ...told, idleMs })
  return {
    keeper,
    pids,
    fatals,
    async [Symbol.asyncDispose]() {
      await keeper.close()
      await rm(folder, { recursive: true })
    },
  }
}

test('a call that comes while an idle process ends gets one that is kept, and none is left at the end', async () => {
  const { keeper, pids, ...kept } = await keep({ idleMs: 30 })
  for (let round = 0; round < 6; round++) {
    await keeper.run(firstAction, [{}])
    await sleep(31)
  }
  await keeper.run(firstAction, [{}])
  await keeper.close()
  await kept[Symbol.asyncDispose]()
  await until('all of them have gone', () => pids.every((pid) => !isAlive(pid)))
})

test('attack 114: a plugin that registers another’s class once it is active has broken, and its process ends', async () => {
  await using kept = await keep({ className: 'SVC_Content' })
  for (let calls = 0; calls < 3; calls++) await assert.rejects(kept.keeper.run(firstAction, [{}]), { code: 'failed' })
  assert.equal(kept.fatals.length, 3)
  assert.match(kept.fatals[0]?.message ?? '', /activate it anew/)
})

test('a question that went down with what another call did is asked once more; one that broke alone is not', async () => {
  await using kept = await keep({
    also: `postern.beforeDispatch(async ({ waits, breaks }) => {
      if (waits) await new Promise((resolve) => setTimeout(resolve, 200))
      if (breaks) process.exit(0)
      return { refuse: 'no' }
    })`,
    hooks: 1,
  })
  const ask = (input: object) => kept.keeper.run({ kind: 'hook', index: 0 }, [input])
  const [asked, broke] = await Promise.allSettled([ask({ waits: true }), kept.keeper.run(firstAction, [{ breaks: true }])])
  assert.deepEqual(asked, { status: 'fulfilled', value: { refuse: 'no' } })
  assert.equal(broke.status, 'rejected')
  assert.equal(kept.fatals.length, 1)
  await assert.rejects(ask({ breaks: true }), { code: 'failed' })
  assert.equal(kept.fatals.length, 2)
})

test('files that are gone are not what was installed; of those that can’t be read that is not said', async () => {
  await using kept = await keep({})
  const start = (folder: string) => {
    const { manifest, settings } = kept.keeper.plugin
    const ignore = () => undefined
    const options = { manifest, settings, folder, ask: async () => ({}), onLog: ignore, onPrint: ignore }
    return startChecked({ ...kept.keeper.plugin, bundled: false }, options)
  }
  const folder = await mkdtemp(join(tmpdir(), 'postern-kept-'))
  await symlink('endless', join(folder, 'endless'))
  await assert.rejects(start(join(folder, 'endless')), { name: 'Failure', code: 'unavailable' })
  await assert.rejects(start(join(folder, 'gone')), { name: 'PluginFatal', message: /not those that were installed/ })
  await rm(folder, { recursive: true })
})
