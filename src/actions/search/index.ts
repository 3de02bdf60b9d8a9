import { everything } from './everything.ts'
import { query } from './query.ts'
import { reindex } from './reindex.ts'
import { similar } from './similar.ts'

export const search = { query, everything, similar, reindex } as const
