// SVC_Search: its actions by name, in the order in which they are listed.

import { query } from './query.ts'
import { reindex } from './reindex.ts'
import { similar } from './similar.ts'

export const search = { query, similar, reindex } as const
