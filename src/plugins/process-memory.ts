// Watches the memory of a plugin's process. V8's limit covers only its heap, and buffers are outside the heap. This needs /proc; on
// systems without it, the limit on the heap is the only one.

import { closeSync, openSync, readSync, writeFileSync } from 'node:fs'

const busyMs = 100
const idleMs = 1000

/**
 * Checks the memory repeatedly, more often while the process is busy.
 * @param onTooMuch called once, after which the watch ends
 * @returns a function that stops the watch
 */
export function watchMemory(pid: number, maxRssMb: number, isBusy: () => boolean, onTooMuch: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const usedKb = residentKb(pid)
    if (usedKb === undefined) return
    if (usedKb > maxRssMb * 1024) return onTooMuch()
    timer = setTimeout(look, isBusy() ? busyMs : idleMs)
    timer.unref()
  }
  look()
  return () => clearTimeout(timer)
}

/** The resident memory of a process in KiB; undefined without /proc or the process. Reading /proc waits for no disk. */
function residentKb(pid: number): number | undefined {
  const buffer = Buffer.alloc(4096)
  try {
    const file = openSync(`/proc/${pid}/status`, 'r')
    try {
      const text = buffer.toString('latin1', 0, readSync(file, buffer))
      return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? 0)
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

/** Makes the kernel kill the plugin before the site if the machine runs out of memory. Best effort: only Linux can do this. */
export function goFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // The system isn't Linux, or the kernel doesn't allow it.
  }
}
