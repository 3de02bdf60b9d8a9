// `npm run coverage`: runs the tests, or those that are named, and prints which lines, branches and functions of src/ ran, in the tests and in
// every process that they started. What a process is killed in the middle of isn't known, and a plugin's process may write nothing down.
//
// Node writes down what ran of the bundles in dist/, a file of some megabytes for each process. These are taken in while the tests run, since all of
// them together would fill a disk; c8 makes the report of the sum, by the bundles' source maps.

import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { install, root } from './ready.mjs'

await install(true)
const require = createRequire(import.meta.url)
const { mergeProcessCovs } = createRequire(require.resolve('c8'))('@bcoe/v8-coverage')

const raw = join(root, 'dist', `coverage-${process.pid}`)
const bundles = pathToFileURL(join(root, 'dist')).href
/** Merged so many at a time: each merge walks through all that was merged before. */
const atOnce = 20

const sum = { processes: 0, merged: { result: [] }, waiting: [], sourceMaps: {} }
// Ctrl-C reaches the tests too: what has run by then is still told.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)

try {
  await mkdir(raw, { recursive: true })
  const tests = run(process.execPath, ['scripts/test.mjs', '--no-checks', ...process.argv.slice(2)], { NODE_V8_COVERAGE: raw })
  let isRunning = true
  const ended = tests.finally(() => (isRunning = false))
  while (isRunning) {
    await Promise.race([ended, sleep(2000)])
    await takeIn()
  }
  const code = await ended
  process.exitCode = code || (await report())
} finally {
  await rm(raw, { recursive: true, force: true })
}

/** Takes in what processes that have ended left. One that is still being written is no JSON yet, and waits for the next time. */
async function takeIn() {
  for (const name of await readdir(raw)) {
    const file = join(raw, name)
    const left = parse(await readFile(file, 'utf8'))
    if (!left) continue
    await rm(file)
    sum.processes++
    sum.waiting.push({ result: left.result.filter(({ url }) => url.startsWith(bundles)) })
    for (const [url, map] of Object.entries(left['source-map-cache'] ?? {}))
      if (url.startsWith(bundles)) sum.sourceMaps[url] ??= withPaths(map)
    if (sum.waiting.length >= atOnce) merge()
  }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function merge() {
  sum.merged = mergeProcessCovs([sum.merged, ...sum.waiting])
  sum.waiting = []
}

/** c8 compares sources with --include as paths; Node has them as addresses. */
function withPaths(map) {
  if (!map.data) return map
  const sources = map.data.sources.map((source) => (source.startsWith('file:') ? fileURLToPath(source) : source))
  return { ...map, data: { ...map.data, sources } }
}

/** @returns c8's exit code */
async function report() {
  merge()
  await writeFile(join(raw, 'coverage-sum.json'), JSON.stringify({ ...sum.merged, 'source-map-cache': sum.sourceMaps }))
  process.stdout.write(`\nWhat ran in ${sum.processes} processes:\n`)
  const which = ['--all', '--src', 'src', '--include', 'src/**/*.ts', '--exclude', 'src/**/*.d.ts', '--exclude-after-remap']
  const how = ['--reporter', 'text', '--temp-directory', raw]
  return run(join(root, 'node_modules', '.bin', 'c8'), ['report', ...which, ...how])
}

/** Runs a program on this terminal. @returns its exit code */
function run(program, args, env = {}) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 1, 2], env: { ...process.env, ...env } })
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', (code) => done(code ?? 1))
  })
}
