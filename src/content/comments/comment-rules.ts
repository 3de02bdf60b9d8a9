// The rules of comments: their states, their sizes, and the signs by which a comment of a visitor is taken for spam.

import type { EntryRow } from '../../store/core/schema.ts'
import type { SettingValues } from '../../settings/definitions.ts'

/** The states of a comment. Only approved ones are on the page. */
export const commentStates = ['approved', 'pending', 'spam', 'trash'] as const
export type CommentState = (typeof commentStates)[number]

/** The ways on which a comment came. */
export const commentSources = ['visitor', 'account', 'import', 'webmention'] as const

/** The time for which spam and the trash are kept, in milliseconds. */
export const removedKeptMs = 30 * 24 * 60 * 60_000

export const maxCommentChars = 5000
export const maxNameChars = 80

/** The most links that an honest comment has. */
const maxLinks = 3

/** The choices of the owner for one entry. Without a choice, its type decides. */
export const commentChoices = ['on', 'closed', 'off'] as const

/** The columns of an entry that decide about its comments. */
export type CommentedEntry = Pick<EntryRow, 'type' | 'comments'>

/** True if the comments of an entry are shown. */
export const showsComments = ({ comments: types }: SettingValues, { type, comments }: CommentedEntry): boolean =>
  comments === null ? types.includes(type) : comments !== 'off'

/** True if visitors may comment on an entry. */
export const takesComments = (values: SettingValues, entry: CommentedEntry): boolean =>
  showsComments(values, entry) && entry.comments !== 'closed'

/** Characters that can't be seen, or that turn the direction of the text around them. */
const unseen = /[^\P{Cc}\n\t]|[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu

/** A text as it was meant: line ends as `\n`, at most one empty line between paragraphs, and nothing that can't be seen. */
export const tidyText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(unseen, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** A text on one line. */
export const tidyLine = (text: string): string => tidyText(text).replace(/\s+/g, ' ')

/** A comment of a visitor before it is stored. */
export interface WrittenComment {
  readonly name: string
  readonly body: string
  /** The value of the field that people don't see. */
  readonly trap: string
}

/** True if a comment looks like spam. It is kept, so that the owner can still approve it. */
export const looksLikeSpam = ({ name, body, trap }: WrittenComment): boolean =>
  trap !== '' || countLinks(name) > 0 || countLinks(body) > maxLinks || /<a\s|\[(?:url|link)\b/i.test(body)

const countLinks = (text: string): number => text.match(/https?:\/\/|\bwww\./gi)?.length ?? 0
