// Comments and members of old sites as tables, as the rows that SVC_Import.put-people takes. They have addresses of people, so only
// the export of a whole site has them, which is for admins.

import { csvLine } from '../base/csv.ts'
import { namesOfTargets } from '../content/redirects/old-names.ts'
import type { Db } from '../store/core/database.ts'
import type { ImportCommentRow, ImportMemberRow } from '../store/core/schema.ts'
import { formatDate, formatDateOrNull } from '../settings/time-zone.ts'
import type { ExportFile } from './export-file.ts'
import { rowPages } from './row-pages.ts'

/** The names of the files in an export. */
export const keptPeopleNames = { comments: 'imported-comments.csv', members: 'imported-members.csv' } as const

/** The columns of the files, in order. */
export const keptPeopleColumns = {
  comments: ['site', 'old', 'entry', 'parent', 'name', 'email', 'website', 'posted_at', 'approved', 'html'],
  members: ['site', 'old', 'email', 'name', 'joined_at', 'subscribed'],
} as const

const rowsAtOnce = 1000

/** Yields the files of what the site has kept. */
export async function* keptPeopleFiles({ db }: { readonly db: Db }): AsyncGenerator<ExportFile> {
  if ((await commentsAfter(db, '', 1)).length > 0) yield { path: keptPeopleNames.comments, content: { pieces: comments(db) } }
  if ((await membersAfter(db, '', 1)).length > 0) yield { path: keptPeopleNames.members, content: { pieces: members(db) } }
}

async function* comments(db: Db): AsyncGenerator<string> {
  yield csvLine(keptPeopleColumns.comments)
  for await (const rows of rowPages<ImportCommentRow>((last) => commentsAfter(db, last?.id ?? ''))) {
    const entries = rows.flatMap(({ id, entry_id: entry }) =>
      entry === null ? [] : [{ id, target_kind: 'entry', target_id: entry }],
    )
    const paths = await namesOfTargets(db, entries)
    yield rows
      .map((row) => {
        const { source, old_id: old, parent_id: parent, name, email, website, html } = row
        const cells = [source, old, paths.get(row.id), parent, name, email, website]
        return csvLine([...cells.map((cell) => cell ?? ''), formatDate(row.posted_at), yesNo(row.approved === 1), html])
      })
      .join('')
  }
}

async function* members(db: Db): AsyncGenerator<string> {
  yield csvLine(keptPeopleColumns.members)
  for await (const rows of rowPages<ImportMemberRow>((last) => membersAfter(db, last?.id ?? '')))
    yield rows
      .map(({ source, old_id: old, email, name, joined_at: joined, subscribed }) =>
        csvLine([source, old, email, name ?? '', formatDateOrNull(joined) ?? '', yesNo(subscribed === 1)]),
      )
      .join('')
}

/** A truth value as a cell. */
export const yesNo = (value: boolean): string => (value ? 'yes' : 'no')

/** Ids are digests of the old site and the old id, so their order does not depend on when the rows were written. */
const commentsAfter = (db: Db, id: string, limit = rowsAtOnce) =>
  db.selectFrom('import_comment').selectAll().where('id', '>', id).orderBy('id').limit(limit).execute()

const membersAfter = (db: Db, id: string, limit = rowsAtOnce) =>
  db.selectFrom('import_member').selectAll().where('id', '>', id).orderBy('id').limit(limit).execute()
