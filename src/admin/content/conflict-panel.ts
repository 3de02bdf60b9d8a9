// Two people changed the same entry. Both versions stand beside each other, and the form below has one's own. Nothing is lost either way: the version
// that does not stay is a revision.

import type { EntryType } from '../../content/entry-types.ts'
import { html, type Html } from '../../doors/html.ts'
import { difference } from '../parts/difference.ts'
import type { MessageKey, Words } from '../words.ts'
import type { Values } from './entry-values.ts'
import { nameOfField } from './kind-controls.ts'

interface Conflict {
  readonly names: readonly string[]
  readonly stored: Values
  readonly values: Values
  readonly type: EntryType
}

const shown = (values: Values, name: string): string => (values.get(name) ?? []).join('\n')

/** The names of the form's fields in words, as their labels have them. */
const labels: Readonly<Record<string, MessageKey>> = {
  title: 'content.title',
  body: 'content.text',
  excerpt: 'content.excerpt',
  slug: 'content.slug',
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
  'seo.title': 'content.seo_title',
  'seo.description': 'content.description',
  'seo.canonical': 'content.canonical',
  'seo.image': 'content.seo_image',
  'seo.noindex': 'content.noindex',
}

function labelOf(t: Words, name: string, type: EntryType): string {
  const field = type.fields.find((one) => nameOfField(one) === name)
  const key = labels[name]
  return field ? (field.label ?? field.name) : key ? t(key) : name
}

export const conflictPanel = (t: Words, { names, stored, values, type }: Conflict): Html =>
  html`<section class="panel attention" id="conflict" aria-labelledby="conflict-title">
    <h2 id="conflict-title">${t('content.conflict_title')}</h2>
    <p>${t('content.conflict_text')}</p>
    <dl class="changes">
      ${names.map(
        (name) =>
          html`<div>
            <dt>${labelOf(t, name, type)}</dt>
            <dd>
              ${difference(t, shown(stored, name), shown(values, name), { before: t('content.theirs'), after: t('content.yours') })}
            </dd>
          </div>`,
      )}
    </dl>
    <p class="actions">
      <button form="entry" name="do" value="keep-theirs">${t('content.conflict_keep')}</button>
    </p>
  </section>`
