// SVC_Health: its actions by name, in the order in which they are listed.

import { check } from './check.ts'
import { clearCaches } from './clear-caches.ts'
import { doctorKey } from './doctor-key.ts'

export const health = { check, clearCaches, doctorKey } as const
