// The comments of old sites become comments here: approved ones approved, others waiting, each with its old date. Threads have two
// levels, so deeper answers stand beside those that they answer. A comment that is here already stays as it is.

import { maxNameChars } from '../../../content/comments/comment-rules.ts'
import { textOfOldComment } from '../../../content/comments/comment-html.ts'
import { keptId } from '../../../imports/behind/kept-people.ts'
import type { Db } from '../../../store/core/database.ts'
import type { ImportCommentRow } from '../../../store/core/schema.ts'
import { insertComment } from '../insert-comment.ts'
import type { ImportJob, Reached } from './import-job.ts'

const atOnce = 200
/** The most levels of an old thread that are followed. */
const maxLevels = 100

/** @param reached the progress of the run, which this doesn't change */
export async function takeInComments(job: ImportJob, reached: Reached): Promise<void> {
  const { read } = job.context.site.store
  for (let after = ''; ;) {
    const rows = await read.selectFrom('import_comment').selectAll().where('id', '>', after).orderBy('id').limit(atOnce).execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    const left = await notHere(read, rows)
    if (left.length === 0) continue
    const parents = await parentsAbove(read, left)
    await job.slice(reached, async ({ change }) => {
      for (const row of left)
        await insertComment(change, {
          id: commentIdOf(row.id),
          entry_id: row.entry_id ?? '',
          parent_id: threadIn(parents, row),
          approved: row.approved === 1,
          name: row.name.slice(0, maxNameChars).toWellFormed() || 'Anonymous',
          email: row.email,
          website: row.website,
          body: textOfOldComment(row.html),
          postedAt: row.posted_at,
        })
    })
  }
}

/** The id here of an old comment, so that a further import finds it. */
const commentIdOf = (id: string): string => id.slice(0, 26)

type OldComment = Pick<ImportCommentRow, 'id' | 'source' | 'parent_id'>

/** The comment above another; undefined for the first of a thread. */
const aboveOf = ({ source, parent_id: parent }: Omit<OldComment, 'id'>): string | undefined =>
  parent === null ? undefined : keptId(source, parent)

/** Returns the comments above others, level by level, by their ids. */
async function parentsAbove(db: Db, rows: readonly OldComment[]): Promise<ReadonlyMap<string, OldComment>> {
  const found = new Map<string, OldComment>()
  let asked: readonly OldComment[] = rows
  for (let level = 0; level < maxLevels && asked.length > 0; level++) {
    const ids = [...new Set(asked.flatMap((row) => aboveOf(row) ?? []))].filter((id) => !found.has(id))
    if (ids.length === 0) break
    asked = await db.selectFrom('import_comment').select(['id', 'source', 'parent_id']).where('id', 'in', ids).execute()
    for (const row of asked) found.set(row.id, row)
  }
  return found
}

/** The first comment of the thread; null for that comment itself, and if the old site has lost it. */
function threadIn(comments: ReadonlyMap<string, OldComment>, row: OldComment): string | null {
  let above = comments.get(aboveOf(row) ?? '')
  for (let level = 0; level < maxLevels && above?.parent_id; level++) above = comments.get(aboveOf(above) ?? '') ?? above
  return above ? commentIdOf(above.id) : null
}

/** The comments with a text and an entry that are not here yet. */
async function notHere(db: Db, rows: readonly ImportCommentRow[]): Promise<readonly ImportCommentRow[]> {
  const ids = [...new Set(rows.map(({ entry_id: id }) => id).filter((id) => id !== null))]
  const comments = rows.map(({ id }) => commentIdOf(id))
  const found = await db.selectFrom('comment').select('id').where('id', 'in', comments).execute()
  const entries = ids.length === 0 ? [] : await db.selectFrom('entry').select('id').where('id', 'in', ids).execute()
  const [here, known] = [new Set(found.map(({ id }) => id)), new Set(entries.map(({ id }) => id))]
  return rows.filter(
    (row) => !here.has(commentIdOf(row.id)) && known.has(row.entry_id ?? '') && textOfOldComment(row.html) !== '',
  )
}
