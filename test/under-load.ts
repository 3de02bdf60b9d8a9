// What a change of an installed service does to its callers and its processes.

import type { Machine } from './installed.ts'
import { keepAsking } from './keep-asking.ts'

/** Runs a command that changes a service while four connections ask for it. @returns its answer, what the connections got, and what was done to the service */
export async function underLoad(machine: Machine, words: readonly string[]) {
  let over = false
  const found: string[] = []
  const asking = Array.from({ length: 4 }, () => keepAsking(machine.port, () => over, found, 5))
  const before = machine.done.length
  const ended = await machine.change(words)
  over = true
  await Promise.all(asking)
  const done = machine.done.slice(before).map((line) => line.replace(/^started \d+ /, 'started '))
  // Which of the processes answered, on a second line, is of no account.
  const answers = new Set(found.map((answer) => answer.replace(/\nprocess: \d+$/, '')))
  return { ended, found: [...answers], count: found.length, done }
}

/** What stands in the lines of processes that are restarted in turn: the second is not asked for before the first is ready. */
export const inTurn = (release: string): string[] =>
  ['1', '2'].flatMap((one) => [`asked restart ${one}`, `started ${one} ${release}`, `done restart ${one}`])
