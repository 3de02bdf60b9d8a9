// The processes of a benchmark: the built service with its own home, and the servers that it is compared with. `stopAll` ends all
// of them.

import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { root } from '../ready.mjs'

const children = new Set()

/** Ends every child process: with SIGTERM, and after three seconds with SIGKILL. */
export async function stopAll() {
  await Promise.all([...children].map(stop))
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 3000)
  await exit
  clearTimeout(late)
}

function keep(child) {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** The environment of the measured service: as in production, but without rate limits. */
export function serviceEnv(home, port) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('POSTERN_'))
  return {
    ...Object.fromEntries(inherited),
    NODE_ENV: 'production',
    POSTERN_HOME: home,
    POSTERN_PORT: String(port),
    POSTERN_RATE_LIMITS: 'off',
    POSTERN_LOG_LEVEL: 'warn',
  }
}

/**
 * Starts the built service and waits for its first answer.
 * @param {{ home: string, profileDir?: string, tree?: string }} options profileDir: the folder to which V8 writes the profile of
 * the whole run at the end; tree: the checkout whose build runs, this one by default
 * @returns address, pid, `startMs` from spawn to the first 200 of /healthz, and `stop`
 */
export async function startService({ home, profileDir, tree = root }) {
  const port = await freePort()
  const profile = profileDir ? ['--cpu-prof', '--cpu-prof-dir', profileDir] : []
  const began = performance.now()
  const child = keep(
    spawn(process.execPath, [...profile, join(tree, 'dist', 'main.js')], {
      cwd: tree,
      env: serviceEnv(home, port),
      // Log lines are written, as in production, but not read.
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  )
  let said = ''
  child.stderr.on('data', (part) => (said += part))
  const address = `http://127.0.0.1:${port}`
  while (!(await alive(address))) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}: ${said}`)
    if (performance.now() - began > 20_000) throw new Error(`The service does not answer: ${said}`)
    await sleep(5)
  }
  return { address, pid: child.pid, startMs: performance.now() - began, stop: () => stop(child) }
}

async function alive(address) {
  try {
    const response = await fetch(`${address}/healthz`)
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false // nothing listens yet
  }
}

/** A TCP port that is free now. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Starts one of the programs next to this file.
 * @returns address, pid, `tell`, which returns when the child has received the message, and `ask`, which returns the child's
 * answer, however long it takes
 */
export async function startOther(file) {
  const child = keep(
    fork(fileURLToPath(new URL(file, import.meta.url)), { env: { ...process.env, NODE_ENV: 'production' }, execArgv: [] }),
  )
  const [{ port }] = await once(child, 'message', { signal: AbortSignal.timeout(20_000) })
  const ask = async (message, options) => {
    const answered = once(child, 'message', options)
    child.send(message)
    const [answer] = await answered
    return answer
  }
  const tell = (message) => ask(message, { signal: AbortSignal.timeout(60_000) })
  return { address: `http://127.0.0.1:${port}`, pid: child.pid, tell, ask }
}

/** Resident memory of a process, in MB. */
export function residentMb(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** The memory of a service that has answered its first requests and then idled for a few seconds, in MB. */
export async function restingMb({ address, pid }) {
  for (const path of ['/', '/.well-known/oauth-protected-resource']) await (await fetch(address + path)).text()
  await sleep(3000)
  return residentMb(pid)
}

/**
 * The processor time that a process has used so far, in all its threads, in microseconds. Linux counts in hundredths of a second.
 * @param {{ ended?: boolean }} options ended: adds the time of its child processes that have ended
 */
export function cpuMicros(pid, { ended = false } = {}) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, ended ? 15 : 13).reduce((sum, ticks) => sum + Number(ticks), 0) * 10_000
}

/** The exact processor time that the threads of a process have used so far, in microseconds, without threads that have ended. */
export function threadMicros(pid) {
  const threads = readdirSync(`/proc/${pid}/task`)
  return (
    threads.reduce(
      (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
      0,
    ) / 1000
  )
}
