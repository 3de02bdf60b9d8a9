// Nothing in the background holds callers up: the delay of the event loop while thousands of idle connections stand and all background work runs. What
// the machine itself does to a process that has nothing to do is measured in the same minute, and allowed for.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSite } from '../site.ts'
import { until } from '../until.ts'
import { freePort } from '../free-port.ts'

const idleConnections = 5000
const mostSeconds = 0.02

/** A process that only measures, and tells the 99th percentile of the delay of its event loop in seconds when its input ends. */
const watcher = `
  const delays = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  process.stdin.resume().on('end', () => console.log(Math.max(0, delays.percentile(99) / 1e9 - 0.02)))
`

async function openIdle(port: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < idleConnections) {
    const some = Array.from({ length: 250 }, () => connect(port, '127.0.0.1'))
    await Promise.all(some.map((socket) => once(socket, 'connect')))
    for (const socket of some) socket.on('error', () => undefined).resume()
    sockets.push(...some)
  }
  return sockets
}

test('with 5,000 idle connections, the health check, backups, due publications and renders delay the event loop by less than 20 ms', async () => {
  const port = await freePort()
  await using site = await openSite({
    ownProcess: true,
    env: {
      POSTERN_PORT: String(port),
      POSTERN_BASE_URL: `http://localhost:${port}`,
      POSTERN_HEADERS_SECONDS: '300',
      POSTERN_RATE_LIMITS: 'off',
    },
  })
  const body = '## A heading\n\nSome *words*, and a [link](/about).\n\n'.repeat(400)
  const create = (title: string) => site.call('SVC_Content.create', { type: 'post', title, body })
  for (let made = 0; made < 60; made++) await create(`Entry ${made}`)
  const sockets = await openIdle(port)
  const delays = async () => {
    const { text } = await site.send('/metrics')
    return Number(/^postern_event_loop_delay_seconds\{quantile="0\.99"\} (\S+)$/m.exec(text)?.[1])
  }
  try {
    await delays() // The service measures from the first look on.
    const machine = spawn(process.execPath, ['-e', watcher], { stdio: ['pipe', 'pipe', 'inherit'] })
    let said = ''
    machine.stdout.on('data', (part) => (said += String(part)))
    const ended = once(machine, 'close')
    let turn = 0
    for (const ends = Date.now() + 45_000; Date.now() < ends; turn++) {
      const at = new Date(Date.now() + 3000).toISOString()
      const { item } = await create(`Due ${turn}`)
      await site.call('SVC_Content.publish', { id: item.id, at })
      await site.call('SVC_Content.get', { id: item.id, format: 'html' })
      if (turn % 10 === 0) await site.call('SVC_Backup.create')
      for (let call = 0; call < 5; call++) await site.api('SVC_API.welcome')
      await sleep(100)
    }
    const found = await delays()
    machine.stdin.end()
    await ended
    const idle = Number(said)
    assert.ok(turn > 5, `${turn} turns`)
    const jobs = (await site.call('SVC_Jobs.list')).items as { call: string; finished_at: string | null }[]
    const check = jobs.find(({ call }) => call === 'SVC_Health.check')
    assert.ok(check?.finished_at, 'the health check after the start was among it')
    assert.ok(found < mostSeconds + 2 * idle, `the 99th percentile is ${found} s; that of an idle process ${idle} s`)
    await until('due entries are public', async () => {
      const { items } = await site.call('SVC_Content.list', { where: { status: 'published' }, limit: 1 })
      return items.length === 1
    })
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})
