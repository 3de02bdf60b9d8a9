// The page under which a comment is written, and that page with what came of a comment.

import type { Reply } from '../../http/reply.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { findPublicEntry } from '../lists/public-entries.ts'
import type { Frame } from '../pages/frame.ts'
import { addressIn, siteFacts } from '../pages/page-data/site-facts.ts'
import { ownReply } from '../pages/public-page.ts'
import type { PostedComment } from './comments-data.ts'

/** The public entry whose page is at a path. The home page has no comments. */
export async function findCommentedEntry(frame: Frame, path: string): Promise<EntryRow | undefined> {
  const { site } = frame
  const entry = await findPublicEntry(site.store.read, path, site.clock.now())
  return entry && addressIn(await siteFacts(frame), path) === path ? entry : undefined
}

/** The page with what came of a comment. */
export const postedReply = (frame: Frame, entry: EntryRow, posted: PostedComment): Promise<Reply> =>
  ownReply({ ...frame, posted }, entry)
