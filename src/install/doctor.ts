// What the doctor of a release finds broken. It looks from outside, where much isn't the release's fault: only what is broken after a change
// and was not before tells against it.

import type { Places } from './places.ts'
import { runProgram } from './program.ts'

const timeoutMs = 120_000

interface Found {
  readonly id?: unknown
  readonly state?: unknown
}

/** Ids of what is broken; undefined where there is no doctor, or it could not say. */
export async function findBroken(places: Places, release: string): Promise<ReadonlySet<string> | undefined> {
  const { out } = await runProgram(places, release, ['doctor', '--json'], { timeoutMs })
  const found = parseFindings(out)
  return found && new Set(found.flatMap(({ id, state }) => (state === 'broken' && typeof id === 'string' ? [id] : [])))
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
