// Looks at what a plugin's process holds: V8's limit is for its heap alone, and buffers lie outside. Works where there is /proc; elsewhere
// the heap's limit is all there is.

import { closeSync, openSync, readSync, writeFileSync } from 'node:fs'

const busyMs = 100
const idleMs = 1000

/**
 * Looks again and again until it is stopped, more often while the process works.
 * @param onTooMuch is called once
 * @returns what stops it
 */
export function watchMemory(pid: number, maxRssMb: number, isBusy: () => boolean, onTooMuch: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const heldKb = residentKb(pid)
    if (heldKb === undefined) return
    if (heldKb > maxRssMb * 1024) return onTooMuch()
    timer = setTimeout(look, isBusy() ? busyMs : idleMs)
    timer.unref()
  }
  look()
  return () => clearTimeout(timer)
}

/** Memory of a process in KiB; undefined where there is no /proc, or no such process. Synchronous: /proc has no disk to wait for. */
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

/** Where the machine runs out of memory, a plugin goes before the site. Best effort: not every system has a word for it. */
export function goFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // No such file: no Linux, or a kernel that doesn't let us.
  }
}
