// Bundled into every test file. Records the time and the processor time of the file, including the processes that it started.

import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** /proc counts in hundredths of a second on every Linux (`USER_HZ`, proc(5)). */
const tickMs = 10

const outdir = process.env.TEST_OUTDIR ?? ''

// Threads, and processes that a test starts from its own bundle, are part of the file that the runner started.
if (isMainThread && outdir !== '' && basename(outdir) === `test-${process.ppid}`) process.once('exit', note)

function note() {
  writeFileSync(`${process.argv[1]}.tally`, JSON.stringify({ wallMs: performance.now(), processorMs: processorMs() }))
}

/** The processor time of this process so far, with the processes that it started. */
export function processorMs() {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return (userCPUTime + systemCPUTime) / 1000 + childrenMs()
}

/** The processor time of the children that have ended and were waited for; 0 if there is no /proc. */
function childrenMs() {
  try {
    // The name of the program is in parentheses and may contain spaces; cutime and cstime are the 14th and 15th field after it.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
    return (Number(fields[13]) + Number(fields[14])) * tickMs
  } catch (error) {
    if (error.code === 'ENOENT') return 0
    throw error
  }
}
