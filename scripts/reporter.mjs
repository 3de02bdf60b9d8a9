// The report of a test run: one line per file, failures in full, the slowest tests, the files that use most processor time, and
// the totals, alone on the last line.

import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './ready.mjs'
import { sourceStack } from './source-stack.mjs'

/** The reason that Node's runner gives if a test's name does not match --grep. */
const notAsked = 'test name does not match pattern'

/**
 * The name under which the runner reports the file itself: the bundle's name, or the name of the source that declares its first
 * hook.
 */
const isPath = /^\/.*\.[jt]s$/

/** The reason given for skipping a test that needs a missing program. */
const needsTool = /^needs [\w-]+$/

/** The number of tests and files in the lists at the end. */
const listed = 20

/**
 * @param {string} outdir where the bundled tests are
 * @param {readonly string[]} bundles in the order in which they run
 * @param {readonly { program: string }[]} missing programs that tests need and that are not on this machine (test-tools.mjs). A
 * test that fails because of one of them counts as left out.
 */
export function createReporter(outdir, bundles, missing = []) {
  const files = new Map()
  const failures = []
  const slow = []
  const counts = { passed: 0, failed: 0, skipped: 0 }
  /** The number of tests left out, by the program that they need. */
  const lacking = new Map()
  const programs = new Set(missing.map(({ program }) => program))
  let current
  /** Parts of a test, such as one part per database. They are reported before their test, and named after it. */
  const parts = []
  /** The place of the file among the bundles. */
  let at = -1
  /** True once the outcome of a test of that file was reported. */
  let hasReported = true
  /** The tests of that file, and the source of the latest one. */
  const seen = new Set()
  let lastSource
  /** The file whose tests are reported, if files share a process. */
  let member

  const out = (text) => process.stdout.write(`${text}\n`)

  /** The counts of a file. The runner reports one file after the other, so a new name means that the previous file is done. */
  function fileOf(name) {
    if (current !== name) endFile()
    current = name
    if (!files.has(name)) files.set(name, { passed: 0, failed: 0, skipped: 0, ms: 0 })
    return files.get(name)
  }

  function endFile() {
    if (current === undefined) return
    const file = files.get(current)
    Object.assign(file, tallyOf(current))
    out(lineOf(current, file))
  }

  /** The note of scripts/tally.mjs on a file. It is empty if the file's process was killed. */
  function tallyOf(name) {
    const noted = join(outdir, name.replace(/\.ts$/, '.js.tally'))
    return existsSync(noted) ? JSON.parse(readFileSync(noted, 'utf8')) : {}
  }

  /**
   * Finds the file of the tests that are reported now. The runner names the source that declares a test, which may be a helper or
   * another test file. But it reports the files in order: if the source changes, or a test comes again, the next file begins.
   */
  function follow(type, { name, nesting, file: source = '', line }) {
    if (nesting > 0) return
    const own = bundles.indexOf(name)
    if (own !== -1 && type !== 'test:enqueue') at = own
    if (type !== 'test:enqueue') return void (hasReported = true)
    // The names of tests in a group are those of files. All groups are in one place among the bundles.
    if (own !== -1 || isMember(name)) return
    if (member && hasReported) at = bundles.findLastIndex(isGroup)
    const test = `${source}:${line}:${name}`
    const place = bundles.findIndex((bundle) => nameOf(bundle) === nameOf(source))
    const isNext = hasReported && (at === -1 || seen.has(test) || (source !== lastSource && place !== at))
    if (isNext) {
      at = Math.max(at + 1, place === at + 2 ? at + 1 : place)
      seen.clear()
      hasReported = false
    }
    seen.add(test)
    lastSource = source
  }

  function take(data, kind) {
    if (kind === 'passed' && isGroup(data.name)) return
    const top = member ? 1 : 0
    const lack = kind === 'failed' ? lackOf(data.details?.error, programs) : needsTool.test(data.skip) ? data.skip : undefined
    const outcome = { data, kind: lack === undefined ? kind : 'skipped', lack }
    if (data.nesting > top) return void parts.push(outcome)
    const name = member ?? nameOf(bundles[at])
    const isFile = data.nesting === 0 && (data.name === member || isPath.test(data.name))
    const done = parts.splice(0)
    // The hook of a suite needs a missing program, so the runner has not begun the tests of the suite. They count as left out as
    // well.
    if (lack !== undefined) for (const part of done) if (part.kind === 'failed') Object.assign(part, { kind: 'skipped', lack })
    if (kind === 'failed' && isOfParts(data)) Object.assign(outcome, outcomeOf(done))
    for (const part of done) count(name, `${data.name}: ${part.data.name}`, part, false)
    if (data.nesting === top && !isFile) fileOf(name).ms += data.details?.duration_ms ?? 0
    count(name, data.name, outcome, isFile)
  }

  function count(name, title, { data, kind, lack }, isFile) {
    const file = fileOf(name)
    const { duration_ms: ms = 0, error, type } = data.details ?? {}
    const onlyParts = isOfParts(data)
    // The runner also reports suites and files as tests. They count only if they failed by themselves: if tests were left out,
    // the hook that runs after them finds nothing to end.
    if (isFile || type === 'suite') {
      if (kind !== 'failed' || onlyParts || (isFile && (file.failed > 0 || file.lacking))) return
    } else slow.push({ title: `${name}: ${title}`, ms })
    counts[kind]++
    file[kind]++
    if (lack !== undefined) {
      file.lacking = true
      lacking.set(lack, (lacking.get(lack) ?? 0) + 1)
    }
    if (kind === 'failed' && !onlyParts) failures.push({ name, title: isFile ? 'the file itself' : title, error })
  }

  function list(heading, rows) {
    if (rows.length < 2) return
    out(`\n${heading}`)
    for (const { title, ms } of rows.sort((a, b) => b.ms - a.ms).slice(0, listed)) out(`${seconds(ms).padStart(10)}  ${title}`)
  }

  /** The source of a bundle. With source maps the runner already names the source. */
  function nameOf(file = '?') {
    return file.startsWith(outdir) ? relative(outdir, file).replace(/\.js$/, '.ts') : relative(root, file)
  }

  return {
    take({ type, data }) {
      if (type === 'test:start' && data.nesting === 0) member = isMember(data.name) ? data.name : undefined
      const left = data?.skip !== undefined || data?.todo !== undefined
      if (['test:enqueue', 'test:pass', 'test:fail'].includes(type)) follow(type, data)
      if ((type === 'test:pass' || type === 'test:fail') && data.skip === notAsked) return
      if (type === 'test:pass') take(data, left ? 'skipped' : 'passed')
      if (type === 'test:fail') take(data, data.todo === undefined ? 'failed' : 'skipped')
      if (type === 'test:stderr' || type === 'test:stdout') process.stderr.write(data.message)
    },

    /** Writes the end of the report. @returns {boolean} true if tests ran and none failed */
    close() {
      endFile()
      for (const { name, title, error } of failures) out(`\n✗ ${name}: ${title}\n${explain(error)}`)
      list('Slowest tests:', slow)
      const busy = [...files].map(([title, { processorMs = 0 }]) => ({ title, ms: processorMs }))
      list(`Files by processor time (${seconds(busy.reduce((sum, { ms }) => sum + ms, 0))} in all):`, busy)
      for (const [need, count] of lacking)
        out(`\n${count} ${count === 1 ? 'test' : 'tests'} left out: ${need}, which is not installed`)
      out(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
      return counts.failed === 0 && counts.passed > 0
    },
  }
}

/** True if a test represents a file that shares a process with others (grouped-tests.mjs). */
function isMember(name) {
  return /^test\/.*\.test\.ts$/.test(name)
}

function isGroup(name) {
  return /\/group-\d+\.js$/.test(name)
}

function lineOf(name, { passed, failed, skipped, ms, wallMs = ms, processorMs }) {
  const parts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean)
  const used = processorMs === undefined ? '' : `, ${seconds(processorMs)} of processor time`
  return `${failed ? '✗' : '✓'} ${name}: ${parts.join(', ')} (${seconds(wallMs)}${used})`
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`
}

/** True if a test failed only because parts of it did. */
function isOfParts(data) {
  return data.details?.error?.failureType === 'subtestsFailed'
}

/** The outcome of a test of which only parts failed. It has not failed if those parts were left out. */
function outcomeOf(parts) {
  if (parts.some(({ kind }) => kind === 'failed')) return { kind: 'failed' }
  return { kind: parts.some(({ kind }) => kind === 'passed') ? 'passed' : 'skipped' }
}

/**
 * The reason to leave out a failed test, if it asked for a missing program (`needTool` of test/tools.ts) or started it.
 * @param {ReadonlySet<string>} programs that are missing
 */
function lackOf(error, programs) {
  if (!error || programs.size === 0) return undefined
  if (error.code === 'TEST_TOOL') return error.message
  if (error.code === 'ENOENT' && programs.has(error.path)) return `needs ${error.path}`
  return lackOf(error.cause, programs)
}

/** Lines of a stack that say nothing about a failure: Node's own, and those of light-test-process.cjs. */
const ofRunner = /^ +at .*(?:\(?node:|light-test-process\.cjs)/

/** The runner wraps the thrown value. Its own message matters only if nothing was thrown, as for a time limit. */
function explain(error) {
  const cause = error?.cause?.stack ? error.cause : error
  const lines = sourceStack(String(cause?.stack ?? cause ?? 'failed')).split('\n')
  return lines
    .filter((line) => !ofRunner.test(line))
    .map((line) => `  ${line}`)
    .join('\n')
}
