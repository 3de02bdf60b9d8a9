// The controls of the editor's form, by their names in the table of fields.

import { commentChoices } from '../../content/comments/comment-rules.ts'
import type { FormControl } from '../../content/types/entry-field.ts'
import type { HtmlValue } from '../../doors/shared/html.ts'
import { numberIn } from '../form.ts'
import { controlText, controlTime } from '../parts/control-text.ts'
import { areaField, checkField, type Field, selectField, textField } from '../parts/fields.ts'
import type { MessageKey } from '../words.ts'
import { authorField } from './author-field.ts'
import { isNew } from './edited-entry.ts'
import type { FormParts } from './form-parts.ts'
import { languageNames } from './language-names.ts'
import { referenceField } from './reference-field.ts'
import type { ReferenceName } from './references.ts'
import { termBoxes } from './term-boxes.ts'

/** The context for values as people write them: names and times. */
interface Writing {
  readonly timeZone: string
  readonly refs: ReadonlyMap<string, string>
}

export interface EntryControl {
  /** The kind of object that the field refers to. */
  readonly reference?: ReferenceName
  /** True if a browser sends nothing for an empty field, because it is a checkbox. */
  readonly isBox?: true
  toTexts(value: unknown, writing: Writing): readonly string[]
  /** A text that is not a valid value is passed on, and the action says what it expects. */
  toValue(texts: readonly string[]): unknown
  /** Undefined if the entry does not have such a field at present. */
  markup(field: Field, parts: FormParts): HtmlValue
}

const line: EntryControl = {
  toTexts: (value) => [controlText(value)],
  toValue: ([text = '']) => text.trim(),
  markup: (field) => textField(field),
}

/** A path, or a part of a name. */
const reference = (kind: ReferenceName): EntryControl => ({
  ...line,
  reference: kind,
  toTexts: (value, { refs }) => [controlText(refs.get(String(value)) ?? value)],
  markup: (field, { visit, references }) => referenceField(visit.t, field, references),
})

const commentLabels: Readonly<Record<(typeof commentChoices)[number], MessageKey>> = {
  on: 'content.comments_on',
  closed: 'content.comments_closed',
  off: 'content.comments_off',
}

export const entryControls: Readonly<Record<FormControl, EntryControl>> = {
  line,
  area: { ...line, markup: (field) => areaField({ ...field, rows: 3 }) },
  number: { ...line, toValue: ([text = '']) => numberIn(text) },
  time: {
    ...line,
    toTexts: (value, { timeZone }) => [controlTime(value, timeZone)],
    markup: (field) => textField({ ...field, type: 'datetime-local' }),
  },
  box: {
    isBox: true,
    toTexts: (value) => (value === true ? ['yes'] : []),
    toValue: ([text]) => text === 'yes',
    markup: (field) => checkField(field),
  },
  entry: reference('entry'),
  image: reference('image'),
  body: { ...line, toValue: ([text = '']) => text, markup: (field) => areaField({ ...field, rows: 22 }) },
  status: {
    ...line,
    markup(field, { visit: { t }, item: { status } }) {
      if (status !== 'draft' && status !== 'private') return undefined
      const choices = [
        { value: 'draft', label: t('content.status_draft') },
        { value: 'private', label: t('content.status_private_choice') },
      ]
      return selectField({ ...field, choices })
    },
  },
  author: { ...line, markup: (field, { visit, item, authors }) => !isNew(item) && authorField(visit.t, authors, field) },
  terms: {
    isBox: true,
    toTexts: (value) => ((value ?? []) as readonly { readonly ref: string }[]).map(({ ref }) => ref),
    toValue: (texts) => texts,
    markup: ({ name, fault }, { visit, choices, values }) =>
      choices.length > 0 && termBoxes(visit.t, choices, values.get(name) ?? [], fault),
  },
  comments: {
    ...line,
    markup(field, { visit: { site, t }, type: { slug } }) {
      const isOn = site.settings.values.comments.includes(slug)
      const choices = [
        { value: '', label: t(isOn ? 'content.comments_as_type_on' : 'content.comments_as_type_off') },
        ...commentChoices.map((value) => ({ value, label: t(commentLabels[value]) })),
      ]
      return selectField({ ...field, choices })
    },
  },
  language: {
    ...line,
    markup(field, { visit: { site, t } }) {
      const { language, languages } = site.settings.values
      const nameOf = languageNames(t)
      const choices = [
        { value: '', label: t('content.language_of_site', { language: nameOf(language) }) },
        ...languages.map((value) => ({ value, label: nameOf(value) })),
      ]
      return selectField({ ...field, choices })
    },
  },
}
