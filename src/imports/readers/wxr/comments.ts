// Comments of an item of WXR. Spam is never in a file; pingbacks are no comments.

import { plainTitle } from '../plain-title.ts'
import type { ImportComment, ImportLoss } from '../../stream.ts'
import { childrenOf, childText, type XmlElement } from '../xml-elements.ts'
import { timeOf } from './times.ts'

const ownTypes: ReadonlySet<string> = new Set(['', 'comment', 'review'])

export function* commentsOf(item: XmlElement, where: string): Generator<ImportComment | ImportLoss> {
  const entry = childText(item, 'wp:post_id')
  for (const comment of childrenOf(item, 'wp:comment')) {
    const text = (name: string) => childText(comment, `wp:comment_${name}`)
    const type = text('type')
    const approved = text('approved')
    const postedAt = timeOf(text('date_gmt'), text('date'))
    if (!ownTypes.has(type))
      yield { kind: 'loss', group: 'comment', name: type, reason: 'a note of another site, no comment', where }
    else if (approved !== '1' && approved !== '0')
      yield { kind: 'loss', group: 'comment', name: approved || 'unknown', reason: 'it was in the trash', where }
    else if (postedAt)
      yield {
        kind: 'comment',
        id: text('id'),
        entry,
        parent: text('parent') === '0' ? undefined : text('parent') || undefined,
        name: plainTitle(text('author')),
        email: text('author_email') || undefined,
        website: text('author_url') || undefined,
        postedAt,
        html: text('content'),
        approved: approved === '1',
      }
    else yield { kind: 'loss', group: 'comment', name: text('id') || 'unknown', reason: 'it has no date', where }
  }
}
