import { calls } from './calls.ts'
import { site } from './site.ts'
import { visits } from './visits.ts'

export const stats = { site, visits, calls } as const
