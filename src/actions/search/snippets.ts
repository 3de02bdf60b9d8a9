// Reads the texts of a page of search results and makes their snippets. Only a part of each text is rendered, all parts at once.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { findPhrases } from '../../content/markdown/search-marks.ts'
import {
  type BodyPart,
  maxSearchedChars,
  partForSnippet,
  type Snippet,
  snippetOf,
} from '../../content/markdown/search-snippet.ts'
import { jsonTexts } from '../../store/core/json-rows.ts'
import type { Context } from '../call/action.ts'
import { checkDeadline } from '../call/deadline.ts'
import type { ListQuery } from '../lists/list.ts'

/** The text of an entry, up to the length that snippets search. */
export interface SearchedText {
  readonly id: string
  readonly title: string
  readonly excerpt: string | null
  readonly body: string
  readonly locale: string | null
}

type Narrow = (query: ListQuery<'entry'>) => ListQuery<'entry'>

/** Returns the texts of these entries that the caller may see. */
export async function readTexts({ db }: Context, ids: readonly string[], narrow: Narrow): Promise<readonly SearchedText[]> {
  if (ids.length === 0) return []
  return narrow(db.selectFrom('entry') as ListQuery<'entry'>)
    .where('entry.id', 'in', jsonTexts(db, ids))
    .select(['entry.id', 'entry.title', 'entry.excerpt', 'entry.locale'])
    .select(sql<string>`substr(entry.body, 1, ${sql.lit(maxSearchedChars)})`.as('body'))
    .execute()
}

/** Returns the snippets of entries, by their ids. */
export async function readSnippets(
  context: Context,
  ids: readonly string[],
  phrases: readonly string[],
  narrow: Narrow,
): Promise<ReadonlyMap<string, Snippet>> {
  const { site } = context
  const texts = await readTexts(context, ids, narrow)
  const parts: (BodyPart & { readonly text: string; readonly language: string })[] = []
  for (const text of texts) {
    checkDeadline(context)
    const part = partOf(text, phrases)
    parts.push({ ...part, text: part.markdown, language: text.locale ?? site.settings.values.language })
    if (text.body.length > maxSearchedChars / 8) await nextTurn()
  }
  const plain = await site.excerpts.plain(parts)
  return new Map(texts.map(({ id }, at) => [id, snippetOf(plain[at] ?? '', phrases, parts[at]?.cut)]))
}

/** Returns the Markdown for a snippet. The entry's own summary is used if the body has no word of the search. */
function partOf({ excerpt, body }: SearchedText, phrases: readonly string[]): BodyPart {
  const source = excerpt !== null && findPhrases(body, phrases).length === 0 ? excerpt : body
  return partForSnippet(source, phrases)
}
