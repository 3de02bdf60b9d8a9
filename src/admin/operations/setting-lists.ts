// Settings that are lists: what is chosen as checkboxes, and a field or a list of choices that adds one more.

import { html, type Html } from '../../doors/shared/html.ts'
import { type SettingKey, typeListSettings } from '../../settings/definitions.ts'
import { languageChoices, languageNames } from '../content/language-names.ts'
import { typeName } from '../content/type-words.ts'
import { boxesField, type Choice, type Field, selectField, textField } from '../parts/fields.ts'
import type { SignedIn } from '../visit.ts'

/**
 * Makes the field of a list.
 * @param stored the items that the site has; one that is only typed stands in the field that adds, where it can be corrected
 */
export function listField(visit: SignedIn, key: SettingKey, { value = '', ...field }: Field, stored: readonly string[]): Html {
  const { t, site } = visit
  const items = value.split('\n').filter((one) => one !== '')
  if (typeListSettings.includes(key)) {
    const types = site.types.current.all.map((type) => ({ value: type.slug, label: typeName(t, type) }))
    return list(field, types, items)
  }
  const adding = { ...field, name: addedTo(key), id: key, label: t('operations.add_to', { name: field.label }) }
  const ticks = (known: readonly Choice[]): Html => list({ ...field, help: undefined, fault: undefined }, known, items)
  if (key === 'languages') {
    const nameOf = languageNames(t)
    const known = [...new Set([...stored, ...items])]
    const others = languageChoices(t, '').filter(({ value: tag }) => tag !== '' && !known.includes(tag))
    const chosen = known.map((tag) => ({ value: tag, label: nameOf(tag) }))
    const label = known.length > 0 ? adding.label : field.label
    const more = selectField({
      ...adding,
      label,
      value: '',
      choices: [{ value: '', label: t('operations.add_none') }, ...others],
    })
    return html`${ticks(chosen)} ${more}`
  }
  const known = stored.map((item) => ({ value: item, label: item }))
  const typed = items.filter((item) => !stored.includes(item)).join(' ')
  const label = known.length > 0 ? adding.label : field.label
  return html`${ticks(known)} ${textField({ ...adding, label, value: typed })}`
}

/** The name of the field that adds to a list. */
export const addedTo = (key: SettingKey): string => `${key}.add`

/** The checkboxes. The empty field tells a form in which none is ticked from one without them. */
const list = (field: Omit<Field, 'value'>, choices: readonly Choice[], chosen: readonly string[]): Html =>
  html`<input type="hidden" name="${field.name}" value="" />${choices.length > 0 && boxesField({ ...field, choices, chosen })}`
