// SVC_Logs: its actions by name, in the order in which they are listed.

import { logsList } from '../svc-logs.ts'

export const logs = {
  list: logsList,
} as const
