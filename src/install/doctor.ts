// The faults of a release that the doctor finds. The doctor asks from outside, where many faults have nothing to do with the
// release. So a row counts against the new release only if it was good before the upgrade and is broken after it. A row that only
// the newer doctor has does not count.

import type { Places } from './places.ts'
import { runProgram } from './program.ts'

const timeoutMs = 120_000

interface Found {
  readonly id?: unknown
  readonly state?: unknown
}

/** The rows of a doctor, by id. */
export interface Examined {
  readonly all: ReadonlySet<string>
  readonly broken: ReadonlySet<string>
}

/** Runs the doctor of a release. Undefined if the release has no doctor, or if it gave no answer. */
export async function examine(places: Places, release: string): Promise<Examined | undefined> {
  const { out } = await runProgram(places, release, ['doctor', '--json'], { timeoutMs })
  const found = parseFindings(out)
  const idsOf = (some: readonly Found[]) => new Set(some.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])))
  return found && { all: idsOf(found), broken: idsOf(found.filter(({ state }) => state === 'broken')) }
}

/** Parses the findings. Older releases print a list; now it is an object with a list. */
function parseFindings(text: string): readonly Found[] | undefined {
  try {
    const value = JSON.parse(text) as unknown
    if (Array.isArray(value)) return value as readonly Found[]
    const { findings } = value as { findings?: unknown }
    return Array.isArray(findings) ? (findings as readonly Found[]) : undefined
  } catch {
    // The doctor was stopped, or failed with a message.
    return undefined
  }
}
