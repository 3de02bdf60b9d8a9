// The form of a type's public lists: their order, what is over, and the fields on cards.

import type { TypeItem } from '../../actions/types/item.ts'
import type { FieldDefinition } from '../../content/types/field-definition.ts'
import { isDay, isShowable, isSortable, sortedBy, usualSort } from '../../content/types/list-rules.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Fields } from '../form.ts'
import type { Refused } from '../framed-reply.ts'
import { boxesField, type Choice, selectField } from '../parts/fields.ts'
import { panel } from '../parts/panel.ts'
import { faultsOf, postForm } from '../parts/post-form.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'

/** The words of both directions of an order, by what its values are. */
const directions = {
  time: ['structure.sort_earliest', 'structure.sort_latest'],
  number: ['structure.sort_smallest', 'structure.sort_largest'],
  choice: ['structure.sort_first_choice', 'structure.sort_last_choice'],
  text: ['structure.sort_a_to_z', 'structure.sort_z_to_a'],
} as const satisfies Readonly<Record<string, readonly [MessageKey, MessageKey]>>

const labelOf = ({ label, name }: FieldDefinition): string => label ?? name

function sortChoices(t: Words, fields: readonly FieldDefinition[]): readonly Choice[] {
  const both = (name: string, label: string, kind: keyof typeof directions): readonly Choice[] => {
    const [up, down] = directions[kind]
    return [
      { value: name, label: t(up, { field: label }) },
      { value: `-${name}`, label: t(down, { field: label }) },
    ]
  }
  const [older, newer] = both('published_at', t('structure.sort_published'), 'time')
  return [
    ...(newer ? [newer] : []),
    ...(older ? [older] : []),
    ...both('title', t('structure.sort_title'), 'text'),
    ...fields.filter(isSortable).flatMap((field) => both(nameInSort(field), labelOf(field), directionsOf(field))),
  ]
}

const directionsOf = (field: FieldDefinition): keyof typeof directions => {
  if (isDay(field)) return 'time'
  if (field.kind === 'choice') return 'choice'
  return field.kind === 'number' || field.kind === 'boolean' ? 'number' : 'text'
}

/** A field that is named like a column of all entries has a prefix. */
const nameInSort = ({ name }: FieldDefinition): string => (sortedBy(name).isOwn ? name : `fields.${name}`)

/** The form; nothing for a type whose entries have no list. */
export function listPanel(visit: SignedIn, item: TypeItem, { failure, fields: typed }: Refused): HtmlValue {
  const { t } = visit
  if (!item.built_in && item.feed !== true) return false
  const given = typed?.get('do') === 'list' ? typed : undefined
  const fields = (item.fields ?? []) as readonly FieldDefinition[]
  const choices = (fits: (field: FieldDefinition) => boolean): readonly Choice[] =>
    fields.filter(fits).map((field) => ({ value: field.name, label: labelOf(field) }))
  const [days, shown] = [choices(isDay), choices(isShowable)]
  const { at } = faultsOf(t, given && failure, ['list.sort', 'list.hide_past', 'list.shows'])
  const body: Html = html`${selectField({
      name: 'sort',
      label: t('structure.list_sort'),
      value: given?.get('sort') ?? item.list?.sort ?? usualSort,
      choices: sortChoices(t, fields),
      fault: at('list.sort'),
    })}
    ${
      days.length > 0 &&
      selectField({
        name: 'hide_past',
        label: t('structure.list_hide_past'),
        help: t('structure.list_hide_past_help'),
        value: given?.get('hide_past') ?? item.list?.hide_past ?? '',
        choices: [{ value: '', label: t('structure.list_hides_nothing') }, ...days],
        fault: at('list.hide_past'),
      })
    }
    ${
      shown.length > 0 &&
      boxesField({
        name: 'shows',
        label: t('structure.list_shows'),
        help: t('structure.list_shows_help'),
        chosen: given?.all('shows') ?? item.list?.shows ?? [],
        choices: shown,
        fault: at('list.shows'),
      })
    }
    <p class="actions"><button class="primary">${t('structure.save')}</button></p>`
  const hidden = { do: 'list', id: item.id, revision: item.revision }
  return panel('list', t('structure.list'), postForm(visit, { path: adminPaths.type, hidden, body }))
}

/** Reads the input of the action. The boxes keep the order of the fields. */
export const listInput = (fields: Fields) => ({
  id: fields.get('id'),
  list: { sort: fields.get('sort'), hide_past: fields.get('hide_past') || null, shows: [...fields.all('shows')] },
})
