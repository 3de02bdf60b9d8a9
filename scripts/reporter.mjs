// What a test run says: a line a file, failures in full, the slowest tests, and the counts alone on the last line.

import { relative } from 'node:path'

/** @param {string} outdir where the bundled tests are */
export function createReporter(outdir) {
  const files = new Map()
  const failures = []
  const slow = []
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const nameOf = (file) => (file ? relative(outdir, file).replace(/\.js$/, '.ts') : '?')

  const fileOf = (name) => {
    if (!files.has(name)) files.set(name, { passed: 0, failed: 0, skipped: 0, ms: 0 })
    return files.get(name)
  }

  function count(data, kind) {
    if (data.details?.type === 'suite') return
    const name = nameOf(data.file)
    // The runner tells each file as a test of its own; it counts only where it failed without a test in it that did.
    if (data.nesting === 0 && data.name === data.file) {
      const file = fileOf(name)
      file.ms = data.details.duration_ms
      if (kind === 'failed' && file.failed === 0) fail(data, name, file)
      return
    }
    counts[kind]++
    fileOf(name)[kind]++
    slow.push({ name: `${name}: ${data.name}`, ms: data.details?.duration_ms ?? 0 })
    if (kind === 'failed') failures.push({ name, data })
  }

  function fail(data, name, file) {
    counts.failed++
    file.failed++
    failures.push({ name, data })
  }

  return {
    take({ type, data }) {
      if (type === 'test:pass') count(data, data.skip === undefined && data.todo === undefined ? 'passed' : 'skipped')
      if (type === 'test:fail') count(data, 'failed')
      if (type === 'test:stderr' || type === 'test:stdout') process.stderr.write(data.message)
    },

    /** Writes the end of the report. @returns {boolean} whether all went well */
    close() {
      const out = (text) => process.stdout.write(`${text}\n`)
      for (const [name, { passed, failed, skipped }] of files)
        out(
          `${failed ? '✗' : '✓'} ${name} ${passed}${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`,
        )
      for (const { name, data } of failures) out(`\n✗ ${name}: ${data.name}\n${explain(data.details?.error)}`)
      slow.sort((a, b) => b.ms - a.ms)
      out(
        `\nSlowest: ${slow
          .slice(0, 10)
          .map(({ name, ms }) => `${name} (${Math.round(ms)} ms)`)
          .join('\n  ')}\n`,
      )
      out(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
      return counts.failed === 0 && counts.passed > 0
    },
  }
}

function explain(error) {
  const cause = error?.cause ?? error
  return String(cause?.stack ?? cause ?? 'failed')
    .split('\n')
    .slice(0, 30)
    .map((line) => `  ${line}`)
    .join('\n')
}
