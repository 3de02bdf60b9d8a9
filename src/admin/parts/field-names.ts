// The names of fields in words, as the labels of their forms have them. Differences of all kinds of objects are headed by them.

import type { EntryType } from '../../content/entry-types.ts'
import type { MessageKey, Words } from '../words.ts'

/** Words for the fields that have a label in the admin. Fields of several kinds of objects that share a name share the word. */
const labels: Readonly<Record<string, MessageKey>> = {
  title: 'content.title',
  body: 'content.text',
  excerpt: 'content.excerpt',
  slug: 'content.slug',
  path: 'structure.path',
  type: 'content.type',
  status: 'content.status',
  parent: 'content.parent',
  position: 'content.position',
  author: 'content.author',
  locale: 'content.language',
  translation_of: 'content.translation_of',
  cover: 'content.cover',
  terms: 'content.terms',
  more_terms: 'content.terms',
  published_at: 'content.published',
  unpublish_at: 'content.take_off_at',
  seo: 'content.search_engines',
  'seo.title': 'content.seo_title',
  'seo.description': 'content.description',
  'seo.canonical': 'content.canonical',
  'seo.image': 'content.seo_image',
  'seo.noindex': 'content.noindex',
  fields: 'structure.fields',
  alt: 'media.alt',
  caption: 'media.caption',
  filename: 'media.filename',
  folder: 'media.folder',
  focus: 'media.focus',
  name: 'structure.name',
  plural: 'structure.plural_name',
  taxonomies: 'structure.taxonomies',
  items: 'structure.items',
  location: 'structure.location',
  from: 'structure.from',
  to: 'structure.to',
  note: 'structure.note',
  description: 'content.description',
  email: 'people.email',
  role: 'people.role',
  bio: 'people.bio',
  picture: 'people.picture',
  limits: 'connections.limits',
  expires_at: 'connections.expires',
}

/**
 * The name of a field in words: its label, or for a field that the owner added the label that the types have for it. A field without a label keeps its
 * name.
 * @param name as answers have it: `seo.title`, `fields.price`, `staged.title`
 */
export function fieldName(t: Words, types: readonly Pick<EntryType, 'fields'>[], name: string): string {
  const plain = name.replace(/^staged\./, '')
  const key = Object.hasOwn(labels, plain) ? labels[plain] : undefined
  if (key) return t(key)
  const [group, own] = plain.split('.', 2)
  if (group !== 'fields') return plain
  const found = types.flatMap(({ fields }) => fields).find((field) => field.name === own)
  return found ? (found.label ?? found.name) : plain
}
