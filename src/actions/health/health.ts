// The checks of the site's health as one table, their latest findings, and the daily run. No check repairs anything.

import type { Recurring } from '../../jobs/recurring.ts'
import type { Services } from '../call/services.ts'
import { type Finding, findingOf, needsWork, unknown, type Verdict } from '../../doctor/finding.ts'
import type { Check } from './health-check.ts'
import { doctorNames, runOutside } from './outside.ts'
import { chromiumCheck } from './chromium.ts'
import { backupCheck, databaseCheck, elsewhereCheck, passphraseCheck, serverCheck, walCheck } from './data.ts'
import { diskCheck, homeCheck, stagingCheck } from './home.ts'
import { fileSystemCheck, keepAliveCheck, limitsCheck, restartsCheck, timeSourceCheck, timeZoneCheck } from './machine.ts'
import { protectedFoldersCheck } from './protected-folders.ts'
import { processesCheck } from './processes.ts'
import { mailCheck, mailDnsCheck } from './mail.ts'
import { maintenanceCheck, pathsCheck, pluginsCheck, releaseCheck, sourcesCheck, themeCheck } from './standing.ts'
import { sectionsCheck } from './sections.ts'
import { uploadsCheck } from './uploads.ts'
import { webhooksCheck } from './webhooks.ts'

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
  chromiumCheck,
  processesCheck,
  databaseCheck,
  serverCheck,
  walCheck,
  backupCheck,
  passphraseCheck,
  elsewhereCheck,
  webhooksCheck,
  mailCheck,
  mailDnsCheck,
  pluginsCheck,
  themeCheck,
  sourcesCheck,
  pathsCheck,
  sectionsCheck,
  releaseCheck,
  maintenanceCheck,
]

/** The checks that plant files and request them through the public address. */
export const plantedNames = checks.filter(({ outside }) => outside === true).map(({ id }) => id)

/** The checks of this table, then the doctor's rows. */
export const checkNames = [...checks.map(({ id }) => id), ...doctorNames]

/** The source of these findings. */
export const checkSource = 'the server itself'

export interface Health {
  /** The names of all checks, in the order of the table. */
  readonly names: readonly string[]
  /** The latest finding of each check, in the table's order. */
  readonly latest: readonly Finding[]
  /**
   * Runs checks one after another.
   * @param signal ends them early
   */
  check(site: Services, which: Which, signal: AbortSignal): Promise<readonly Finding[]>
  /** Stores the findings of another process or of an earlier run. */
  learn(found: readonly Finding[]): void
}

/** The checks to run; the default is all. */
export interface Which {
  readonly only?: readonly string[] | undefined
  /** False excludes checks through the public address. */
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
      for (const finding of findings) found.set(finding.id, finding)
    },
    async check(site, { only, outside = true }, signal) {
      const wanted = checks.filter((one) => (only?.includes(one.id) ?? true) && (outside || one.outside !== true))
      const findings: Finding[] = []
      const add = (finding: Finding) => {
        found.set(finding.id, finding)
        findings.push(finding)
      }
      for (const one of wanted) add(findingOf({ id: one.id, source: checkSource }, await runOne(site, one, signal)))
      const rows = outside ? doctorNames.filter((name) => only?.includes(name) ?? true) : []
      if (rows.length > 0) for (const row of await runOutside(site, rows, only !== undefined, signal)) add(row)
      return findings
    },
  }
}

async function runOne(site: Services, { id, run }: Check, signal: AbortSignal): Promise<Verdict> {
  try {
    return await run(site, signal)
  } catch (error) {
    site.log.error('health check failed', { check: id, error })
    return unknown('This check could not be done; the log says why.')
  }
}

/**
 * Returns the checks as recurring work: half a minute after a start and then daily, in one process of the site. Every process gets
 * the findings, and warnings and faults are logged.
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
  for (const { id, state, message } of found.filter(needsWork)) site.log.warn('health', { check: id, state, message })
  return found
}
