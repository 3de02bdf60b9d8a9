// What a check of the site's health is. It finds what a row of the doctor finds.

import type { Verdict } from '../../doctor/finding.ts'
import type { Services } from '../services.ts'

export interface Check {
  readonly id: string
  /** Asks through the site's public address. */
  readonly outside?: boolean
  /** @param signal ends long work: the caller has left, or the service stops */
  run(site: Services, signal: AbortSignal): Promise<Verdict>
}
