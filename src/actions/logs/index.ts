// SVC_Logs: its actions by name, in the order in which they are listed.

import { list } from './list.ts'

export const logs = { list } as const
