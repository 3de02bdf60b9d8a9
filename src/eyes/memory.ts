// Watches the memory of a group of processes.

import { readdir, readFile } from 'node:fs/promises'

const everyMs = 250

/**
 * Calls back once if the processes of a group take more memory than allowed.
 * @param group its first process; undefined for a process that was not started
 * @returns ends the watch
 */
export function watchMemory(group: number | undefined, maxBytes: number, onTooMuch: () => void): () => void {
  let over = group === undefined
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    if (group !== undefined && (await memoryOf(group)) > maxBytes && !over) {
      over = true
      onTooMuch()
    }
    if (!over) lookLater()
  }
  const lookLater = (): void => {
    timer = setTimeout(() => void look(), everyMs)
  }
  if (!over) lookLater()
  return () => {
    over = true
    clearTimeout(timer)
  }
}

/** The memory of all processes of a group that no file backs. What several of them share counts once. @see proc(5) */
export async function memoryOf(group: number): Promise<number> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const sizes = await Promise.all(pids.map((pid) => sizeIn(group, pid)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function sizeIn(group: number, pid: string): Promise<number> {
  const stat = await textOf(`/proc/${pid}/stat`)
  // The name of the program, in parentheses, may contain anything. State, parent and group follow.
  if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) !== group) return 0
  const share = sumOf(await textOf(`/proc/${pid}/smaps_rollup`), /^Pss_(?:Anon|Shmem):\s+(\d+) kB$/gm)
  // Some processes hide their maps. What they share then counts for each.
  return share > 0 ? share : sumOf(await textOf(`/proc/${pid}/status`), /^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)
}

const sumOf = (text: string, lines: RegExp): number =>
  [...text.matchAll(lines)].reduce((sum, [, size]) => sum + Number(size) * 1024, 0)

/** An ended process has no files. */
const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
