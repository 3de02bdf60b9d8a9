// The addresses of posts on a Ghost site: those of its `routes.yaml`, or `/{slug}/`.

import { parse } from 'yaml'
import { isObject } from '../../../base/json.ts'

/** The values of a post that an address may have. */
export interface PermalinkValues {
  readonly id: string
  readonly slug: string
  /** UTC milliseconds. */
  readonly publishedAt: number | undefined
  readonly tags: readonly string[]
  readonly author: string
}

export type Permalinks = (post: PermalinkValues) => string

interface Collection {
  readonly permalink: string
  /** The tag that posts of the collection have; undefined for all other posts. */
  readonly tag: string | undefined
}

/** @param routes the text of `routes.yaml`, if there is one */
export function readPermalinks(routes: string | undefined): Permalinks {
  const collections = collectionsIn(routes)
  return (post) => {
    const { permalink } = collections.find(({ tag }) => tag === undefined || post.tags.includes(tag)) ?? { permalink: '/{slug}/' }
    const values = valuesOf(post)
    return permalink.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
  }
}

function valuesOf({ id, slug, publishedAt, tags, author }: PermalinkValues): Readonly<Record<string, string>> {
  const [year = '', month = '', day = ''] =
    publishedAt === undefined ? [] : new Date(publishedAt).toISOString().slice(0, 10).split('-')
  return { id, slug, year, month, day, primary_tag: tags[0] ?? 'all', primary_author: author }
}

function collectionsIn(routes: string | undefined): readonly Collection[] {
  const parsed: unknown = routes === undefined ? undefined : parseYaml(routes)
  const listed = isObject(parsed) ? parsed['collections'] : undefined
  if (!isObject(listed)) return []
  return Object.values(listed).flatMap((one) => {
    if (!isObject(one) || typeof one['permalink'] !== 'string') return []
    const { permalink, filter } = one
    const tag = typeof filter === 'string' ? /^(?:primary_)?tag:'?\[?([\w-]+)/.exec(filter)?.[1] : undefined
    return [{ permalink, tag }]
  })
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 })
  } catch {
    return undefined
  }
}
