// A check of the site's health. Its findings have the form of the doctor's findings.

import type { Verdict } from '../../doctor/finding.ts'
import type { Services } from '../call/services.ts'

export interface Check {
  readonly id: string
  /** True if the check sends requests to the site's public address. */
  readonly outside?: boolean
  /** @param signal ends long work when the caller disconnects or the service stops */
  run(site: Services, signal: AbortSignal): Promise<Verdict>
}
