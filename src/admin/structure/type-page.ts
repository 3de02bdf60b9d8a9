// One type of entries: its fields in their order, its name and address, and its deletion.

import { terms } from '../../actions/terms/index.ts'
import { types } from '../../actions/types/index.ts'
import type { TypeItem } from '../../actions/types/item.ts'
import type { FieldDefinition } from '../../content/types/field-definition.ts'
import { html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import type { Fields } from '../form.ts'
import { taxonomyName } from '../content/taxonomy-words.ts'
import { typeName } from '../content/type-words.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { declareForm, formPanel } from '../parts/declared-form.ts'
import { selectField } from '../parts/fields.ts'
import { doing, onItem, taking } from '../parts/form-input.ts'
import { icon } from '../parts/icons.ts'
import { faultsOf, formTaker, postForm, sinceShown, type Work } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { emptyState, linkButton, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { definitionFrom, fieldInputs, kindName, type RefusedField } from './field-form.ts'
import { listInput, listPanel } from './list-form.ts'
import { typePath } from './types-page.ts'

const settingsForm = declareForm(types.update, { path: adminPaths.type, does: 'settings', button: 'structure.save' }, [
  { name: 'name', label: 'structure.name', required: true },
  { name: 'path', label: 'structure.address', help: 'structure.new_path_help', required: true },
  { name: 'taxonomies', control: 'boxes', label: 'structure.taxonomies' },
  { name: 'feed', control: 'box', label: 'structure.type_feed' },
])

const fieldsOf = ({ fields = [] }: TypeItem): readonly FieldDefinition[] => fields as readonly FieldDefinition[]

/** GET; `id` names the type. */
export const showType = (visit: SignedIn): Promise<Reply> => typeReply(visit, visit.request.query.get('id') ?? '')

async function typeReply(visit: SignedIn, id: string, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { failure, fields } = refused
  const { item } = await get(visit, types.get, { id })
  const mayWrite = mayRun(visit, types.update)
  const defined = fieldsOf(item)
  const filled = (field: string): RefusedField | undefined =>
    failure && fields?.get('do') === 'field' && fields.get('field') === field ? { fields, failure } : undefined
  const body = html`${pageHead(
      typeName(visit.t, item),
      item.built_in
        ? t('structure.type_entries', { count: item.entries })
        : t.rich('structure.type_entries_at', {
            count: item.entries,
            path: html`<code>${item.path.replace('{type}', item.slug)}</code>`,
          }),
      linkButton(visit, adminPaths.types, 'structure.all_types'),
    )}
    <h2>${t('structure.fields')}</h2>
    ${
      defined.length === 0
        ? emptyState(t('structure.no_field'), t('structure.no_field_help'))
        : html`<div class="panel">
            <ul class="tree">
              ${defined.map((field, place) => fieldRow(visit, item, field, place, mayWrite, filled(field.name)))}
            </ul>
          </div>`
    }
    ${dropped(visit, item)}
    ${
      mayWrite &&
      html`<details class="panel" ${filled('') ? raw('open') : ''}>
          <summary>${t('structure.add_field')}</summary>
          ${fieldForm(visit, item, undefined, filled(''), t('structure.add_this_field'))}
        </details>
        ${await settings(visit, item, refused)} ${listPanel(visit, item, refused)}`
    }
    ${!item.built_in && mayRun(visit, types.delete) && removal(visit, item, fields?.get('do') === 'delete' ? refused : {})}`
  return framedReply(visit, { title: typeName(visit.t, item), body }, refused)
}

function fieldRow(
  visit: SignedIn,
  item: TypeItem,
  field: FieldDefinition,
  place: number,
  mayWrite: boolean,
  filled: RefusedField | undefined,
): Html {
  const { t } = visit
  const name = field.label ?? field.name
  const last = fieldsOf(item).length - 1
  const can = { up: place > 0, down: place < last }
  const small = (work: string, content: HtmlValue, className?: string) =>
    postForm(visit, {
      path: adminPaths.type,
      ...(className !== undefined && { className }),
      hidden: { ...(work !== '' && { do: work }), id: item.id, revision: item.revision, field: field.name },
      body: content,
    })
  const buttons = (['up', 'down'] as const).map(
    (way) =>
      html`<button
        class="icon-button"
        name="do"
        value="${way}"
        aria-label="${t(way === 'up' ? 'structure.move_up' : 'structure.move_down', { name })}"
        ${can[way] ? '' : raw('disabled')}
      >
        ${icon(way)}
      </button>`,
  )
  return html`<li>
    <div class="row">
      <span class="what"
        ><strong>${name}</strong> <code>${field.name}</code>
        <small>${kindName(t, field)}</small> ${field.required && html`<span class="badge">${t('structure.needed')}</span>`}</span
      >
      ${mayWrite && small('', buttons, 'moves')}
    </div>
    ${
      mayWrite &&
      html`<details ${filled ? raw('open') : ''}>
        <summary>${t.rich('structure.change_asks', { name: html`<span class="unseen"> ${name}</span>` })}</summary>
        ${fieldForm(visit, item, field, filled, t('structure.save_field'))}
        ${small('remove', html`<button class="danger">${t('structure.remove_field', { name, count: item.entries })}</button>`)}
      </details>`
    }
  </li>`
}

const fieldForm = (
  visit: SignedIn,
  item: TypeItem,
  field: FieldDefinition | undefined,
  filled: RefusedField | undefined,
  button: string,
): Html =>
  postForm(visit, {
    path: adminPaths.type,
    hidden: { do: 'field', id: item.id, revision: item.revision, field: field?.name ?? '' },
    body: html`${fieldInputs(visit.t, field, filled)}
      <p class="actions"><button class="primary">${button}</button></p>`,
  })

const dropped = (visit: SignedIn, { dropped: gone = [] }: TypeItem): HtmlValue =>
  gone.length > 0 &&
  html`<p class="quiet">
    ${visit.t.rich('structure.dropped', { fields: gone.map((one, place) => html`${place > 0 && ', '}${droppedField(visit, one)}`) })}
  </p>`

const droppedField = (visit: SignedIn, { name, until }: { readonly name: string; readonly until: string }): Html =>
  visit.t.rich('structure.dropped_field', { name: html`<code>${name}</code>`, until: shownTime(visit, until) })

async function settings(visit: SignedIn, item: TypeItem, refused: Refused): Promise<Html> {
  const { items } = await get(visit, terms.taxonomies, {})
  return formPanel(visit, {
    id: 'settings',
    title: visit.t('structure.name_and_address'),
    form: settingsForm,
    item,
    refused,
    choices: { taxonomies: items.map((one) => ({ value: one.slug, label: taxonomyName(visit.t, one) })) },
    without: item.built_in ? ['path'] : [],
  })
}

function removal(visit: SignedIn, item: TypeItem, { failure, fields }: Refused): Html {
  const { t } = visit
  const { current } = visit.site.types
  const others = current.slugs
    .filter((slug) => slug !== item.slug)
    .map((slug) => ({ value: slug, label: typeName(visit.t, current.of(slug)) }))
  const choices = [...(item.entries === 0 ? [{ value: '', label: t('structure.no_entries') }] : []), ...others]
  const fault = faultsOf(t, failure, ['move_to']).at('move_to')
  return removalForm(visit, {
    verb: t('structure.delete'),
    id: item.id,
    name: typeName(visit.t, item),
    consequence: t('structure.delete_type_help', { count: item.entries }),
    path: adminPaths.type,
    isOpen: failure !== undefined,
    does: 'delete',
    more: selectField({ name: 'move_to', label: t('structure.move_to'), value: fields?.get('move_to'), fault, choices }),
  })
}

const shownAgain = (visit: SignedIn, fields: Fields, done: Done = types.update): Reply =>
  goDone(visit, typePath(fields.get('id')), done)

type List = readonly FieldDefinition[]

/** Writes the fields after a change of their list. */
function rewriting(change: (list: List, fields: Fields) => List, done: Done = types.update): Work {
  return async (visit, fields) => {
    const id = fields.get('id')
    const { item } = await get(visit, types.get, { id })
    const list = change(fieldsOf(item), fields)
    const [before, name] = [fields.get('field'), fields.get('name').trim()]
    const renames = fields.get('do') === 'field' && before !== '' && name !== '' && name !== before
    const rename = renames ? { rename: { [before]: name } } : {}
    const { failure } = await run(visit, types.update, { id, fields: list as never, ...rename }, sinceShown(fields))
    return failure ?? shownAgain(visit, fields, done)
  }
}

const saveField = rewriting((list, fields) => {
  const name = fields.get('field')
  if (name === '') return [...list, definitionFrom(undefined, fields)]
  return list.map((field) => (field.name === name ? definitionFrom(field, fields) : field))
})

const moving = (step: number): Work =>
  rewriting((list, fields) => {
    const place = list.findIndex(({ name }) => name === fields.get('field'))
    const field = list[place]
    if (!field || list[place + step] === undefined) return list
    const others = list.filter((one) => one !== field)
    return [...others.slice(0, place + step), field, ...others.slice(place + step)]
  })

const removeField = rewriting(
  (list, fields) => list.filter(({ name }) => name !== fields.get('field')),
  'structure.done_field_removed',
)

const drop = onItem(
  types.delete,
  (visit) => goDone(visit, adminPaths.types, types.delete),
  (fields) => (fields.get('move_to') === '' ? {} : { move_to: fields.get('move_to') }),
)

const works = {
  field: saveField,
  up: moving(-1),
  down: moving(1),
  remove: removeField,
  settings: taking(settingsForm, (visit, _data, fields) => shownAgain(visit, fields)),
  list: doing(types.update, listInput, (visit, _data, fields) => shownAgain(visit, fields)),
  delete: drop,
}

export const takeTypeForm = formTaker(adminPaths.type, works, (visit, refused) =>
  typeReply(visit, refused.fields.get('id'), refused),
)
