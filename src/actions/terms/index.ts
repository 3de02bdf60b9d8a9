import { taxonomies } from './taxonomies.ts'
import { list } from './list.ts'
import { get } from './get.ts'
import { saveTaxonomy } from './save-taxonomy.ts'
import { deleteTaxonomy } from './delete-taxonomy.ts'
import { create } from './create.ts'
import { update } from './update.ts'
import { remove } from './delete.ts'
import { merge } from './merge.ts'

export const terms = { taxonomies, saveTaxonomy, deleteTaxonomy, list, get, create, update, delete: remove, merge } as const
