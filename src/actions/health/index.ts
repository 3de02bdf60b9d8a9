import { check } from './check.ts'
import { clearCaches } from './clear-caches.ts'
import { doctorKey } from './doctor-key.ts'

export const health = { check, clearCaches, doctorKey } as const
