// SVC_Health: its actions by name, in the order in which they are listed.

import { healthCheck, clearCaches, doctorKey } from '../svc-health.ts'

export const health = {
  check: healthCheck,
  clearCaches,
  doctorKey,
} as const
