// The way back where a migration lies between that the older release can't run on: its own code says so, and its own code restores the backup.

import { Failure } from '../failure.ts'
import type { Places } from './places.ts'
import { demandProgram, runProgram } from './program.ts'
import type { Service } from './service.ts'

/** Exit code of a rule that forbids it; see src/docs/command-line.md. */
const refusedExit = 4

/** Whether a release would start on the database as it is. @throws Failure `failed` where it can't even say */
export async function runsOnDatabase(places: Places, release: string): Promise<boolean> {
  const { code, err } = await runProgram(places, release, ['migrate', '--dry-run'])
  if (code === 0) return true
  if (code === refusedExit) return false
  throw new Failure('failed', `${release} can't look at the database: ${err.trim()}`)
}

/** Stops the service, puts a backup back by a release's own code, and starts. What was there is saved first. */
export async function restoreInto(places: Places, service: Service, release: string, backup: string): Promise<void> {
  await service.run('stop')
  try {
    await demandProgram(places, release, ['restore', backup, '--yes'])
  } finally {
    await service.run('start')
  }
}

/** What was written since a moment (UTC milliseconds), as a release tells it: newest first, at most twenty. */
export async function listWrittenSince(places: Places, release: string, since: number): Promise<readonly string[]> {
  const input = { where: { at: { gt: new Date(since).toISOString() } }, limit: 20 }
  const out = await demandProgram(places, release, ['call', 'SVC_Activity.list', '--json-input', JSON.stringify(input)])
  const { data } = JSON.parse(out) as { data: { items: readonly { at: string; by: string; call: string; summary: string }[] } }
  return data.items.map(({ at, by, call, summary }) => `${at} ${call} by ${by}: ${summary}`)
}
