// The entry that the editor shows: with what waits for it, and with paths in place of the ids of what it refers to.

import { content } from '../../actions/classes/svc-content/index.ts'
import type { AnswerOf } from '../../actions/call-action.ts'
import type { EntryType } from '../../content/entry-types.ts'
import { get } from '../page.ts'
import type { SignedIn } from '../visit.ts'
import { isReferenceName, namedReference } from './references.ts'

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

type Answered = AnswerOf<typeof content.get.output, (typeof facts)[number]>['item']
type Facts = { readonly [K in keyof Answered]: Exclude<Answered[K], undefined> }

/** What an entry refers to, as people write it. */
interface Refs {
  readonly parent: string
  readonly cover: string
  readonly seoImage: string
  readonly translationOf: string
  /** What the fields of the type refer to, by ids. */
  readonly named: ReadonlyMap<string, string>
}

export interface EditedEntry extends Facts {
  readonly body: string
  readonly refs: Refs
}

/** @throws Failure `not_found` */
export async function readEntry(visit: SignedIn, id: string): Promise<EditedEntry> {
  const { item } = await get(visit, content.get, { id, stage: true }, { select: facts })
  const text = await get(visit, content.get, { id, stage: true }, { select: ['body'] }, { longAnswer: true })
  const entry = item as unknown as Facts
  return { ...entry, body: text.item.body ?? '', refs: await refsOf(visit, entry) }
}

const noRefs: Refs = { parent: '', cover: '', seoImage: '', translationOf: '', named: new Map() }

async function refsOf(visit: SignedIn, { type, parent, cover, seo, translation_of: group, fields }: Facts): Promise<Refs> {
  const named = async (kind: 'entry' | 'image', id: string | null): Promise<string> =>
    id === null ? '' : ((await namedReference(visit, kind, id))?.value ?? id)
  const ids = visit.site.types.current.of(type).fields.flatMap(({ name, kind }) => {
    if (!isReferenceName(kind)) return []
    const value = fields[name]
    return (Array.isArray(value) ? value : [value]).flatMap((id) => (typeof id === 'string' ? [{ kind, id }] : []))
  })
  const own = await Promise.all(
    ids.map(async ({ kind, id }) => [id, (await namedReference(visit, kind, id))?.value ?? id] as const),
  )
  return {
    parent: await named('entry', parent),
    cover: await named('image', cover),
    seoImage: await named('image', seo.image),
    translationOf: await named('entry', group),
    named: new Map(own),
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
    refs: { ...noRefs, translationOf: given.translation_of ?? '' },
  }
}
