// The found entries of a search in answers: title, address, a snippet of the text, and a score.

import { type Static, Type } from 'typebox'
import { urlOf } from '../../content/entries/entry.ts'
import { leanColumns } from '../../content/types/field-lists.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { type ListPage, listAnswer, listRows } from '../lists/list.ts'
import type { SearchAsked } from '../lists/search.ts'
import { nullable } from '../call/write-answer.ts'
import { type EntryListInput, listFor, seenBy } from '../content/list.ts'
import { readSnippets } from './snippets.ts'

export const foundItem = Type.Object({
  id: Type.String(),
  title: Type.String(),
  url: nullable(Type.String()),
  snippet: Type.String({ description: 'Plain text of the entry around the words that were found; never markup.' }),
  marks: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
    description: 'The words of the search in `snippet`: start and end of each, in UTF-16 units; the end is exclusive.',
  }),
  score: Type.Number({ description: 'How well it matches, compared with the first item of the page, which has 1.' }),
})

type FoundEntry = Static<typeof foundItem> & { readonly marks: [start: number, end: number][] }

type FoundRow = Pick<EntryRow, 'id' | 'title' | 'path'>

/** Returns a page of entries with these phrases, the best match first. Bodies are not read. */
export function listFound(
  context: Context,
  input: EntryListInput,
  searching: Pick<SearchAsked, 'phrases' | 'which'>,
): Promise<ListPage<FoundRow>> {
  return listRows(context, listFor(context), input, { columns: leanColumns, ...seenBy(context, input), searching })
}

/** Returns the items of these rows. A row that the caller may no longer see has an empty snippet. */
export async function foundEntries(
  context: Context,
  input: EntryListInput,
  { rows, values = [] }: Pick<ListPage<FoundRow>, 'rows' | 'values'>,
  phrases: readonly string[],
): Promise<FoundEntry[]> {
  const ids = rows.map(({ id }) => id)
  const snippets = await readSnippets(context, ids, phrases, seenBy(context, input).narrow)
  return rows.map(({ id, title, path }, at) => {
    const { text, marks } = snippets.get(id) ?? { text: '', marks: [] }
    const url = path === null ? null : urlOf(context.origin, path)
    return {
      id,
      title,
      url,
      snippet: text,
      marks: marks.map(([start, end]) => [start, end] as [number, number]),
      score: scoreOf(values[at], values[0]),
    }
  })
}

/** Returns the answer of a search: its items, and the cursor of the next page. */
export async function foundAnswer(context: Context, input: EntryListInput, page: ListPage<FoundRow>, phrases: readonly string[]) {
  const items = new Map((await foundEntries(context, input, page, phrases)).map((item) => [item.id, item]))
  return listAnswer(context, page, ({ id }) => items.get(id) as FoundEntry)
}

/** Returns a rank as a share of the best rank of the page; 1 for all entries if nothing is ranked. */
function scoreOf(rank: unknown, best: unknown): number {
  const share = Number(rank) / Number(best)
  return Number.isFinite(share) ? Math.round(Math.min(Math.max(share, 0), 1) * 100) / 100 : 1
}
