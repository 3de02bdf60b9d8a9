// One term: its name, slug, place in the tree and text, and its deletion.

import { terms } from '../../actions/terms/index.ts'
import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { declareForm, declaredForm } from '../parts/declared-form.ts'
import { goDone } from '../parts/done-notice.ts'
import type { Choice } from '../parts/fields.ts'
import { taking } from '../parts/form-input.ts'
import { formTaker, type Work } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { parentChoices, termsPath } from './terms-page.ts'

const form = declareForm(terms.update, { path: adminPaths.term, does: 'save', button: 'structure.save' }, [
  { name: 'name', label: 'structure.name', required: true },
  { name: 'parent', control: 'select', label: 'structure.below' },
  { name: 'text', control: 'exact', label: 'structure.text', rows: 6, help: 'structure.term_text_help' },
  {
    folded: 'structure.address',
    rows: [{ name: 'slug', label: 'structure.slug', help: 'structure.new_slug_help', required: true }],
  },
])

/** GET; `id` names the term. */
export const showTerm = (visit: SignedIn): Promise<Reply> => termReply(visit, visit.request.query.get('id') ?? '')

async function termReply(visit: SignedIn, id: string, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { item } = await get(visit, terms.get, { id })
  const body = html`${pageHead(
    item.name,
    t.rich('structure.public_entries_at', { count: item.count, path: html`<a href="${item.url}">${item.path}</a>` }),
    linkButton(visit, termsPath(item.taxonomy), 'structure.all_terms'),
  )}
  ${
    mayRun(visit, terms.update) &&
    declaredForm(visit, form, { item, refused, className: 'panel', choices: { parent: await parentsOf(visit, item) } })
  }
  ${
    mayRun(visit, terms.delete) &&
    removalForm(visit, {
      verb: t('structure.delete'),
      id: item.id,
      name: item.name,
      consequence: t('structure.delete_term_help', { count: item.count }),
      path: adminPaths.term,
      does: 'delete',
    })
  }`
  return framedReply(visit, { title: item.name, body }, refused)
}

/** The terms that may be the parent; undefined if the taxonomy is not a tree. */
async function parentsOf(
  visit: SignedIn,
  { id, taxonomy, parent }: { readonly id: string; readonly taxonomy: string; readonly parent: string | null },
): Promise<readonly Choice[] | undefined> {
  const { items: all } = await get(visit, terms.taxonomies, {})
  if (!all.find(({ slug }) => slug === taxonomy)?.tree) return undefined
  const { items } = await get(visit, terms.list, { taxonomy, limit: 100 })
  const others = items.filter((one) => one.id !== id)
  // A parent beyond the end of the list remains a choice, so that saving doesn't move the term.
  const known =
    parent === null || others.some((one) => one.id === parent) ? [] : [(await get(visit, terms.get, { id: parent })).item]
  return parentChoices(visit, [...others, ...known])
}

const save = taking(form, (visit, _data, fields) => {
  return goDone(visit, `${adminPaths.term}?id=${encodeURIComponent(fields.get('id'))}`, terms.update)
})

const drop: Work = async (visit, fields) => {
  const id = fields.get('id')
  const { item } = await get(visit, terms.get, { id })
  const { failure } = await run(visit, terms.delete, { ids: [id] })
  return failure ?? goDone(visit, termsPath(item.taxonomy), 'structure.done_term_deleted')
}

export const takeTermForm = formTaker(adminPaths.term, { save, delete: drop }, (visit, refused) =>
  termReply(visit, refused.fields.get('id'), refused),
)
