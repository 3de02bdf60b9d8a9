// SVC_Settings: its actions by name, in the order in which they are listed.

import { settingsMaintenance } from '../svc-settings-maintenance.ts'
import { list, settingsUpdate } from '../svc-settings.ts'

export const settings = {
  list,
  update: settingsUpdate,
  maintenance: settingsMaintenance,
} as const
