// The members that stored objects have in common in answers.

import { Type } from 'typebox'
import { formatDate } from '../../settings/time-zone.ts'

/** The properties of an item. */
export const stampProperties = { created_at: Type.String(), updated_at: Type.String(), revision: Type.Integer() }

interface Stamped {
  readonly created_at: number
  readonly updated_at: number
  readonly revision: number
}

/** The members of the item of a row. */
export const stampsOf = ({ created_at: made, updated_at: changed, revision }: Stamped) => ({
  created_at: formatDate(made),
  updated_at: formatDate(changed),
  revision,
})
