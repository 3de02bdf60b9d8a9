// How a diff shows the columns of each kind of object: their public names, and which of them contain JSON or times.

import { jsonColumns, namesByColumn, timeColumns } from '../content/field-lists.ts'
import type { Kind } from '../store/kinds.ts'

export interface ShownColumns {
  /** Columns that contain JSON, and columns that contain a time. Other columns are shown as they are. */
  readonly json: readonly string[]
  readonly times: readonly string[]
  /** The names by which callers know columns that have another name in the database. */
  readonly names: Readonly<Record<string, string>>
}

const plain: ShownColumns = { json: [], times: [], names: {} }
const token: ShownColumns = { json: ['limits'], times: ['expires_at', 'revoked_at'], names: { account_id: 'account' } }

export const shownColumns: Readonly<Record<Kind, ShownColumns>> = {
  account: { ...plain, times: ['second_factor_at'] },
  token,
  app: token,
  setting: { ...plain, json: ['value'] },
  entry: { json: jsonColumns, times: timeColumns, names: namesByColumn },
  former_path: { ...plain, names: { entry_id: 'entry' } },
  plugin: { ...plain, json: ['manifest', 'may', 'settings', 'registered'] },
  skill: plain,
  proposal: { ...plain, json: ['calls', 'diff', 'expects'], times: ['decided_at'] },
}
