// The page under which a comment is written, and that page with what came of a comment.

import type { Reply } from '../../http/reply.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { findPublicEntry } from '../lists/public-entries.ts'
import type { Frame } from '../pages/frame.ts'
import { addressIn, siteFacts } from '../pages/page-data/site-facts.ts'
import { entryReply } from '../pages/public-page.ts'
import type { PostedComment } from './comments-data.ts'

/** The public entry whose page is at a path. The home page has no comments. */
export async function findCommentedEntry(frame: Frame, path: string): Promise<EntryRow | undefined> {
  const { site } = frame
  const entry = await findPublicEntry(site.store.read, path, site.clock.now())
  return entry && addressIn(await siteFacts(frame), path) === path ? entry : undefined
}

/** The page with what came of a comment, for one visitor: no cache may have it, and it is no page for bad times. */
export async function postedReply(frame: Frame, entry: EntryRow, posted: PostedComment): Promise<Reply> {
  const reply = await entryReply({ ...frame, posted }, undefined, entry)
  const { etag: _etag, ...headers } = reply.headers
  return { ...reply, headers: { ...headers, 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' } }
}
