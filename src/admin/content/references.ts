// The objects that a field can refer to: an image, a file, an entry or a term. Each kind defines how to search by a part of the
// name, and how to show a chosen object with its title.

import { content } from '../../actions/content/index.ts'
import { media } from '../../actions/media/index.ts'
import { terms } from '../../actions/terms/index.ts'
import { shownFields } from '../media/media-view.ts'
import { run } from '../page.ts'
import type { SignedIn } from '../visit.ts'
import { statusWord } from './status-badges.ts'

/** An object that a field can refer to. */
export interface Reference {
  /** The value in the form: a path, an id if there is no path, or `taxonomy/slug`. */
  readonly value: string
  readonly title: string
  /** A path or status next to the title. */
  readonly note: string
  /** The address of a small picture. */
  readonly image?: string | undefined
  /** The description of a picture; null if nobody has written one. */
  readonly alt?: string | null | undefined
  /** The point of a picture that stays visible. */
  readonly focus?: { readonly x: number; readonly y: number } | null | undefined
  readonly path?: string | undefined
}

interface Asked {
  /** A part of a name; `''` asks for the newest objects. */
  readonly words: string
  /** The type that an entry must have, or the taxonomy of a term. */
  readonly of?: string | undefined
  /** The most results. */
  readonly most?: number | undefined
}

interface ReferenceKind {
  find(visit: SignedIn, asked: Asked): Promise<readonly Reference[]>
  /** Returns the object with this id, path or name. */
  named(visit: SignedIn, ref: string): Promise<Reference | undefined>
}

/** The usual number of search results, and the most. */
const maxFound = 8
export const mostFound = 48

interface MediaFacts {
  readonly id: string
  readonly path?: string | undefined
  readonly filename: string
  readonly url?: string | null | undefined
  readonly kind: string
  readonly alt?: string | null | undefined
  readonly focus?: Reference['focus']
  readonly variants?: readonly { readonly width: number; readonly url: string }[] | undefined
}

function toFile({ id, path, filename, url, kind, alt, focus, variants = [] }: MediaFacts): Reference {
  const small = variants.find(({ width }) => width >= 200)?.url ?? url ?? undefined
  return {
    value: path ?? id,
    title: filename,
    note: path ?? '',
    image: kind.startsWith('image/') ? small : undefined,
    alt,
    focus,
  }
}

const files = (where: object): ReferenceKind => ({
  async find(visit, { words, most = maxFound }) {
    const asked = { where: where as never, limit: most, ...(words !== '' && { search: words }) }
    const { data } = await run(visit, media.list, asked, { select: [...shownFields, 'focus'] })
    return (data?.items ?? []).map((item) => toFile(item as MediaFacts))
  },
  async named(visit, ref) {
    const { data } = await run(visit, media.get, { id: ref })
    return data && toFile(data.item)
  },
})

interface EntryFacts {
  readonly id: string
  readonly title: string
  readonly path: string | null
  readonly status: string
}

const entryFacts = ['id', 'title', 'path', 'status'] as const

function toEntry({ t }: SignedIn, { id, title, path, status }: EntryFacts): Reference {
  const note = [path, status !== 'published' && statusWord(t, status)].filter(Boolean).join(' · ')
  return { value: path ?? id, title: title || t('content.without_title'), note, path: path ?? undefined }
}

const entries: ReferenceKind = {
  async find(visit, { words, of, most = maxFound }) {
    const asked = { where: words === '' ? {} : { title: { has: words } }, limit: most, ...(of !== undefined && { type: of }) }
    const { data } = await run(visit, content.list, asked, { select: entryFacts })
    return (data?.items ?? []).map((item) => toEntry(visit, item))
  },
  async named(visit, ref) {
    const { data } = await run(visit, content.get, { id: ref }, { select: entryFacts })
    return data && toEntry(visit, data.item)
  },
}

const toTerm = ({ ref, name }: { readonly ref: string; readonly name: string }): Reference => ({
  value: ref,
  title: name,
  note: ref,
})

const termReferences: ReferenceKind = {
  async find(visit, { words, of }) {
    const { data: all } = of === undefined ? await run(visit, terms.taxonomies, {}) : { data: { items: [{ slug: of }] } }
    const search = words === '' ? {} : { search: words }
    const found = await Promise.all(
      (all?.items ?? []).slice(0, maxFound).map(async ({ slug }) => {
        const { data } = await run(visit, terms.list, { taxonomy: slug, limit: maxFound, ...search }, { select: ['ref', 'name'] })
        return data?.items ?? []
      }),
    )
    return found.flat().slice(0, maxFound).map(toTerm)
  },
  async named(visit, ref) {
    const { data } = await run(visit, terms.get, { id: ref })
    return data && toTerm(data.item)
  },
}

const kinds = {
  image: files({ kind: { gte: 'image/', lt: 'image0' } }),
  media: files({}),
  entry: entries,
  term: termReferences,
} as const satisfies Readonly<Record<string, ReferenceKind>>

export type ReferenceName = keyof typeof kinds

export const isReferenceName = (name: string): name is ReferenceName => Object.hasOwn(kinds, name)

/** Objects whose names contain these words: up to eight, unless more are asked for. */
export const findReferences = (visit: SignedIn, name: ReferenceName, asked: Asked): Promise<readonly Reference[]> =>
  kinds[name].find(visit, asked)

/** The object with this id, path or name; undefined if the visitor may not see it. */
export const namedReference = (visit: SignedIn, name: ReferenceName, ref: string): Promise<Reference | undefined> =>
  kinds[name].named(visit, ref)
