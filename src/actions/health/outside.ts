// The doctor's rows as checks of the service, which sends requests to its own public address. It has the doctor's key, and needs no
// token.

import type { Config } from '../../base/config.ts'
import { doctorKeyMs, doctorKeyOf } from '../../doctor/doctor-key.ts'
import { type Finding, findingOf, unknown } from '../../doctor/finding.ts'
import { doctorRows, runDoctor } from '../../doctor/run-doctor.ts'
import type { IdentityServices, ProgramServices } from '../call/services.ts'

/** The rows that are fast, need no token, and have no better check in the service. */
export const doctorNames: readonly string[] = doctorRows
  .filter(({ slow, needs, planted, nodes }) => slow !== true && needs !== 'token' && planted !== true && nodes !== true)
  .map(({ id }) => id)

const timeoutMs = 5000
/** The time limit for all rows together. An action may take 30 s. */
const deadlineMs = 12_000

/**
 * Runs these rows. A site that doesn't know its address has no findings, or unknown ones if the call named the rows.
 * @param asked true if the call named them
 */
export async function runOutside(
  site: IdentityServices & ProgramServices,
  rows: readonly string[],
  asked: boolean,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const base: Config['POSTERN_BASE_URL'] = site.config.POSTERN_BASE_URL
  const allUnknown = (message: string, fix: string | null = null): readonly Finding[] =>
    doctorRows.filter(({ id }) => rows.includes(id)).map((row) => findingOf(row, unknown(message, fix)))
  if (!base)
    return asked
      ? allUnknown(
          'The address of the site is not set.',
          'Set POSTERN_BASE_URL to the address of the site, then: systemctl restart postern',
        )
      : []
  const key = doctorKeyOf(site.key, site.clock.now() + doctorKeyMs)
  const names = { instead: new Map<string, readonly string[]>() }
  const options = {
    base,
    key,
    names,
    trust: [],
    plainPort: 80,
    timeoutMs,
    signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
  }
  try {
    return await runDoctor(options, { only: rows })
  } catch (error) {
    if (!options.signal.aborted) throw error
    return allUnknown('The site took too long to answer at its own address.')
  }
}
