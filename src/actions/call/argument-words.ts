// Suggests arguments for a name or a value that there is none: by its spelling, and by the words of other systems.

import { nearest } from '../../base/nearest.ts'

/** The arguments that a word of other systems means, the likeliest first. Those that an action doesn't take are left out. */
const names: Readonly<Record<string, readonly string[]>> = {
  address: ['path', 'to', 'url'],
  categories: ['terms'],
  category: ['terms'],
  content: ['body', 'text'],
  cover_image: ['cover'],
  data: ['base64', 'text', 'fields'],
  date: ['published_at'],
  description: ['excerpt', 'seo'],
  destination: ['to', 'into'],
  featured_image: ['cover'],
  filter: ['where'],
  filters: ['where'],
  headline: ['title'],
  heading: ['title'],
  html: ['body', 'text'],
  image: ['cover'],
  key: ['id'],
  lang: ['locale'],
  language: ['locale'],
  markdown: ['body', 'text'],
  meta_description: ['seo'],
  meta_title: ['seo'],
  metadata: ['seo'],
  name: ['title', 'slug', 'filename', 'action'],
  new: ['replace', 'to'],
  offset: ['cursor'],
  old: ['find', 'from'],
  order: ['sort'],
  order_by: ['sort'],
  orderby: ['sort'],
  page: ['cursor'],
  per_page: ['limit'],
  permalink: ['slug'],
  post_status: ['status'],
  publish: ['status'],
  publish_date: ['published_at'],
  q: ['search', 'query'],
  query: ['search', 'where'],
  replacement: ['replace'],
  source: ['from'],
  state: ['status'],
  summary: ['excerpt', 'note'],
  tag: ['terms'],
  tags: ['terms'],
  target: ['to', 'into'],
  text: ['body'],
  thumbnail: ['cover'],
  tool: ['action'],
  url: ['path', 'id', 'to'],
}

/** The arguments with members of their own, in which a value may have been meant. */
const holders: readonly (readonly [name: string, words: string])[] = [
  ['where', 'Conditions are in `where`'],
  ['set', 'What is set is in `set`'],
  ['fields', 'The fields that the type defines are in `fields`'],
]

/** The values that a word of other systems means. */
const values: Readonly<Record<string, readonly string[]>> = {
  article: ['post'],
  author: ['contributor'],
  bool: ['boolean'],
  editor: ['content'],
  float: ['number'],
  int: ['number'],
  integer: ['number'],
  md: ['markdown'],
  pending: ['draft'],
  public: ['published'],
  string: ['text'],
  viewer: ['read'],
  write: ['content'],
}

const meant = (
  words: Readonly<Record<string, readonly string[]>>,
  asked: string,
  known: readonly string[],
): readonly string[] => {
  const word = asked.toLowerCase().replaceAll('-', '_')
  return Object.hasOwn(words, word) ? (words[word] ?? []).filter((one) => known.includes(one)).slice(0, 2) : []
}

/** Returns the arguments that may be meant by a name. @param known the arguments that the action takes */
export function nearestArguments(asked: string, known: readonly string[]): readonly string[] {
  const ofWords = meant(names, asked, known)
  return ofWords.length > 0 ? ofWords : nearest(asked, known)
}

/** Returns the values of a choice that may be meant. */
export function nearestValues(asked: string, choices: readonly string[]): readonly string[] {
  const near = nearest(asked, choices)
  return near.length > 0 ? near : meant(values, asked, choices)
}

/** Hints about names, for actions that take the argument that they mean. */
const hints: readonly (readonly [names: RegExp, argument: string, hint: string])[] = [
  [
    /^(?:meta|seo)_?(?:title|description)$/i,
    'seo',
    'What search engines are told is in `seo`: {"seo": {"title": …, "description": …}}.',
  ],
  [/^(?:page|offset)$/i, 'cursor', 'A list goes on with the `next_cursor` of the answer before as `cursor`.'],
  [/^publish$/i, 'status', 'Published is a status: {"status": "published"}.'],
]

/**
 * Returns the hint about an unknown argument: what it means here, or that it belongs into another one.
 * @param hasNear true if arguments of a near name are suggested
 */
export function argumentHint(name: string, known: readonly string[], hasNear: boolean): string | undefined {
  const said = hints.find(([words, argument]) => words.test(name) && known.includes(argument))?.[2]
  if (said !== undefined || hasNear) return said
  const [holder, words] = holders.find(([one]) => known.includes(one)) ?? []
  return holder === undefined ? undefined : `${words}: {"${holder}": {${JSON.stringify(name.slice(0, 80))}: …}}.`
}
