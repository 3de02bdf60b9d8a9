// One type of entries: its fields in their order, its name and address, and its deletion.

import { terms } from '../../actions/classes/svc-terms/index.ts'
import { types } from '../../actions/classes/svc-types/index.ts'
import type { TypeItem } from '../../actions/classes/svc-types/item.ts'
import type { FieldDefinition } from '../../content/field-definition.ts'
import { attribute, html, type Html, type HtmlValue, raw } from '../../doors/html.ts'
import { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import type { Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { checkField, faultBox, selectField, textField } from '../parts/fields.ts'
import { icon } from '../parts/icons.ts'
import { faultsOf, formTaker, postForm, sinceShown, type Work } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { emptyState, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { definitionFrom, fieldInputs, kindName, type RefusedField } from './field-form.ts'
import { typePath } from './types-page.ts'

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

const fieldsOf = ({ fields = [] }: TypeItem): readonly FieldDefinition[] => fields as readonly FieldDefinition[]

/** GET; `id` names the type. */
export const showType = (visit: SignedIn): Promise<Reply> => typeReply(visit, visit.request.query.get('id') ?? '')

async function typeReply(visit: SignedIn, id: string, view: View = {}): Promise<Reply> {
  const { t } = visit
  const { failure, fields } = view
  const isRemoval = fields?.get('do') === 'delete'
  const { item } = await get(visit, types.get, { id })
  const mayWrite = mayRun(visit, types.update)
  const defined = fieldsOf(item)
  const own = fields?.get('do') === 'settings' ? faultsOf(t, failure, ['name', 'path', 'taxonomies']) : faultsOf(t, undefined, [])
  const filled = (field: string): RefusedField | undefined =>
    failure && fields?.get('do') === 'field' && fields.get('field') === field ? { fields, failure } : undefined
  const body = html`${pageHead(
      item.name,
      item.built_in
        ? t('structure.type_entries', { count: item.entries })
        : t.rich('structure.type_entries_at', {
            count: item.entries,
            path: html`<code>${item.path.replace('{type}', item.slug)}</code>`,
          }),
      html`<a class="button" href="${linkTo(visit.request, adminPaths.types)}">${t('structure.all_types')}</a>`,
    )}
    ${faultBox(failure && sentenceOf(failure, t))}
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
        ${await settings(visit, item, fields?.get('do') === 'settings' ? fields : undefined, own.at)}`
    }
    ${!item.built_in && mayRun(visit, types.delete) && removal(visit, item, isRemoval ? view : {})}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: item.name, body }))
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
      purpose: 'type',
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
    purpose: 'type',
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

async function settings(
  visit: SignedIn,
  item: TypeItem,
  fields: Fields | undefined,
  fault: (name: string) => string | undefined,
): Promise<Html> {
  const { t } = visit
  const { items: all } = await get(visit, terms.taxonomies, {})
  const chosen = fields ? fields.all('taxonomies') : (item.taxonomies ?? [])
  return html`<section class="panel" aria-labelledby="settings">
    <h2 id="settings">${t('structure.name_and_address')}</h2>
    ${postForm(visit, {
      path: adminPaths.type,
      purpose: 'type',
      hidden: { do: 'settings', id: item.id, revision: item.revision },
      body: html`${textField({ name: 'name', label: t('structure.name'), value: fields?.get('name') ?? item.name, required: true, fault: fault('name') })}
        ${!item.built_in && textField({ name: 'path', label: t('structure.address'), value: fields?.get('path') ?? item.path, help: t('structure.new_path_help'), required: true, fault: fault('path') })}
        <fieldset>
          <legend>${t('structure.taxonomies')}</legend>
          ${all.map(
            ({ slug, name }) =>
              html`<label class="choice"
                ><input
                  type="checkbox"
                  name="taxonomies"
                  value="${slug}"
                  ${attribute('checked', chosen.includes(slug) ? '' : undefined)}
                />
                <span>${name}</span></label
              >`,
          )}
        </fieldset>
        ${checkField({ name: 'feed', label: t('structure.type_feed'), value: (fields ? fields.has('feed') : item.feed) ? 'yes' : undefined })}
        <p class="actions"><button class="primary">${t('structure.save')}</button></p>`,
    })}
  </section>`
}

function removal(visit: SignedIn, item: TypeItem, { failure, fields }: View): Html {
  const { t } = visit
  const fault = faultsOf(t, failure, ['move_to']).at('move_to')
  const { current } = visit.site.types
  const others = current.slugs.filter((slug) => slug !== item.slug).map((slug) => ({ value: slug, label: current.of(slug).name }))
  const none = item.entries === 0 ? [{ value: '', label: t('structure.no_entries') }] : []
  return removalForm(visit, {
    verb: t('structure.delete'),
    id: item.id,
    name: item.name,
    consequence: t('structure.delete_type_help', { count: item.entries }),
    path: adminPaths.type,
    purpose: 'type',
    isOpen: failure !== undefined,
    more: html`<input
        type="hidden"
        name="do"
        value="delete"
      />${selectField({ name: 'move_to', label: t('structure.move_to'), value: fields?.get('move_to'), fault, groups: new Map([['', [...none, ...others]]]) })}`,
  })
}

const answered = (visit: SignedIn, fields: Fields, failure: Failure | undefined, done: Done = types.update) =>
  failure ? typeReply(visit, fields.get('id'), { failure, fields }) : goDone(visit, typePath(fields.get('id')), done)

type List = readonly FieldDefinition[]

/** Writes the fields after a change of their list. */
function rewriting(change: (list: List, fields: Fields) => List, done: Done = types.update): Work {
  return async (visit, fields) => {
    const id = fields.get('id')
    const { item } = await get(visit, types.get, { id })
    try {
      const list = change(fieldsOf(item), fields)
      const [before, name] = [fields.get('field'), fields.get('name').trim()]
      const renames = fields.get('do') === 'field' && before !== '' && name !== '' && name !== before
      const rename = renames ? { rename: { [before]: name } } : {}
      const { failure } = await run(visit, types.update, { id, fields: list as never, ...rename }, sinceShown(fields))
      return await answered(visit, fields, failure, done)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'invalid') throw error
      return answered(visit, fields, error)
    }
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

const saveSettings: Work = async (visit, fields) => {
  const given = { id: fields.get('id'), name: fields.get('name').trim(), feed: fields.has('feed') }
  const path = fields.has('path') ? { path: fields.get('path').trim() } : {}
  const { failure } = await run(
    visit,
    types.update,
    { ...given, ...path, taxonomies: fields.all('taxonomies') },
    sinceShown(fields),
  )
  return answered(visit, fields, failure)
}

const drop: Work = async (visit, fields) => {
  const [id, target] = [fields.get('id'), fields.get('move_to')]
  const { failure } = await run(visit, types.delete, { id, ...(target && { move_to: target }) })
  return failure ? answered(visit, fields, failure) : goDone(visit, adminPaths.types, types.delete)
}

export const takeTypeForm = formTaker('type', {
  field: saveField,
  up: moving(-1),
  down: moving(1),
  remove: removeField,
  settings: saveSettings,
  delete: drop,
})
