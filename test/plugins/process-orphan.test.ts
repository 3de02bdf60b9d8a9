// A plugin's process doesn't outlive the site, however that ends. This file is its own site, when it is run with an argument.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '../until.ts'
import { firstAction, isAlive, openPlugin } from './processes.ts'

const [, , plugin] = process.argv

if (plugin !== undefined) {
  const { plugin: opened } = await openPlugin(plugin, { limits: { timeoutMs: 60_000 } })
  opened.run(firstAction, [{}]).catch(() => undefined)
  process.stdout.write(`${opened.pid}\n`)
} else {
  for (const [id, what] of [
    ['loops', 'a busy one'],
    ['never-settles', 'an idle one'],
  ] as const) {
    test(`${what} dies with a site that is killed`, async () => {
      const site = spawn(process.execPath, [fileURLToPath(import.meta.url), id], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [line] = (await once(createInterface(site.stdout), 'line')) as [string]
      const pid = Number(line)
      try {
        assert.equal(isAlive(pid), true)
        site.kill('SIGKILL')
        await until('its end', () => !isAlive(pid))
      } finally {
        if (isAlive(pid)) process.kill(pid, 'SIGKILL')
      }
    })
  }
}
