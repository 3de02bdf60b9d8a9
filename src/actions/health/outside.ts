// The doctor's rows as checks of this process: the service asks itself through its own front. The key it has itself; a token it needs none.

import type { Config } from '../../config.ts'
import { doctorKeyMs, doctorKeyOf } from '../../doctor/doctor-key.ts'
import { type Finding, findingOf, unknown } from '../../doctor/finding.ts'
import { doctorRows, runDoctor } from '../../doctor/run-doctor.ts'
import type { Services } from '../services.ts'

/** The rows that ask quickly, as nobody, and for which there is no better check. */
export const doctorNames: readonly string[] = doctorRows
  .filter(({ slow, needs, planted }) => slow !== true && needs !== 'token' && planted !== true)
  .map(({ id }) => id)

const timeoutMs = 5000
/** For all of them together: an action has 30 s. */
const deadlineMs = 12_000

/**
 * Runs these rows. Where the site doesn't know its address nothing is found, and told only to whoever asked for it.
 * @param asked whether somebody named them
 */
export async function runOutside(
  site: Services,
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
          'Nobody knows yet how the site is reached.',
          'Set POSTERN_BASE_URL to the address of the site, and start it anew.',
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
