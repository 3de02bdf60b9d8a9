// Texts that make careless programs slow, and what a service spends on them: growth of processor time, never time itself.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { isMissing } from '../src/base/missing.ts'

/** What a text is made of, again and again. */
const units: Readonly<Record<string, string>> = {
  letters: 'a',
  brackets: '[',
  images: '![',
  links: '[a](',
  backticks: '`',
  stars: '*a ',
  'angle brackets': '<',
  tags: '<a ',
  comments: '<!--',
  pipes: '|',
  slashes: '/',
  backslashes: '\\',
  dots: '.',
  spaces: ' ',
  'lines of nothing': '\n',
  hyphens: '-',
  colons: 'a: ',
  equals: '=a&',
  percents: '%2e',
  quotations: '> ',
  lists: '- ',
  'combining marks': '\u0301',
  'lists in lists': '\n  - a',
}

export const hostileKinds = Object.keys(units)

/** A text of a kind; it ends in what keeps a pattern from matching after all. */
export function hostileText(kind: string, length: number): string {
  const unit = units[kind] ?? kind
  return `x${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length - 2) + 'a!'
}

export type Threads = 'event loop' | 'all'

/** Milliseconds that a process has of the processors while something is sent to it: its event loop's alone, or those of all threads. */
export async function spentMs(
  { pid }: { pid?: number | undefined },
  threads: Threads,
  send: () => Promise<unknown>,
): Promise<number> {
  const before = await processorMsOf(pid, threads)
  await send()
  return (await processorMsOf(pid, threads)) - before
}

async function processorMsOf(pid: number | undefined, threads: Threads): Promise<number> {
  const ids = threads === 'all' ? await readdir(`/proc/${pid}/task`) : [String(pid)]
  const times = await Promise.all(ids.map((id) => threadMs(`/proc/${pid}/task/${id}/schedstat`)))
  return times.reduce((sum, ms) => sum + ms, 0)
}

async function threadMs(path: string): Promise<number> {
  try {
    return Number((await readFile(path, 'utf8')).split(' ')[0]) / 1e6
  } catch (error) {
    // The thread has ended, before its file was opened or after.
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ESRCH') return 0
    throw error
  }
}

const floorMs = 50

/** Twice the text costs twice as much; four times as much is what must not be. A little is left for what else a process does. */
const mostGrowth = 3

/** Passes what costs next to nothing, and what grows no faster than its text. @param cost milliseconds for a text of a length */
export async function assertLinear(what: string, length: number, cost: (length: number) => Promise<number>): Promise<void> {
  const told: string[] = []
  // The collector may run at any moment: a cost that is really there is there each time.
  for (let attempt = 0; attempt < 3; attempt++) {
    const whole = await cost(length)
    if (whole <= floorMs) return
    const half = await cost(Math.floor(length / 2))
    if (whole <= mostGrowth * half) return
    told.push(`${Math.round(half)} ms, then ${Math.round(whole)} ms`)
  }
  assert.fail(`${what}: for half of the text and for all of it: ${told.join('; ')}`)
}
