// An old address of an imported thing in calls and answers.

import { Type } from 'typebox'
import { oldKinds } from '../../content/redirects/old-addresses.ts'
import { boundedText, nonEmptyText } from '../../base/schema.ts'
import { nullable } from '../call/write-answer.ts'

export const oldKind = Type.Enum([...oldKinds], {
  description:
    'The meaning of `old`: a path, or the number of an item (`/?p=123`: a post, page or attachment), a term (`/?cat=5`) or an author.',
})

const toText = '`/about`, `/media/team.jpg`, `category/news` or `author/anna`'

export const oldRow = {
  site: boundedText('The address of the old site, such as `https://old.example.org`.', 300),
  kind: oldKind,
  old: nonEmptyText('The number there, or the path.', 1100),
  to: nullable(nonEmptyText(toText, 1100), `What it is here: ${toText}; null takes the old address away.`),
}

export const oldItem = Type.Object({
  id: Type.String(),
  site: Type.String(),
  kind: Type.String(),
  old: Type.String(),
  to: nullable(Type.String(), 'Null while the thing has no address, as in the trash.'),
  created_at: Type.String(),
})
