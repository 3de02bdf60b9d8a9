// `npm test`: installs missing packages, builds, and runs the tests with Node's own runner. Types, lint and formatting are
// checked at the same time. With names of files it runs only those, without the checks. --grep PATTERN runs only tests with
// matching names. --deep adds test/deep and then runs the whole suite again on PostgreSQL, and on Node 24. --no-checks leaves the
// checks out. Tests that need a missing program are left out, and counted; --install-tools installs the programs first. For
// coverage see coverage.mjs.

import { execFileSync, spawn } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { availableParallelism, freemem } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { parseArgs } from 'node:util'
import { bundleGroups, groupFiles } from './file-groups.mjs'
import { buildStale, checkNode, install, root } from './ready.mjs'
import { createReporter } from './reporter.mjs'
import { missingTools } from './test-tools.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    deep: { type: 'boolean', default: false },
    grep: { type: 'string' },
    'install-tools': { type: 'boolean', default: false },
    'no-checks': { type: 'boolean', default: false },
  },
})

// In a deep run, property tests use new cases, and every site and command is a process of its own (test/deep-run.ts).
if (values.deep) process.env.TEST_CASES = 'new'

/** A process that takes longer hangs, even on a busy machine. One of several files ends each file sooner (grouped-tests.mjs). */
const processMs = 1_800_000

/** More than the number of processors, because every file waits at times; more than four would use much memory. */
const filesAtOnce = Math.min(availableParallelism() + 2, 4)

/** The modules that start threads and processes for jobs. */
const usesWorkers = new Set(['src/base/worker-queue.ts', 'src/media/picture-process.ts'])

/** Lets the sites in a process have the same threads and processes for jobs, one after the other. */
const keptWorkers = {
  name: 'kept-workers',
  setup({ onResolve }) {
    onResolve({ filter: /^node:(?:worker_threads|child_process)$/ }, ({ importer }) =>
      usesWorkers.has(relative(root, importer)) ? { path: join(root, 'scripts', 'kept-workers.mjs') } : undefined,
    )
  },
}

const named = positionals.length > 0
const outdir = join(root, 'dist', `test-${process.pid}`)
// The files of a run also share things in that folder.
process.env.TEST_OUTDIR = outdir
// A PostgreSQL server that a test starts ends with this process (scripts/test-postgres.mjs).
process.env.TEST_RUNNER = String(process.pid)
const stopped = new AbortController()
setMaxListeners(0, stopped.signal)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopAll)

checkNode()
if (values['install-tools']) installTools()
tellMissing()
const files = chosenFiles()
const memory = memoryFolder()
if (memory !== undefined) process.env.TMPDIR = memory
let ok = false
try {
  await install(!named, !named)
  await dropLeftovers()
  ok = await wholeRun()
} catch (error) {
  if (!stopped.signal.aborted) process.stderr.write(`${error.errors ? 'The build failed.' : error.stack}\n`)
} finally {
  await rm(outdir, { recursive: true, force: true })
  // The PostgreSQL server of the run ends a moment after it. The next run deletes the files that it still holds.
  if (memory !== undefined) await rm(memory, { recursive: true, force: true, maxRetries: 20 }).catch(() => undefined)
}
process.exit(stopped.signal.aborted ? 130 : ok ? 0 : 1)

/**
 * Makes the folder for the files of all tests. A test waits for the disk at each commit and at each file that is flushed to disk;
 * for many tests, that is half of their time. No file needs to outlast the run. So the folder is in memory, if there is enough
 * memory and programs in that folder may run.
 * @returns undefined for the usual folder for temporary files
 */
function memoryFolder() {
  const [shared, needed] = ['/dev/shm', 4 * 2 ** 30]
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8').split('\n') : []
  const [, , type, options = ''] = mounts.map((line) => line.split(' ')).find(([, at]) => at === shared) ?? []
  if (process.env.TMPDIR || type !== 'tmpfs' || /\b(?:noexec|ro)\b/.test(options)) return undefined
  const { bavail, bsize } = statfsSync(shared)
  if (bavail * bsize < needed || freemem() < needed) return undefined
  const folder = join(shared, `postern-test-${process.pid}`)
  mkdirSync(folder)
  // The usual mode of such a folder: PostgreSQL and nginx run as other users.
  chmodSync(folder, 0o1777)
  return folder
}

function installTools() {
  try {
    execFileSync('bash', [join(root, 'scripts', 'install-test-tools')], { stdio: ['ignore', 2, 2] })
  } catch (error) {
    process.stderr.write(`scripts/install-test-tools failed: ${error.message}\n`)
    process.exit(1)
  }
}

/** Reports the missing programs. The tests that need them will be left out (reporter.mjs). In CI, none may be missing. */
function tellMissing() {
  const missing = missingTools()
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(', ')
  const packages = missing.map((tool) => tool.package).join(' ')
  const isCi = process.env.CI === 'true'
  const fate = isCi ? 'CI leaves no test out.' : 'Tests that need them are left out.'
  process.stderr.write(
    `Not installed: ${names}. ${fate} On Debian, \`npm test -- --install-tools\` installs them; elsewhere install ${packages}.\n`,
  )
  if (isCi) process.exit(1)
}

/** Ends this run and every process that it started. A killed test can't stop its own services. */
function stopAll() {
  if (stopped.signal.aborted) return
  if (missingTools().some(({ program }) => program === 'ps')) return stopped.abort()
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const parents = rows.map((row) => row.trim().split(/\s+/).map(Number))
  const below = (pid) => parents.filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)])
  const children = below(process.pid)
  stopped.abort()
  for (const pid of children) {
    try {
      process.kill(pid)
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
  }
}

/** @returns true if everything that ran succeeded */
async function wholeRun() {
  if (named) await buildStale().catch(() => process.stderr.write('The program does not build; the named tests run without it.\n'))
  else await buildStale()
  const bundles = await bundleTests()
  // The tests wait at times. The checks use that processor time.
  const [passed, checked] = await Promise.all([runTests(bundles), named || values['no-checks'] || checks()])
  if (!checked) process.stderr.write('A check failed: see above the tests.\n')
  if (!values.deep || named || !passed || !checked || stopped.signal.aborted) return passed && checked
  process.stdout.write('\nOnce more, on PostgreSQL:\n')
  const again = [process.execPath, ['scripts/test.mjs', '--no-checks'], { ...process.env, TEST_DATABASE: 'postgres' }]
  if (!(await runLive(...again))) return false
  process.stdout.write('\nOnce more, on Node 24:\n')
  return runLive('npx', ['-y', '-p', 'node@24', 'node', 'scripts/test.mjs', '--no-checks'])
}

function chosenFiles() {
  if (!named) return testFiles('test').filter((file) => values.deep || !file.includes('/test/deep/'))
  const asked = positionals.map((file) => resolve(file))
  const absent = asked.filter((file) => !existsSync(file) || !file.startsWith(join(root, 'test')))
  if (absent.length === 0) return asked
  process.stderr.write(`There is no test file ${absent.map((file) => relative(root, file)).join(', ')}.\n`)
  process.exit(2)
}

function testFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(root, folder, name))
}

/** Files in test/system take seconds each. They come first, so that the run doesn't end with one of them. */
function isSlow(file) {
  return file.includes('/test/system/') || file.includes('/test/deep/')
}

function bundleOf(file) {
  return join(outdir, relative(root, file).replace(/\.ts$/, '.js'))
}

/**
 * Bundles each test, with its imports in shared chunks. The program's packages are bundled too, as they are in the program: read
 * from their hundreds of files, they would take each test file most of a second. Packages that only tests use stay outside.
 * @returns the bundles to run. In a whole run, files share processes; named files, files of --grep and files of a deep run have
 * one each.
 */
async function bundleTests() {
  const { build, stop } = await import('esbuild')
  const { common, external } = await import('./build.mjs')
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const inject = [join(root, 'scripts', 'tally.mjs')]
  const outside = [...external, ...Object.keys(devDependencies)]
  const isDeep = process.env.TEST_CASES === 'new'
  const plugins = [...common.plugins, ...(isDeep ? [] : [keptWorkers])]
  const options = { ...common, inject, outdir, outbase: root, external: outside, plugins }
  const { alone, groups } = named || values.grep || isDeep ? { alone: files, groups: [] } : groupFiles(files)
  await build({ ...options, entryPoints: alone })
  const grouped = await bundleGroups(groups, options)
  // esbuild's process would otherwise hold most of a gigabyte until the last test.
  await stop()
  const [slow, quick] = [alone.filter(isSlow), alone.filter((file) => !isSlow(file))]
  return [...slow.map(bundleOf), ...grouped, ...quick.map(bundleOf)]
}

/** Deletes bundles, coverage and files of runs that were killed. */
async function dropLeftovers() {
  for (const folder of [join(root, 'dist'), ...(memory ? [dirname(memory)] : [])]) {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const [, pid] = /^(?:test|coverage|postern-test)-(\d+)$/.exec(name) ?? []
      if (pid && !existsSync(join('/proc', pid))) await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}

async function checks() {
  const results = await Promise.all([
    // One checker: several check the same types again, which takes twice the processor time.
    check('types', 'tsc', ['--noEmit', '--checkers', '1']),
    check('types of scripts for the browser', 'tsc', ['--noEmit', '-p', 'src/admin/scripts']),
    check('lint', 'oxlint', ['--type-aware', '--deny-warnings', 'src', 'test']),
    check('form', 'oxfmt', ['--check', 'src', 'test', 'scripts']),
  ])
  return results.every(Boolean)
}

/**
 * Runs a tool of node_modules to its end, and prints its output if it failed. `GOGC` makes the tools that are written in Go
 * collect garbage less often, which saves a third of their processor time.
 */
async function check(name, tool, args) {
  const env = { ...process.env, GOGC: '400' }
  const child = spawn(join(root, 'node_modules', '.bin', tool), args, { cwd: root, env, signal: stopped.signal })
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(part))
  const code = await ended(child)
  process.stdout.write(code === 0 ? `✓ ${name}\n` : `✗ ${name}\n${Buffer.concat(said).toString()}\n`)
  return code === 0
}

async function runLive(program, args, env = process.env) {
  return (await ended(spawn(program, args, { cwd: root, env, stdio: ['ignore', 1, 2], signal: stopped.signal }))) === 0
}

function ended(child) {
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', done)
  })
}

/**
 * Options of V8 for processes that live for seconds. Such a process would spend a fifth of its processor time on optimizing
 * functions and on moving objects that will soon be garbage. From V8 13 on, that budget no longer exists, and a cheap compiler
 * comes before the thorough one.
 */
function shortLived() {
  const [v8] = process.versions.v8.split('.').map(Number)
  return ['--max-semi-space-size=32', ...(v8 < 13 ? ['--interrupt-budget=1000000'] : [])]
}

async function runTests(bundles) {
  const reporter = createReporter(outdir, bundles, missingTools())
  // The runner passes these on to the process of each file. Source maps are read when a failure is printed (source-stack.mjs).
  process.execArgv.push('--require', join(root, 'scripts', 'light-test-process.cjs'), ...(values.deep ? [] : shortLived()))
  const stream = run({
    files: bundles,
    concurrency: filesAtOnce,
    timeout: processMs,
    signal: stopped.signal,
    ...(values.grep ? { testNamePatterns: [new RegExp(values.grep)] } : {}),
  })
  for await (const event of stream) reporter.take(event)
  return reporter.close()
}
