// A plugin's process for a test: one of the fixtures, what it said, and the certainty that it is gone at the end.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import {
  type Ask,
  type PluginLogLine,
  type PluginFatal,
  type PluginProcess,
  type ProcessLimits,
  type ProcessOptions,
  startPluginProcess,
} from '../../src/plugins/process.ts'
import type { RunTarget } from '../../src/plugins/registered.ts'
import { root } from '../site.ts'

export const fixtures = join(root, 'test', 'fixtures', 'plugins')

export interface OpenOptions extends Partial<Pick<ProcessOptions, 'settings' | 'folder' | 'hostFile'>> {
  readonly limits?: Partial<ProcessLimits>
  readonly main?: string
  /** Answers what the plugin asks; an empty object unless given. */
  readonly ask?: (ask: Ask) => Promise<unknown>
}

/** A process of the fixture `id`, and all that it said. */
export interface OpenPlugin extends AsyncDisposable {
  readonly plugin: PluginProcess
  readonly asks: readonly Ask[]
  readonly logs: readonly PluginLogLine[]
  readonly prints: readonly string[]
}

/** The first action that a fixture registers. */
export const firstAction: RunTarget = { kind: 'action', index: 0 }

/** @throws PluginFatal where it doesn't start */
export async function openPlugin(id: string, { limits, main = 'index.js', ask, ...rest }: OpenOptions = {}): Promise<OpenPlugin> {
  const [asks, logs, prints]: [Ask[], PluginLogLine[], string[]] = [[], [], []]
  const plugin = await startPluginProcess({
    manifest: { id, name: id, version: '1.0.0', main },
    folder: join(fixtures, id),
    settings: {},
    ask: async (asked) => {
      asks.push(asked)
      return ask === undefined ? {} : ask(asked)
    },
    onLog: (line) => logs.push(line),
    onPrint: (text) => prints.push(text),
    // What is tested here isn't how fast a machine starts Node.
    limits: { startMs: 30_000, ...limits },
    ...rest,
  })
  return {
    plugin,
    asks,
    logs,
    prints,
    async [Symbol.asyncDispose]() {
      await plugin.end()
      assert.equal(isAlive(plugin.pid), false, `the process of ${id} is gone`)
    },
  }
}

/** What a promise is rejected with, which must be a PluginFatal. */
export async function fatalOf(promise: Promise<unknown>): Promise<PluginFatal> {
  const outcome = await promise.then(
    (value) => assert.fail(`no fatal, but ${JSON.stringify(value)}`),
    (error: PluginFatal) => error,
  )
  assert.equal(outcome.name, 'PluginFatal', String(outcome))
  return outcome
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
