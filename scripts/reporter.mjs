// What a test run says: a line a file, failures in full, the slowest tests, and the counts alone on the last line.

import { relative } from 'node:path'
import { root } from './ready.mjs'

/** The reason that Node's runner gives if a test's name does not match --grep. */
const notAsked = 'test name does not match pattern'

/** @param {string} outdir where the bundled tests are */
export function createReporter(outdir) {
  const files = new Map()
  const failures = []
  const slow = []
  const counts = { passed: 0, failed: 0, skipped: 0 }
  let current

  const out = (text) => process.stdout.write(`${text}\n`)

  /** The counts of a file. The runner reports one file after the other, so a new name means that the previous file is done. */
  function fileOf(name) {
    if (current !== name && current !== undefined) out(lineOf(current, files.get(current)))
    current = name
    if (!files.has(name)) files.set(name, { passed: 0, failed: 0, skipped: 0, ms: 0 })
    return files.get(name)
  }

  function count(data, kind) {
    const isFile = data.nesting === 0 && data.name.startsWith(outdir)
    const name = nameOf(isFile ? data.name : data.file)
    const file = fileOf(name)
    const { duration_ms: ms = 0, error, type } = data.details ?? {}
    const onlyParts = error?.failureType === 'subtestsFailed'
    if (data.nesting === 0 && !isFile) file.ms += ms
    // The runner also reports suites and files as tests. They count only if they failed by themselves.
    if (isFile || type === 'suite') {
      if (kind !== 'failed' || onlyParts || (isFile && file.failed > 0)) return
    } else slow.push({ title: `${name}: ${data.name}`, ms })
    counts[kind]++
    file[kind]++
    if (kind === 'failed' && !onlyParts) failures.push({ name, title: isFile ? 'the file itself' : data.name, error })
  }

  /** The source of a bundle. With source maps the runner already names the source. */
  function nameOf(file = '?') {
    return file.startsWith(outdir) ? relative(outdir, file).replace(/\.js$/, '.ts') : relative(root, file)
  }

  return {
    take({ type, data }) {
      const left = data?.skip !== undefined || data?.todo !== undefined
      if ((type === 'test:pass' || type === 'test:fail') && data.skip === notAsked) return
      if (type === 'test:pass') count(data, left ? 'skipped' : 'passed')
      if (type === 'test:fail') count(data, data.todo === undefined ? 'failed' : 'skipped')
      if (type === 'test:stderr' || type === 'test:stdout') process.stderr.write(data.message)
    },

    /** Writes the end of the report. @returns {boolean} whether tests ran and none failed */
    close() {
      if (current !== undefined) out(lineOf(current, files.get(current)))
      for (const { name, title, error } of failures) out(`\n✗ ${name}: ${title}\n${explain(error)}`)
      slow.sort((a, b) => b.ms - a.ms)
      if (slow.length > 0) out('\nSlowest:')
      for (const { title, ms } of slow.slice(0, 10)) out(`  ${seconds(ms)}  ${title}`)
      out(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
      return counts.failed === 0 && counts.passed > 0
    },
  }
}

function lineOf(name, { passed, failed, skipped, ms }) {
  const parts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean)
  return `${failed ? '✗' : '✓'} ${name}: ${parts.join(', ')} (${seconds(ms)})`
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`
}

/** The runner wraps what was thrown. Its own message matters only if nothing was thrown, as for a time limit. */
function explain(error) {
  const cause = error?.cause?.stack ? error.cause : error
  const lines = String(cause?.stack ?? cause ?? 'failed').split('\n')
  return lines
    .filter((line) => !/^ +at .*\(?node:/.test(line))
    .map((line) => `  ${line}`)
    .join('\n')
}
