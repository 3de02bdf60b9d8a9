// SVC_Terms: taxonomies such as categories and tags, and their terms.

import type { Action } from '../../action.ts'
import { get, list, taxonomies } from './reading.ts'
import { deleteTaxonomy, saveTaxonomy } from './taxonomy.ts'
import { create, merge, remove, update } from './writing.ts'

export const termActions: readonly Action[] = [taxonomies, saveTaxonomy, deleteTaxonomy, list, get, create, update, remove, merge]
