// SVC_Search: finds entries by their words.

import type { Action } from '../../action.ts'
import { query } from './query.ts'
import { reindex } from './reindex.ts'
import { similar } from './similar.ts'

export const searchActions: readonly Action[] = [query, similar, reindex]
