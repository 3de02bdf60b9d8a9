// SVC_Settings: its actions by name, in the order in which they are listed.

import { maintenance } from '../svc-settings-maintenance.ts'
import { list, update } from '../svc-settings.ts'

export const settings = {
  list,
  update,
  maintenance,
} as const
