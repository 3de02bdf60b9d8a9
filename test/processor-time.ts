// How much work something is. Unlike the time that it takes, it is the same on a machine that has other things to do.

import { readFile } from 'node:fs/promises'

/** Milliseconds that this process had of the processors while something ran. */
export function processorMs(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Milliseconds, in steps of ten, that another process has had of the processors so far. */
export async function processorMsOf(pid: number | undefined): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
