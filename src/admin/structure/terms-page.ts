// Terms: the taxonomies of the site, and the terms of one taxonomy as a tree with the number of public entries of each.

import { terms } from '../../actions/classes/svc-terms/index.ts'
import type { TermItem } from '../../actions/classes/svc-terms/item.ts'
import { attribute, html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import { csrfField, type Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { checkField, faultBox, lineField, selectField, textField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { faultsOf, formTaker, postForm, type Work } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { emptyState, pageHead, searchField, tabs } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

/** The number of terms on a page. */
const pageSize = 100

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

interface Taxonomy {
  readonly slug: string
  readonly name: string
  readonly types: readonly string[] | null
  readonly tree: boolean
}

export const termsPath = (taxonomy: string): string => `${adminPaths.terms}?taxonomy=${encodeURIComponent(taxonomy)}`

/** GET; `taxonomy` chooses one. */
export const showTerms = (visit: SignedIn): Promise<Reply> => termsReply(visit, visit.request.query.get('taxonomy') ?? '')

async function termsReply(visit: SignedIn, wanted: string, { failure, fields }: View = {}): Promise<Reply> {
  const { t } = visit
  const { items: all } = await get(visit, terms.taxonomies, {})
  const taxonomy = all.find(({ slug }) => slug === wanted) ?? (wanted === '' ? all[0] : undefined)
  const address = listAddress(visit.request, adminPaths.terms)
  const search = address.get('search')
  const listed =
    taxonomy &&
    (await get(visit, terms.list, {
      taxonomy: taxonomy.slug,
      limit: pageSize,
      ...address.pick('search', 'cursor'),
    }))
  const faults = faultsOf(t, failure, ['name', 'slug', 'parent', 'tree', 'into'])
  const filled = (work: string) => (fields?.get('do') === work ? fields : undefined)
  const body = html`${pageHead(t('shell.terms'), t('structure.terms_lead'))} ${faultBox(faults.all)}
  ${tabs(
    t('structure.taxonomies'),
    all.map(({ slug, name }) => ({
      label: name,
      href: linkTo(visit.request, termsPath(slug)),
      current: slug === taxonomy?.slug,
    })),
  )}
  ${!taxonomy && html`<p class="notice warn" role="note">${t('structure.no_taxonomy')}</p>`}
  ${
    taxonomy &&
    listed &&
    html`${searchField(t, linkTo(visit.request, adminPaths.terms), search, t('structure.search_in', { name: taxonomy.name }), { taxonomy: taxonomy.slug })}
    ${listed.items.length === 0 ? noTerms(visit, taxonomy, search) : treeOf(visit, taxonomy, listed.items)}
    ${pagerOf(address.with({ taxonomy: taxonomy.slug }), listed.next_cursor, t)}
    ${mayRun(visit, terms.create) && createForm(visit, taxonomy, listed.items, filled('create'), faults.at)}
    ${mayRun(visit, terms.saveTaxonomy) && taxonomyForm(visit, taxonomy, filled('taxonomy'), faults.at)}`
  }
  ${mayRun(visit, terms.saveTaxonomy) && newTaxonomyForm(visit, filled('new-taxonomy'), faults.at)}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: t('shell.terms'), body }))
}

const noTerms = ({ t }: SignedIn, { name }: Taxonomy, search: string | undefined): Html =>
  search === undefined
    ? emptyState(t('structure.no_term'), t('structure.no_term_help', { name }))
    : html`<p class="quiet">${t('structure.nothing_found_for', { words: search })}</p>`

/** Sorts terms as a tree. A term whose parent is on another page is at the top level. */
function treeOf(visit: SignedIn, taxonomy: Taxonomy, items: readonly TermItem[]): Html {
  const here = new Set(items.map(({ id }) => id))
  const below = (parent: string | null): readonly TermItem[] =>
    items.filter((item) => (item.parent !== null && here.has(item.parent) ? item.parent : null) === parent)
  const level = (siblings: readonly TermItem[]): HtmlValue =>
    siblings.length > 0 &&
    html`<ul class="tree">
      ${siblings.map(
        (term) =>
          html`<li>
            <div class="row">
              <span class="what">
                ${mayRun(visit, terms.merge) && box(visit, term)}
                <a href="${linkTo(visit.request, adminPaths.term)}?id=${encodeURIComponent(term.id)}">${term.name}</a>
                <small>${visit.t('structure.public_entries', { count: term.count })}</small></span
              >
              <a href="${term.url}">${term.path}</a>
            </div>
            ${level(below(term.id))}
          </li>`,
      )}
    </ul>`
  return html`<div class="panel terms">${level(below(null))}</div>
    ${mayRun(visit, terms.merge) && items.length > 1 && mergeForm(visit, taxonomy, items)}`
}

const box = ({ t }: SignedIn, { id, name }: TermItem): Html =>
  html`<label
    ><input type="checkbox" name="ids" value="${id}" form="merge" /><span class="unseen"
      >${t('structure.merge_one', { name })}</span
    ></label
  >`

const mergeForm = (visit: SignedIn, { slug }: Taxonomy, items: readonly TermItem[]): Html =>
  html`<form class="panel" id="merge" method="post" action="${linkTo(visit.request, termsPath(slug))}">
    ${csrfField(visit, 'terms')}
    <input type="hidden" name="do" value="merge" />
    ${selectField({ name: 'into', label: visit.t('structure.merge_into'), help: visit.t('structure.merge_help'), groups: new Map([['', termChoices(items)]]) })}
    <p class="actions"><button>${visit.t('structure.merge')}</button></p>
  </form>`

export const termChoices = (items: readonly Pick<TermItem, 'id' | 'name'>[]) =>
  items.map(({ id, name }) => ({ value: id, label: name }))

type Fault = (name: string) => string | undefined

const createForm = (
  visit: SignedIn,
  taxonomy: Taxonomy,
  items: readonly TermItem[],
  fields: Fields | undefined,
  fault: Fault,
): Html =>
  html`<section class="panel" aria-labelledby="add">
    <h2 id="add">${visit.t('structure.add_term')}</h2>
    ${postForm(visit, {
      path: termsPath(taxonomy.slug),
      purpose: 'terms',
      hidden: { do: 'create' },
      body: html`<div class="two">
          ${textField({ name: 'name', label: visit.t('structure.name'), value: fields?.get('name'), required: true, fault: fields && fault('name') })}
          ${textField({ name: 'slug', label: visit.t('structure.slug'), value: fields?.get('slug'), help: visit.t('structure.term_slug_help'), fault: fields && fault('slug') })}
        </div>
        ${taxonomy.tree && selectField({ name: 'parent', label: visit.t('structure.below'), value: fields?.get('parent'), groups: new Map([['', [{ value: '', label: visit.t('structure.none') }, ...termChoices(items)]]]), fault: fields && fault('parent') })}
        <p class="actions"><button class="primary">${visit.t('structure.add_this_term')}</button></p>`,
    })}
  </section>`

function taxonomyForm(visit: SignedIn, taxonomy: Taxonomy, fields: Fields | undefined, fault: Fault): Html {
  return html`<details class="panel" ${attribute('open', fields ? '' : undefined)}>
    <summary>${visit.t('structure.change_taxonomy', { name: taxonomy.name })}</summary>
    ${postForm(visit, {
      path: termsPath(taxonomy.slug),
      purpose: 'terms',
      hidden: { do: 'taxonomy' },
      body: html`${labelled('name', visit.t('structure.plural_name'), fields?.get('name') ?? taxonomy.name, fields && fault('name'))}
        ${typeBoxes(visit, fields ? fields.all('types') : taxonomy.types)}
        ${checkField({ name: 'tree', label: visit.t('structure.taxonomy_tree'), value: (fields ? fields.has('tree') : taxonomy.tree) ? 'yes' : undefined })}
        <p class="actions"><button>${visit.t('structure.save')}</button></p>`,
    })}
    ${removalForm(visit, {
      verb: visit.t('structure.delete'),
      id: taxonomy.slug,
      name: taxonomy.name,
      consequence: visit.t('structure.delete_taxonomy_help'),
      path: termsPath(taxonomy.slug),
      purpose: 'terms',
      more: html`<input type="hidden" name="do" value="delete-taxonomy" />`,
    })}
  </details>`
}

/** A field inside its label. Several forms of the page have a field of this name, so it has no id. */
const labelled = (name: string, label: string, value = '', fault?: string): Html =>
  lineField({ name, label, value, fault, required: true }, 200)

/** The checkboxes of types. No box is ticked if all types may have the terms. */
const typeBoxes = ({ site, t }: SignedIn, chosen: readonly string[] | null): Html =>
  html`<fieldset>
    <legend>${t('structure.taxonomy_types')}</legend>
    ${site.types.current.slugs.map(
      (slug) =>
        html`<label class="choice"
          ><input type="checkbox" name="types" value="${slug}" ${attribute('checked', chosen?.includes(slug) ? '' : undefined)} />
          <span>${site.types.current.of(slug).name}</span></label
        >`,
    )}
    <p class="help">${t('structure.taxonomy_types_help')}</p>
  </fieldset>`

const newTaxonomyForm = (visit: SignedIn, fields: Fields | undefined, fault: Fault): Html =>
  html`<details class="panel" ${attribute('open', fields ? '' : undefined)}>
    <summary>${visit.t('structure.add_taxonomy')}</summary>
    ${postForm(visit, {
      path: adminPaths.terms,
      purpose: 'terms',
      hidden: { do: 'new-taxonomy' },
      body: html`${labelled('name', visit.t('structure.plural_name_example'), fields?.get('name'), fields && fault('name'))}
        ${labelled('slug', visit.t('structure.taxonomy_slug'), fields?.get('slug'), fields && fault('slug'))}
        ${checkField({ name: 'tree', label: visit.t('structure.taxonomy_tree'), value: fields?.has('tree') ? 'yes' : undefined })}
        <p class="actions"><button>${visit.t('structure.add_this_taxonomy')}</button></p>`,
    })}
  </details>`

/** Returns the taxonomy in the address of the form. */
const taxonomyOf = (visit: SignedIn): string => visit.request.query.get('taxonomy') ?? ''

const ended = (visit: SignedIn, failure: Failure | undefined, fields: Fields, done: Done, taxonomy = taxonomyOf(visit)) =>
  failure ? termsReply(visit, taxonomyOf(visit), { failure, fields }) : goDone(visit, termsPath(taxonomy), done)

const add: Work = async (visit, fields) => {
  const [name = '', slug = '', parent = ''] = ['name', 'slug', 'parent'].map((field) => fields.get(field).trim())
  const { failure } = await run(visit, terms.create, {
    taxonomy: taxonomyOf(visit),
    name,
    ...(slug && { slug }),
    ...(parent && { parent }),
  })
  return ended(visit, failure, fields, terms.create)
}

const mergeSelected: Work = async (visit, fields) => {
  const ids = fields.all('ids').filter((id) => id !== fields.get('into'))
  const { failure } = await run(visit, terms.merge, { ids, into: fields.get('into') })
  return ended(visit, failure, fields, 'structure.done_terms_merged')
}

const changeTaxonomy: Work = async (visit, fields) => {
  const types = fields.all('types')
  const { failure } = await run(visit, terms.saveTaxonomy, {
    slug: taxonomyOf(visit),
    name: fields.get('name').trim(),
    types: types.length > 0 ? types : null,
    tree: fields.has('tree'),
  })
  return ended(visit, failure, fields, terms.saveTaxonomy)
}

const addTaxonomy: Work = async (visit, fields) => {
  const slug = fields.get('slug').trim()
  const { failure } = await run(visit, terms.saveTaxonomy, { slug, name: fields.get('name').trim(), tree: fields.has('tree') })
  return ended(visit, failure, fields, terms.saveTaxonomy, slug)
}

const dropTaxonomy: Work = async (visit, fields) => {
  const { failure } = await run(visit, terms.deleteTaxonomy, { id: fields.get('id') })
  return failure ? ended(visit, failure, fields, terms.deleteTaxonomy) : goDone(visit, adminPaths.terms, terms.deleteTaxonomy)
}

export const takeTermsForm = formTaker('terms', {
  create: add,
  merge: mergeSelected,
  taxonomy: changeTaxonomy,
  'new-taxonomy': addTaxonomy,
  'delete-taxonomy': dropTaxonomy,
})
