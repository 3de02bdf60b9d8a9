// The entry that the editor shows: with what waits for it, and with paths in place of the ids of what it refers to.

import { get as contentGet } from '../../actions/classes/svc-content/get.ts'
import { get as mediaGet } from '../../actions/classes/svc-media/reading.ts'
import type { AnswerOf } from '../../actions/call-action.ts'
import type { EntryType } from '../../content/entry-types.ts'
import { get, run } from '../page.ts'
import type { SignedIn } from '../visit.ts'

const facts = [
  'id',
  'type',
  'title',
  'slug',
  'path',
  'url',
  'status',
  'published_at',
  'unpublish_at',
  'updated_at',
  'revision',
  'excerpt',
  'author',
  'parent',
  'position',
  'seo',
  'terms',
  'locale',
  'translation_of',
  'fields',
  'cover',
  'staged',
  'translations',
] as const

type Answered = AnswerOf<typeof contentGet.output, (typeof facts)[number]>['item']
type Facts = { readonly [K in keyof Answered]: Exclude<Answered[K], undefined> }

/** What an entry refers to, as people write it. */
interface Refs {
  readonly parent: string
  readonly cover: string
  readonly coverUrl: string | undefined
  readonly seoImage: string
}

export interface EditedEntry extends Facts {
  readonly body: string
  readonly refs: Refs
}

/** @throws Failure `not_found` */
export async function readEntry(visit: SignedIn, id: string): Promise<EditedEntry> {
  const { item } = await get(visit, contentGet, { id, stage: true }, { select: facts })
  const text = await get(visit, contentGet, { id, stage: true }, { select: ['body'] }, { longAnswer: true })
  const entry = item as unknown as Facts
  return { ...entry, body: text.item.body ?? '', refs: await refsOf(visit, entry) }
}

const noRefs: Refs = { parent: '', cover: '', coverUrl: undefined, seoImage: '' }

async function refsOf(visit: SignedIn, { parent, cover, seo }: Facts): Promise<Refs> {
  const found = parent === null ? undefined : await run(visit, contentGet, { id: parent }, { select: ['path'] })
  const picture = cover === null ? undefined : await run(visit, mediaGet, { id: cover })
  const card = seo.image === null ? undefined : await run(visit, mediaGet, { id: seo.image })
  return {
    parent: found?.data?.item.path ?? parent ?? '',
    cover: picture?.data?.item.path ?? cover ?? '',
    coverUrl: picture?.data?.item.url ?? undefined,
    seoImage: card?.data?.item.path ?? seo.image ?? '',
  }
}

/** A new entry before anything was saved. */
export function blankEntry(
  type: EntryType,
  given: { readonly locale?: string; readonly translation_of?: string } = {},
): EditedEntry {
  return {
    id: '',
    type: type.slug,
    title: '',
    slug: '',
    path: null,
    url: null,
    status: 'draft',
    published_at: null,
    unpublish_at: null,
    updated_at: '',
    revision: 0,
    excerpt: null,
    author: null,
    parent: null,
    position: 0,
    seo: { title: null, description: null, canonical: null, noindex: false, image: null },
    terms: [],
    locale: given.locale ?? null,
    translation_of: given.translation_of ?? null,
    fields: Object.fromEntries(type.fields.map((field) => [field.name, field.default ?? null])),
    cover: null,
    staged: false,
    translations: [],
    body: '',
    refs: noRefs,
  }
}
