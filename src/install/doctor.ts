// What the doctor of a release finds broken. It looks from outside, where much isn't the release's fault: only what was looked at and well
// before a change, and is broken after it, tells against it. A newer doctor may look at more, and find an old fault.

import type { Places } from './places.ts'
import { runProgram } from './program.ts'

const timeoutMs = 120_000

interface Found {
  readonly id?: unknown
  readonly state?: unknown
}

/** What the doctor of a release looked at, by id. */
export interface Examined {
  readonly all: ReadonlySet<string>
  readonly broken: ReadonlySet<string>
}

/** Undefined where there is no doctor, or it could not say. */
export async function examine(places: Places, release: string): Promise<Examined | undefined> {
  const { out } = await runProgram(places, release, ['doctor', '--json'], { timeoutMs })
  const found = parseFindings(out)
  const idsOf = (some: readonly Found[]) => new Set(some.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])))
  return found && { all: idsOf(found), broken: idsOf(found.filter(({ state }) => state === 'broken')) }
}

/** A list, or an object with one. */
function parseFindings(text: string): readonly Found[] | undefined {
  try {
    const value = JSON.parse(text) as unknown
    if (Array.isArray(value)) return value as readonly Found[]
    const { findings } = value as { findings?: unknown }
    return Array.isArray(findings) ? (findings as readonly Found[]) : undefined
  } catch {
    // It was ended, or told its trouble in words.
    return undefined
  }
}
