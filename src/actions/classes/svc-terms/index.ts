// SVC_Terms: its actions by name, in the order in which they are listed.

import { taxonomies, list, get } from './reading.ts'
import { saveTaxonomy, deleteTaxonomy } from './taxonomy.ts'
import { create, update, remove, merge } from './writing.ts'

export const terms = {
  taxonomies,
  saveTaxonomy,
  deleteTaxonomy,
  list,
  get,
  create,
  update,
  delete: remove,
  merge,
} as const
