// SVC_Stats: its actions by name, in the order in which they are listed.

import { site } from './site.ts'

export const stats = { site } as const
