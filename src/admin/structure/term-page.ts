// One term: its name, slug, place in the tree and text, and its deletion.

import { terms } from '../../actions/classes/svc-terms/index.ts'
import { html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import type { Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { areaField, faultBox, selectField, textField } from '../parts/fields.ts'
import { faultsOf, formTaker, postForm, sinceShown, type Work } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { termChoices, termsPath } from './terms-page.ts'

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

/** GET; `id` names the term. */
export const showTerm = (visit: SignedIn): Promise<Reply> => termReply(visit, visit.request.query.get('id') ?? '')

async function termReply(visit: SignedIn, id: string, { failure, fields }: View = {}): Promise<Reply> {
  const { t } = visit
  const { item } = await get(visit, terms.get, { id })
  const faults = faultsOf(t, failure, ['name', 'slug', 'parent', 'text'])
  const value = (name: 'name' | 'slug' | 'text') => fields?.get(name) ?? item[name] ?? ''
  const body = html`${pageHead(
    item.name,
    t.rich('structure.public_entries_at', { count: item.count, path: html`<a href="${item.url}">${item.path}</a>` }),
    html`<a class="button" href="${linkTo(visit.request, termsPath(item.taxonomy))}">${t('structure.all_terms')}</a>`,
  )}
  ${faultBox(faults.all)}
  ${
    mayRun(visit, terms.update) &&
    postForm(visit, {
      path: adminPaths.term,
      purpose: 'term',
      className: 'panel',
      hidden: { do: 'save', id: item.id, revision: fields?.get('revision') ?? item.revision },
      body: html`${textField({ name: 'name', label: t('structure.name'), value: value('name'), required: true, fault: faults.at('name') })}
        ${textField({ name: 'slug', label: t('structure.slug'), value: value('slug'), help: t('structure.new_slug_help'), required: true, fault: faults.at('slug') })}
        ${await parentField(visit, item, fields, faults.at('parent'))}
        ${areaField({ name: 'text', label: t('structure.text'), value: value('text'), rows: 6, help: t('structure.term_text_help'), fault: faults.at('text') })}
        <p class="actions"><button class="primary">${t('structure.save')}</button></p>`,
    })
  }
  ${
    mayRun(visit, terms.delete) &&
    removalForm(visit, {
      verb: t('structure.delete'),
      id: item.id,
      name: item.name,
      consequence: t('structure.delete_term_help', { count: item.count }),
      path: adminPaths.term,
      purpose: 'term',
      more: html`<input type="hidden" name="do" value="delete" />`,
    })
  }`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: item.name, body }))
}

async function parentField(
  visit: SignedIn,
  { id, taxonomy, parent }: { readonly id: string; readonly taxonomy: string; readonly parent: string | null },
  fields: Fields | undefined,
  fault: string | undefined,
): Promise<HtmlValue> {
  const { items: all } = await get(visit, terms.taxonomies, {})
  if (!all.find(({ slug }) => slug === taxonomy)?.tree) return undefined
  const { items } = await get(visit, terms.list, { taxonomy, limit: 100 })
  const others = items.filter((one) => one.id !== id)
  // A parent beyond the end of the list remains a choice, so that saving doesn't move the term.
  const known =
    parent === null || others.some((one) => one.id === parent) ? [] : [(await get(visit, terms.get, { id: parent })).item]
  const choices = [{ value: '', label: visit.t('structure.none') }, ...termChoices([...others, ...known])]
  const value = fields?.get('parent') ?? parent ?? ''
  return selectField({ name: 'parent', label: visit.t('structure.below'), value, groups: new Map([['', choices]]), fault })
}

const save: Work = async (visit, fields) => {
  const id = fields.get('id')
  const given = { id, name: fields.get('name').trim(), slug: fields.get('slug').trim(), text: fields.get('text') }
  const parent = fields.has('parent') ? { parent: fields.get('parent') || null } : {}
  const { failure } = await run(visit, terms.update, { ...given, ...parent }, sinceShown(fields))
  if (failure) return termReply(visit, id, { failure, fields })
  return goDone(visit, `${adminPaths.term}?id=${encodeURIComponent(id)}`, terms.update)
}

const drop: Work = async (visit, fields) => {
  const id = fields.get('id')
  const { item } = await get(visit, terms.get, { id })
  const { failure } = await run(visit, terms.delete, { ids: [id] })
  return failure ? termReply(visit, id, { failure }) : goDone(visit, termsPath(item.taxonomy), 'structure.done_term_deleted')
}

export const takeTermForm = formTaker('term', { save, delete: drop })
