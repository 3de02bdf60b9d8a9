// The site's settings as the rest of the program reads them: a frozen value, current within a second of a change anywhere.

import type { SettingValues } from './definitions.ts'

export interface SettingsReader {
  /** All values, defaults filled in. */
  readonly values: SettingValues
  /** Reads them anew; called when the area `settings` changed. */
  reload(): Promise<void>
}
