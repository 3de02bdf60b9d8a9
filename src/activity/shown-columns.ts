// The columns of each kind of object in a diff: their public names, and which of them contain JSON or times.

import { jsonColumns, namesByColumn, timeColumns } from '../content/types/field-lists.ts'
import type { Kind } from '../store/change/kinds.ts'

export interface ShownColumns {
  /** Columns that contain JSON, and columns that contain a time. Other columns are shown as they are. */
  readonly json: readonly string[]
  readonly times: readonly string[]
  /** The names by which callers know columns that have another name in the database. */
  readonly names: Readonly<Record<string, string>>
}

const stagedName = (column: string): string => `staged.${column}`

const plain: ShownColumns = { json: [], times: [], names: {} }
const token: ShownColumns = { json: ['limits'], times: ['expires_at', 'revoked_at'], names: { account_id: 'account' } }

export const shownColumns: Readonly<Record<Kind, ShownColumns>> = {
  account: { ...plain, times: ['second_factor_at'] },
  token,
  app: token,
  setting: { ...plain, json: ['value'] },
  entry: { json: jsonColumns, times: timeColumns, names: namesByColumn },
  entry_pending: {
    json: jsonColumns.map(stagedName),
    times: timeColumns.map(stagedName),
    names: Object.fromEntries(Object.entries(namesByColumn).map(([column, name]) => [stagedName(column), stagedName(name)])),
  },
  former_path: { ...plain, names: { entry_id: 'entry' } },
  media: { ...plain, json: ['focus', 'earlier'], times: ['deleted_at'] },
  media_path: { ...plain, names: { media_id: 'media' } },
  plugin: { ...plain, json: ['manifest', 'may', 'settings', 'registered'] },
  skill: plain,
  proposal: { ...plain, json: ['calls', 'diff', 'expects'], times: ['decided_at'] },
  entry_type: { ...plain, json: ['fields', 'dropped', 'taxonomies', 'list'] },
  taxonomy: { ...plain, json: ['types'] },
  term: { ...plain, json: ['seo'], names: { parent_id: 'parent' } },
  menu: { ...plain, json: ['items'] },
  form: { ...plain, json: ['fields', 'receivers'] },
  redirect: { ...plain, names: { source: 'from', target: 'to' } },
  old_address: plain,
  comment: { ...plain, times: ['confirmed_at'], names: { entry_id: 'entry', parent_id: 'reply_to', state: 'status' } },
  site_file: plain,
  theme: { ...plain, json: ['settings'] },
  theme_file: plain,
}
