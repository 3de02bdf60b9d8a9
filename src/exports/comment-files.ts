// The comments of the site as a table, as the rows that SVC_Import.put-comments takes. They have addresses of people, so only what
// admins export has them.

import { csvLine } from '../base/csv.ts'
import { namesOfTargets } from '../content/redirects/old-names.ts'
import { formatDate } from '../settings/time-zone.ts'
import type { Db } from '../store/core/database.ts'
import type { CommentRow } from '../store/core/schema.ts'
import type { ExportFile } from './export-file.ts'
import { yesNo } from './kept-people-files.ts'
import { rowPages } from './row-pages.ts'

export const commentsName = 'comments.csv'

/** The columns of the table, in order. */
export const commentColumns = ['id', 'entry', 'parent', 'name', 'email', 'website', 'posted_at', 'approved', 'text'] as const

const rowsAtOnce = 500

/** Yields the file, if the site has comments. */
export async function* commentFiles({ db }: { readonly db: Db }): AsyncGenerator<ExportFile> {
  const first = await keptComments(db).select('id').limit(1).executeTakeFirst()
  if (first) yield { path: commentsName, content: { pieces: lines(db) } }
}

/** The comments that go out: those that are approved or wait. Spam and the trash stay. */
export const keptComments = (db: Db) => db.selectFrom('comment').where('state', 'in', ['approved', 'pending'])

/** An answer comes after what it answers, so that it finds it there when the table is read. */
async function* lines(db: Db): AsyncGenerator<string> {
  yield csvLine(commentColumns)
  for (const operator of ['is', 'is not'] as const) {
    const rowsAfter = (last: CommentRow | undefined) =>
      keptComments(db)
        .selectAll()
        .where('parent_id', operator, null)
        .where('id', '>', last?.id ?? '')
        .orderBy('id')
        .limit(rowsAtOnce)
        .execute()
    for await (const rows of rowPages(rowsAfter)) yield await linesOf(db, rows)
  }
}

async function linesOf(db: Db, rows: readonly CommentRow[]): Promise<string> {
  const entries = rows.map(({ id, entry_id: entry }) => ({ id, target_kind: 'entry', target_id: entry }))
  const paths = await namesOfTargets(db, entries)
  return rows
    .map(({ id, parent_id: parent, name, email, website, created_at: at, state, body }) => {
      const path = paths.get(id)
      const about = [id, path, parent, name, email, website].map((cell) => cell ?? '')
      // The entry may be in the trash.
      return path === undefined ? '' : csvLine([...about, formatDate(at), yesNo(state === 'approved'), body])
    })
    .join('')
}
