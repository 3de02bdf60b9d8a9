// Terms: the taxonomies of the site, and the terms of one taxonomy as a tree with the number of public entries of each.

import { terms } from '../../actions/terms/index.ts'
import type { TermItem } from '../../actions/terms/item.ts'
import { attribute, html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { taxonomyName } from '../content/taxonomy-words.ts'
import { typeName } from '../content/type-words.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { declareForm, declaredForm, formPanel } from '../parts/declared-form.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { selectField } from '../parts/fields.ts'
import { doing, onItem, taking } from '../parts/form-input.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { formTaker, postForm } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { emptyState, pageHead, searchField, tabs } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** The number of terms on a page. */
const pageSize = 100

interface Taxonomy {
  readonly slug: string
  readonly name: string
  readonly types: readonly string[] | null
  readonly tree: boolean
}

export const termsPath = (taxonomy: string): string => `${adminPaths.terms}?taxonomy=${encodeURIComponent(taxonomy)}`

const createForm = declareForm(terms.create, { path: adminPaths.terms, does: 'create', button: 'structure.add_this_term' }, [
  { name: 'name', label: 'structure.name', required: true },
  { name: 'parent', control: 'select', label: 'structure.below' },
  {
    folded: 'structure.address',
    rows: [{ name: 'slug', label: 'structure.slug', help: 'structure.term_slug_help' }],
  },
])

const tree = { name: 'tree', control: 'box', label: 'structure.taxonomy_tree' } as const

const taxonomyForm = declareForm(
  terms.saveTaxonomy,
  { path: adminPaths.terms, does: 'taxonomy', button: 'structure.save', aside: true },
  [
    { name: 'name', control: 'line', label: 'structure.plural_name', required: true },
    // No box is ticked if all types may have the terms.
    { name: 'types', control: 'boxes', label: 'structure.taxonomy_types', help: 'structure.taxonomy_types_help' },
    tree,
  ],
)

const newTaxonomyForm = declareForm(
  terms.saveTaxonomy,
  {
    path: adminPaths.terms,
    does: 'new-taxonomy',
    button: 'structure.add_this_taxonomy',
    aside: true,
    // The action changes a taxonomy that has the slug already.
    taken: async (visit) => (await get(visit, terms.taxonomies, {})).items.map(({ slug }) => slug),
  },
  [
    { name: 'name', control: 'line', label: 'structure.plural_name_example', required: true },
    tree,
    {
      folded: 'structure.address',
      rows: [{ name: 'slug', control: 'line', label: 'structure.taxonomy_slug', madeFrom: 'name' }],
    },
  ],
)

/** GET; `taxonomy` chooses one. */
export const showTerms = (visit: SignedIn): Promise<Reply> => termsReply(visit)

async function termsReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const wanted = taxonomyOf(visit)
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
  const body = html`${pageHead(t('shell.terms'), t('structure.terms_lead'))}
  ${tabs(
    t('structure.taxonomies'),
    all.map((one) => ({
      label: taxonomyName(t, one),
      href: linkTo(visit.request, termsPath(one.slug)),
      current: one.slug === taxonomy?.slug,
    })),
  )}
  ${!taxonomy && html`<p class="notice warn" role="note">${t('structure.no_taxonomy')}</p>`}
  ${
    taxonomy &&
    listed &&
    html`${searchField(t, linkTo(visit.request, adminPaths.terms), search, t('structure.search_in', { name: taxonomyName(t, taxonomy) }), { taxonomy: taxonomy.slug })}
    ${listed.items.length === 0 ? noTerms(visit, taxonomy, search) : treeOf(visit, taxonomy, listed.items)}
    ${pagerOf(address.with({ taxonomy: taxonomy.slug }), listed.next_cursor, t)}
    ${mayRun(visit, terms.create) && adding(visit, taxonomy, listed.items, refused)}
    ${mayRun(visit, terms.saveTaxonomy) && changing(visit, taxonomy, refused)}`
  }
  ${
    mayRun(visit, terms.saveTaxonomy) &&
    html`<details class="panel" ${openFor(refused, 'new-taxonomy')}>
      <summary>${t('structure.add_taxonomy')}</summary>
      ${declaredForm(visit, newTaxonomyForm, { refused })}
    </details>`
  }`
  return framedReply(visit, { title: t('shell.terms'), body }, refused)
}

/** The attribute that unfolds a refused form. */
const openFor = ({ fields }: Refused, does: string): Html => attribute('open', fields?.get('do') === does ? '' : undefined)

const noTerms = ({ t }: SignedIn, taxonomy: Taxonomy, search: string | undefined): Html =>
  search === undefined
    ? emptyState(t('structure.no_term'), t('structure.no_term_help', { name: taxonomyName(t, taxonomy) }))
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
  postForm(visit, {
    path: termsPath(slug),
    id: 'merge',
    className: 'panel',
    hidden: { do: 'merge' },
    body: html`${selectField({ name: 'into', label: visit.t('structure.merge_into'), help: visit.t('structure.merge_help'), choices: termChoices(items) })}
      <p class="actions"><button>${visit.t('structure.merge')}</button></p>`,
  })

export const termChoices = (items: readonly Pick<TermItem, 'id' | 'name'>[]) =>
  items.map(({ id, name }) => ({ value: id, label: name }))

/** The choices for the parent of a term. */
export const parentChoices = ({ t }: SignedIn, items: readonly Pick<TermItem, 'id' | 'name'>[]) => [
  { value: '', label: t('structure.none') },
  ...termChoices(items),
]

const adding = (visit: SignedIn, taxonomy: Taxonomy, items: readonly TermItem[], refused: Refused): Html =>
  formPanel(visit, {
    id: 'add',
    title: visit.t('structure.add_term', { name: taxonomyName(visit.t, taxonomy) }),
    form: createForm,
    query: queryOf(taxonomy),
    choices: { parent: taxonomy.tree ? parentChoices(visit, items) : undefined },
    refused,
  })

function changing(visit: SignedIn, taxonomy: Taxonomy, refused: Refused): Html {
  const { t, site } = visit
  const { current } = site.types
  const types = current.slugs.map((slug) => ({ value: slug, label: typeName(t, current.of(slug)) }))
  return html`<details class="panel" ${openFor(refused, 'taxonomy')}>
    <summary>${t('structure.change_taxonomy', { name: taxonomyName(t, taxonomy) })}</summary>
    ${declaredForm(visit, taxonomyForm, { item: taxonomy, refused, choices: { types }, query: queryOf(taxonomy) })}
    ${removalForm(visit, {
      verb: t('structure.delete'),
      id: taxonomy.slug,
      name: taxonomyName(t, taxonomy),
      consequence: t('structure.delete_taxonomy_help'),
      path: termsPath(taxonomy.slug),
      does: 'delete-taxonomy',
    })}
  </details>`
}

const queryOf = ({ slug }: Taxonomy): string => termsPath(slug).slice(adminPaths.terms.length)

/** Returns the taxonomy in the address of the form. */
const taxonomyOf = (visit: SignedIn): string => visit.request.query.get('taxonomy') ?? ''

const ended =
  (done: Done) =>
  (visit: SignedIn): Reply =>
    goDone(visit, termsPath(taxonomyOf(visit)), done)

const merge = doing(
  terms.merge,
  (fields) => ({ ids: fields.all('ids').filter((id) => id !== fields.get('into')), into: fields.get('into') }),
  ended('structure.done_terms_merged'),
)

const works = {
  create: taking(createForm, ended(terms.create), (visit) => ({ taxonomy: taxonomyOf(visit) })),
  merge,
  taxonomy: taking(taxonomyForm, ended(terms.saveTaxonomy), (visit) => ({ slug: taxonomyOf(visit) })),
  'new-taxonomy': taking(newTaxonomyForm, (visit, { item }) => goDone(visit, termsPath(item.slug), terms.saveTaxonomy)),
  'delete-taxonomy': onItem(terms.deleteTaxonomy, (visit) => goDone(visit, adminPaths.terms, terms.deleteTaxonomy)),
}

export const takeTermsForm = formTaker(adminPaths.terms, works, termsReply)
