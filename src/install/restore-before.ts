// Goes back to a release that can't run on the migrated database. The older release itself checks if it can, and restores the
// backup.

import { Failure } from '../base/failure.ts'
import type { Places } from './places.ts'
import { demandProgram, runProgram } from './program.ts'
import type { InstalledService } from './service.ts'

/** The exit code for the failure `refused`; see src/docs/command-line.md. */
const refusedExit = 4

/** True if a release can run on the present database. @throws Failure `failed` if the release can't examine the database */
export async function runsOnDatabase(places: Places, release: string): Promise<boolean> {
  const { code, err } = await runProgram(places, release, ['migrate', '--dry-run'])
  if (code === 0) return true
  if (code === refusedExit) return false
  throw new Failure('failed', `${release} can't examine the database: ${err.trim()}`)
}

/** True if no other release can run once the migrations of this one have run: their names end in `-contract`. */
export async function mustBeAlone(places: Places, release: string): Promise<boolean> {
  const out = await demandProgram(places, release, ['migrate', '--dry-run', '--json'])
  return (JSON.parse(out) as readonly string[]).some((name) => name.endsWith('-contract'))
}

/**
 * Stops the service, restores a backup with the code of a release, and starts the service. The restore saves the present site
 * first.
 */
export async function restoreInto(places: Places, service: InstalledService, release: string, backup: string): Promise<void> {
  await service.run('stop')
  try {
    await demandProgram(places, release, ['restore', backup, '--yes'])
  } finally {
    await service.run('start')
  }
}

/** The activity since a time (UTC milliseconds), as lines of text: newest first, at most twenty. */
export async function listWrittenSince(places: Places, release: string, since: number): Promise<readonly string[]> {
  const input = { where: { at: { gt: new Date(since).toISOString() } }, limit: 20 }
  const out = await demandProgram(places, release, ['call', 'SVC_Activity.list', '--json-input', JSON.stringify(input)])
  const { data } = JSON.parse(out) as { data: { items: readonly { at: string; by: string; call: string; summary: string }[] } }
  return data.items.map(({ at, by, call, summary }) => `${at} ${call} by ${by}: ${summary}`)
}
