// References in the values of fields: callers give an id or a path, and the id is stored. One row per kind of object.

import { findMedia } from '../../media/media-rows.ts'
import type { Db } from '../../store/core/database.ts'
import { findEntry } from './entry.ts'
import { findTerm } from '../terms/terms.ts'

/** Kinds of fields that refer to an object. */
export type ReferenceKind = 'media' | 'entry' | 'term'

/**
 * Finds the stored form of a reference.
 * @param of the type of the entry, or the taxonomy of the term, if only those are accepted
 */
type Resolver = (db: Db, ref: string, of: string | undefined) => Promise<string | undefined>

/** The one place that resolves references. To connect a kind to its table, replace its row. */
export const referenceResolvers: Readonly<Record<ReferenceKind, Resolver>> = {
  async entry(db, ref, of) {
    const entry = await findEntry(db, ref)
    return entry && (of === undefined || entry.type === of) ? entry.id : undefined
  },
  media: async (db, ref) => (await findMedia(db, ref))?.id,
  async term(db, ref, of) {
    const term = await findTerm(db, ref)
    return term && (of === undefined || term.taxonomy === of) ? term.id : undefined
  },
}
