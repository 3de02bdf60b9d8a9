// `npm run coverage`: runs all tests, or the named ones, and prints which lines, branches and functions of src/ ran, in the tests
// and in every process that they started. Killed processes leave no coverage, and neither do plugins' processes, which may write
// no files.
//
// Node writes the coverage of the bundles in dist/ to a file of some megabytes per process. These files are merged while the
// tests run, because together they would fill a disk. c8 then makes the report, with the source maps of the bundles.

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
/** The number of files to merge at a time. Each merge walks through the result of all earlier ones. */
const atOnce = 20

const sum = { processes: 0, merged: { result: [] }, waiting: [], sourceMaps: {} }
// Ctrl-C reaches the tests too. The report then covers what has run so far.
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
  // A run with a failed test is reported, too.
  const reported = await report()
  process.exitCode = code || reported
} finally {
  await rm(raw, { recursive: true, force: true })
}

/**
 * Merges the files of processes that have ended. A file that is still being written is not valid JSON yet, and waits for the next
 * merge.
 */
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

/** Node gives sources as URLs. c8 compares them with --include as paths. */
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
