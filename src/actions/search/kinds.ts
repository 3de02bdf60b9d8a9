// The kinds that SVC_Search.everything searches, a row each: the action that a caller must be allowed to call, and how the kind is
// searched. Rows, words and rights are those of the class's own action.

import type { Static, TObject } from 'typebox'
import { JsonText } from '../../base/json.ts'
import { searchThemeFiles } from '../../themes/search-files.ts'
import { partsOfQuery, phrasesOfQuery } from '../../store/search/search-text.ts'
import { accounts } from '../accounts/index.ts'
import { type Action, type Context, type ReadAction } from '../call/action.ts'
import { content } from '../content/index.ts'
import { maxWords } from '../lists/search-words.ts'
import { media } from '../media/index.ts'
import { settings } from '../settings/index.ts'
import { terms } from '../terms/index.ts'
import { themes } from '../themes/index.ts'
import { suggestQuery } from './did-you-mean.ts'
import { foundAnswer, listFound } from './found-entries.ts'
import { query as queryEntries } from './query.ts'

/** The search of one kind. */
export interface KindAsked {
  readonly query: string
  /** The words of the query, without quotation marks of phrases. */
  readonly words: readonly string[]
  readonly limit: number
  readonly typing: boolean
}

export interface FoundOne {
  readonly id: string
  readonly title: string
  readonly path: string | null
  readonly snippet: string
  readonly marks?: [number, number][]
  /** The call that reads it. */
  readonly call: string
}

export interface FoundOfKind {
  readonly items: readonly FoundOne[]
  readonly total: number
  readonly isAtLeast: boolean
  /** A spelling of the query that finds more. */
  readonly meant?: string | null
}

/** A row of the table. */
export interface SearchedKind {
  /** The action that the caller must be allowed to call. */
  readonly action: Action
  /** The call that lists all results; undefined if none does. */
  all?(asked: KindAsked): string
  find(context: Context, asked: KindAsked): Promise<FoundOfKind>
}

const callOf = (action: Pick<Action, 'class' | 'name'>, input: unknown): string =>
  `${action.class}.${action.name} ${JSON.stringify(input)}`

/** The answer of another action that reads, for the same caller. */
async function answerOf<I extends TObject, O extends TObject, P>(
  action: Pick<ReadAction<I, O, P>, 'run'>,
  context: Context,
  input: Static<I>,
): Promise<Static<O>> {
  const answer = await action.run(context, input, undefined as P)
  return answer instanceof JsonText ? (answer.parse() as Static<O>) : answer
}

async function findEntries(context: Context, { query, limit, typing }: KindAsked): Promise<FoundOfKind> {
  const phrases = phrasesOfQuery(partsOfQuery(query, maxWords), typing)
  const input = { limit, count: true }
  const page = await listFound(context, input, { phrases })
  const { items, total = 0, total_at_least: isAtLeast = false } = await foundAnswer(context, input, page, phrases)
  const paths = new Map(page.rows.map(({ id, path }) => [id, path]))
  return {
    items: items.map(({ id, title, snippet, marks }) => ({
      id,
      title,
      path: paths.get(id) ?? null,
      snippet,
      marks,
      call: callOf(content.get, { id }),
    })),
    total,
    isAtLeast,
    meant: phrases.length > 0 ? await suggestQuery(context, input, query, items.length) : null,
  }
}

async function findMedia(context: Context, { words, limit }: KindAsked): Promise<FoundOfKind> {
  const {
    items,
    total = 0,
    total_at_least: isAtLeast = false,
  } = await answerOf(media.list, context, {
    search: words.join(' '),
    limit,
    count: true,
  })
  return {
    items: items.map(({ id, filename, path, alt }) => ({
      id,
      title: filename,
      path: path ?? null,
      snippet: alt ?? '',
      call: callOf(media.get, { id }),
    })),
    total,
    isAtLeast,
  }
}

/** The most taxonomies whose terms are searched. */
const maxTaxonomies = 20

async function findTerms(context: Context, { words, limit }: KindAsked): Promise<FoundOfKind> {
  const all = await answerOf(terms.taxonomies, context, {})
  const items: FoundOne[] = []
  let [total, isAtLeast] = [0, all.items.length > maxTaxonomies]
  for (const { slug: taxonomy, name } of all.items.slice(0, maxTaxonomies)) {
    const found = await answerOf(terms.list, context, { taxonomy, search: words.join(' '), limit, count: true })
    total += found.total ?? 0
    isAtLeast ||= found.total_at_least === true
    for (const term of found.items)
      items.push({ id: term.id, title: term.name, path: term.path, snippet: name, call: callOf(terms.get, { id: term.ref }) })
  }
  return { items: items.slice(0, limit), total, isAtLeast: isAtLeast && total > 0 }
}

async function findAccounts(context: Context, { words, limit }: KindAsked): Promise<FoundOfKind> {
  const {
    items,
    total = 0,
    total_at_least: isAtLeast = false,
  } = await answerOf(accounts.list, context, {
    search: words.join(' '),
    limit,
    count: true,
  })
  return {
    items: items.map(({ id, name, email }) => ({
      id,
      title: name,
      path: null,
      snippet: email,
      call: callOf(accounts.get, { id }),
    })),
    total,
    isAtLeast,
  }
}

/** Settings by their names, their help, and their values as far as they are texts. */
async function findSettings(context: Context, { words, limit }: KindAsked): Promise<FoundOfKind> {
  const { items } = await answerOf(settings.list, context, {})
  const found = items.filter(({ key, help, value }) => {
    const text = `${key} ${key.replaceAll('_', ' ')} ${help} ${typeof value === 'string' ? value : ''}`.toLowerCase()
    return words.length > 0 && words.every((word) => text.includes(word.toLowerCase()))
  })
  return {
    items: found.slice(0, limit).map(({ key, group, help }) => ({
      id: key,
      title: key,
      path: null,
      snippet: help,
      call: callOf(settings.list, { group }),
    })),
    total: found.length,
    isAtLeast: false,
  }
}

/** The most theme files that are counted. */
const maxFiles = 100

async function findThemeFiles({ db }: Context, { words, limit }: KindAsked): Promise<FoundOfKind> {
  const found = words.length === 0 ? [] : await searchThemeFiles(db, words, maxFiles)
  return {
    items: found.slice(0, limit).map(({ theme, path, line, text }) => ({
      id: `${theme}/${path}`,
      title: `${path}, line ${line}`,
      path,
      snippet: text,
      call: callOf(themes.read, { id: theme, file: path, ...(line > 1 && { from: line }) }),
    })),
    total: found.length,
    isAtLeast: found.length >= maxFiles,
  }
}

const searchOf = ({ words }: KindAsked) => ({ search: words.join(' ') })

/** In the order of the answer. */
export const kinds = {
  entry: {
    action: queryEntries,
    all: ({ query, typing }) => callOf(queryEntries, { query, ...(typing && { typing }) }),
    find: findEntries,
  },
  media: { action: media.list, all: (asked) => callOf(media.list, searchOf(asked)), find: findMedia },
  term: { action: terms.list, find: findTerms },
  account: { action: accounts.list, all: (asked) => callOf(accounts.list, searchOf(asked)), find: findAccounts },
  setting: { action: settings.list, all: () => callOf(settings.list, {}), find: findSettings },
  theme_file: { action: themes.search, find: findThemeFiles },
} as const satisfies Readonly<Record<string, SearchedKind>>
