// The checks of the site's health as one table, what they found last, and when they run by themselves. Nothing here repairs anything.

import type { Recurring } from '../../jobs/recurring.ts'
import type { Services } from '../services.ts'
import type { Check, Result } from './check.ts'
import { doctorNames, runOutside } from './outside.ts'
import { backupCheck, databaseCheck, passphraseCheck, walCheck } from './data.ts'
import { diskCheck, homeCheck, stagingCheck } from './home.ts'
import { fileSystemCheck, keepAliveCheck, limitsCheck, restartsCheck, timeSourceCheck, timeZoneCheck } from './machine.ts'
import { protectedFoldersCheck } from './protected-folders.ts'
import { maintenanceCheck, pluginsCheck, releaseCheck } from './standing.ts'
import { uploadsCheck } from './uploads.ts'

const checks: readonly Check[] = [
  protectedFoldersCheck,
  uploadsCheck,
  homeCheck,
  stagingCheck,
  diskCheck,
  fileSystemCheck,
  limitsCheck,
  keepAliveCheck,
  timeZoneCheck,
  timeSourceCheck,
  restartsCheck,
  databaseCheck,
  walCheck,
  backupCheck,
  passphraseCheck,
  pluginsCheck,
  releaseCheck,
  maintenanceCheck,
]

/** Those that plant files and ask for them through the public address. */
export const plantedNames = checks.filter(({ outside }) => outside === true).map(({ check }) => check)

/** Those of this table, and behind them the doctor's rows. */
export const checkNames = [...checks.map(({ check }) => check), ...doctorNames]

/** What a check found. */
export interface Finding extends Result {
  readonly check: string
}

export interface Health {
  /** Of all checks, in the table's order. */
  readonly names: readonly string[]
  /** What each check found last, in the table's order. */
  readonly latest: readonly Finding[]
  /**
   * Runs checks, one after the other.
   * @param signal ends them early
   */
  check(site: Services, which: Which, signal: AbortSignal): Promise<readonly Finding[]>
  /** Takes over what another process, or the one before this, found last. */
  learn(found: readonly Finding[]): void
}

/** Which checks run; all of them unless told. */
export interface Which {
  readonly only?: readonly string[] | undefined
  /** False leaves out those that ask through the public address. */
  readonly outside?: boolean | undefined
}

export function createHealth(): Health {
  const found = new Map<string, Finding>()
  return {
    names: checkNames,
    get latest() {
      return checkNames.map((name) => found.get(name)).filter((finding) => finding !== undefined)
    },
    learn(findings) {
      for (const finding of findings) found.set(finding.check, finding)
    },
    async check(site, { only, outside = true }, signal) {
      const wanted = checks.filter((one) => (only?.includes(one.check) ?? true) && (outside || one.outside !== true))
      const findings: Finding[] = []
      for (const one of wanted) {
        const finding = { check: one.check, ...(await runOne(site, one, signal)) }
        found.set(one.check, finding)
        findings.push(finding)
      }
      const rows = doctorNames.filter((name) => only?.includes(name) ?? true)
      if (!outside || rows.length === 0) return findings
      for (const finding of await runOutside(site, rows, only !== undefined, signal)) {
        found.set(finding.check, finding)
        findings.push(finding)
      }
      return findings
    },
  }
}

async function runOne(site: Services, { check, run }: Check, signal: AbortSignal): Promise<Result> {
  try {
    return await run(site, signal)
  } catch (error) {
    site.log.error('health check failed', { check, error })
    return { state: 'unknown', message: 'This check itself failed; the log says why.', fix: null }
  }
}

/**
 * The checks as recurring work: half a minute after a start and then daily, by one process of the site. Every process learns what was found,
 * and the log is told of what isn't well.
 */
export function healthTurn(site: Services): Recurring {
  return {
    name: 'health',
    call: 'SVC_Health.check',
    everyMs: 24 * 60 * 60_000,
    afterStartMs: 30_000,
    run: (signal) => look(site, signal),
    onResult: (found) => site.health.learn(found as readonly Finding[]),
  }
}

async function look(site: Services, signal: AbortSignal): Promise<readonly Finding[]> {
  const found = await site.health.check(site, {}, signal)
  signal.throwIfAborted()
  for (const { check, state, message } of found)
    if (state === 'warning' || state === 'broken') site.log.warn('health', { check, state, message })
  return found
}
