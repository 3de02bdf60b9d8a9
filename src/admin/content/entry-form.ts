// The form of the editor: the text at one side, everything about the entry at the other.

import { content } from '../../actions/classes/svc-content/index.ts'
import { maxBodyBytes } from '../../content/entry-text.ts'
import type { EntryType } from '../../content/entry-types.ts'
import { attribute, html, type Html, type HtmlValue, raw } from '../../doors/html.ts'
import type { FieldDefinition } from '../../content/field-definition.ts'
import type { Failure } from '../../failure.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { areaField, checkField, type Choice, selectField, textField } from '../parts/fields.ts'
import { icon } from '../parts/icons.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { authorField } from './author-field.ts'
import { textIn, type Values } from './entry-values.ts'
import { aboutReference, fieldControl, nameOfField } from './kind-controls.ts'
import { formKey } from './made-entry.ts'
import type { EditedEntry } from './read-entry.ts'
import { referenceField, type ReferenceView } from './reference-field.ts'
import { type TermChoices, termBoxes } from './term-boxes.ts'

/** The purpose of the editor's form, and of what its script sends. */
export const entryPurpose = 'entry'

/** An entry's text takes up to three times its bytes in a form; the rest is for the other fields. */
const maxFormBytes = 3 * maxBodyBytes + 1024 ** 2

/** Reads the form of the editor, and what its script sends. @throws HttpFailure as `readFields` */
export const readEntryForm = (visit: SignedIn): Promise<Fields> => readFields(visit, entryPurpose, maxFormBytes)

export interface EntryFormParts {
  readonly item: EditedEntry
  readonly type: EntryType
  readonly values: Values
  readonly failure: Failure | undefined
  readonly choices: TermChoices
  readonly references: ReferenceView
  /** Who may be the author. */
  readonly authors: readonly Choice[]
  /** Published fields that both sides changed. The next attempt keeps what the form says. */
  readonly settles: readonly string[]
}

export const isNew = ({ id }: Pick<EditedEntry, 'id'>): boolean => id === ''
export const isLive = ({ status }: Pick<EditedEntry, 'status'>): boolean => status === 'published'

/**
 * The form shows what is stored. A browser that filled it in again after a reload would put an old text beside the present
 * revision, and "back" would make a second entry. What is not saved yet, the script keeps. The key of a new entry lets the form
 * make it once, however often it is sent.
 */
export function entryForm(visit: SignedIn, parts: EntryFormParts): Html {
  const { t } = visit
  const { item, type, values, settles } = parts
  const path = isNew(item) ? `${adminPaths.newEntry}?type=${type.slug}` : `${adminPaths.editEntry}?id=${item.id}`
  return html`<form
    class="entry"
    id="entry"
    method="post"
    action="${linkTo(visit.request, path)}"
    autocomplete="off"
    data-save
    ${scriptFacts(visit, item)}
  >
    ${csrfField(visit, entryPurpose)} ${enterButton(item)}
    <input type="hidden" name="revision" value="${item.revision}" />
    ${isNew(item) && html`<input type="hidden" name="key" value="${formKey(visit)}" />`}
    <input type="hidden" name="shown" value="${boxesOf(parts)}" />
    <input type="hidden" name="settles" value="${settles.join(' ')}" />
    <div class="entry-text">
      ${textField({ name: 'title', label: t('content.title'), value: textIn(values, 'title'), required: true, fault: faultOf(t, parts, 'title') })}
      ${bodyField(t, parts)} ${type.fields.map((field) => ownField(t, parts, field))}
    </div>
    <div class="entry-side">
      ${actions(visit, parts)} ${item.status !== 'trash' && mayRun(visit, content.preview) && previewPanel(t)}
      ${sidePanels(visit, parts)}
    </div>
  </form>`
}

function ownField(t: Words, parts: EntryFormParts, field: FieldDefinition): Html {
  const name = nameOfField(field)
  const [value, fault] = [textIn(parts.values, name), faultOf(t, parts, name)]
  if (!parts.references.specs.has(name)) return fieldControl(t, field, value, fault)
  return referenceField(t, { name, ...aboutReference(t, field), value, fault }, parts.references)
}

/** Names of the form whose boxes may all be empty. A browser sends nothing of an empty box. */
const boxesOf = ({ type, choices }: EntryFormParts): string =>
  [...(choices.length > 0 ? ['terms'] : []), 'seo.noindex', ...type.fields.map(nameOfField)].join(' ')

/** What the script of the editor needs to know. */
const scriptFacts = ({ request }: SignedIn, { id, status, updated_at: at }: EditedEntry): Html =>
  html`${attribute('data-entry', id)} ${attribute('data-status', status)} ${attribute('data-updated', at)}
  ${attribute('data-autosave', linkTo(request, adminPaths.autosaveEntry))}
  ${attribute('data-preview', linkTo(request, adminPaths.previewEntry))}
  ${attribute('data-upload', linkTo(request, adminPaths.uploadImage))}
  ${attribute('data-links', linkTo(request, adminPaths.findLinks))}`

/** The message for a field of the form. A failure about a member, such as `fields.sizes.2`, stands at its field. */
export function faultOf(t: Words, { failure }: Pick<EntryFormParts, 'failure'>, name: string): string | undefined {
  const field = failure?.detail.field
  const { expected } = failure?.detail ?? {}
  if (field === undefined || !(field === name || field.startsWith(`${name}.`))) return undefined
  const fault = failure?.message ?? ''
  return typeof expected === 'string' && !fault.includes(expected) ? t('content.fault_expected', { fault, expected }) : fault
}

function bodyField(t: Words, parts: EntryFormParts): Html {
  return areaField({
    name: 'body',
    label: t('content.text'),
    value: textIn(parts.values, 'body'),
    rows: 22,
    help: t('content.body_help'),
    fault: faultOf(t, parts, 'body'),
  })
}

/** What Enter in a line does: it saves, and neither publishes nor searches. A browser takes the first button of a form. */
const enterButton = ({ status }: EditedEntry): HtmlValue =>
  status !== 'trash' &&
  html`<button
    class="unseen"
    name="do"
    value="${status === 'published' ? 'stage' : 'save'}"
    tabindex="-1"
    aria-hidden="true"
  ></button>`

function actions(visit: SignedIn, { item }: EntryFormParts): HtmlValue {
  const { t } = visit
  if (item.status === 'trash') return undefined
  const button = (value: string, label: MessageKey, main = false) =>
    html`<button name="do" value="${value}" ${attribute('class', main ? 'primary' : undefined)}>${t(label)}</button>`
  const mayPublish = mayRun(visit, content.publish)
  const save = isLive(item)
    ? button('stage', 'content.save_later')
    : button('save', item.status === 'scheduled' ? 'content.save' : 'content.save_draft')
  return html`<div class="panel save-bar">
    <p class="actions">
      ${mayPublish && item.status !== 'scheduled' && button('publish', isLive(item) ? 'content.publish_changes' : 'content.publish', true)}
      ${save}
    </p>
    <p class="help" role="status" data-saved>${t(isLive(item) ? 'content.live_help' : 'content.draft_help')}</p>
  </div>`
}

/** The script adds a button that shows the page beside the text. */
const previewPanel = (t: Words): Html =>
  html`<div class="panel preview-bar">
    <p class="actions"><button name="do" value="preview">${t('content.preview_button')}</button></p>
    <p class="help">${t('content.preview_help')}</p>
  </div>`

function sidePanels(visit: SignedIn, parts: EntryFormParts): Html {
  const { t } = visit
  const { item, type } = parts
  const field = (name: string, label: MessageKey, help?: MessageKey) => line(t, parts, name, { label, ...(help && { help }) })
  return html`<details class="panel" open>
      <summary><h2>${t('content.publication')}</h2></summary>
      ${publication(t, parts)}
    </details>
    <details
      class="panel"
      ${raw(isAsked(t, parts, ['excerpt', 'slug', 'parent', 'position', 'author']) || isNew(item) ? 'open' : '')}
    >
      <summary><h2>${t('content.address_and_summary')}</h2></summary>
      ${field('slug', 'content.slug', 'content.slug_help')}
      ${type.hierarchical && field('parent', 'content.parent', 'content.parent_help')}
      ${type.hierarchical && field('position', 'content.position', 'content.position_help')}
      ${!isNew(item) && authorField(t, parts.authors, textIn(parts.values, 'author'), faultOf(t, parts, 'author'))}
      ${areaField({ name: 'excerpt', label: t('content.excerpt'), value: textIn(parts.values, 'excerpt'), rows: 3, help: t('content.excerpt_help'), fault: faultOf(t, parts, 'excerpt') })}
    </details>
    ${parts.choices.length > 0 && termPanel(t, parts)}
    <details class="panel" ${raw(isAsked(t, parts, ['cover']) ? 'open' : '')}>
      <summary><h2>${t('content.cover')}</h2></summary>
      ${field('cover', 'content.cover_image', 'content.cover_help')}
    </details>
    ${seoPanel(visit, parts)} ${languagePanel(visit, parts)}`
}

/** Whether a panel stays open, because one of its fields has a fault or has searched. */
const isAsked = (t: Words, parts: EntryFormParts, names: readonly string[]): boolean =>
  names.some((name) => faultOf(t, parts, name) !== undefined || parts.references.found?.name.startsWith(name) === true)

interface LineWords {
  readonly label: MessageKey
  readonly help?: MessageKey
}

function line(t: Words, parts: EntryFormParts, name: string, { label, help }: LineWords): Html {
  const field = {
    name,
    label: t(label),
    value: textIn(parts.values, name),
    ...(help === undefined ? {} : { help: t(help) }),
    fault: faultOf(t, parts, name),
  }
  return parts.references.specs.has(name) ? referenceField(t, field, parts.references) : textField(field)
}

function publication(t: Words, parts: EntryFormParts): Html {
  const { item, values } = parts
  const time = (name: string, label: MessageKey, help: MessageKey) =>
    textField({
      name,
      label: t(label),
      type: 'datetime-local',
      value: textIn(values, name),
      help: t(help),
      fault: faultOf(t, parts, name),
    })
  const status =
    item.status === 'draft' || item.status === 'private'
      ? selectField({
          name: 'status',
          label: t('content.status_unpublished'),
          value: textIn(values, 'status'),
          groups: new Map([
            [
              '',
              [
                { value: 'draft', label: t('content.status_draft') },
                { value: 'private', label: t('content.status_private_choice') },
              ],
            ],
          ]),
          fault: faultOf(t, parts, 'status'),
        })
      : undefined
  return html`${status}
  ${time('published_at', isLive(item) ? 'content.published' : 'content.publish_at', isLive(item) ? 'content.published_at_help' : 'content.publish_at_help')}
  ${time('unpublish_at', 'content.take_off_at', 'content.take_off_at_help')}`
}

const termPanel = (t: Words, parts: EntryFormParts): Html =>
  html`<details class="panel" ${raw(isAsked(t, parts, ['terms']) ? 'open' : '')}>
    <summary><h2>${t('content.terms')}</h2></summary>
    ${termBoxes(t, parts.choices, parts.values.get('terms') ?? [], faultOf(t, parts, 'terms'))}
  </details>`

function seoPanel({ site, request, t }: SignedIn, parts: EntryFormParts): Html {
  const { item, values } = parts
  const title = textIn(values, 'seo.title') || textIn(values, 'title') || t('content.title')
  const description = textIn(values, 'seo.description') || textIn(values, 'excerpt') || t('content.description_missing')
  const url = item.url ?? `${request.host}/…`
  return html`<details class="panel" ${raw(isAsked(t, parts, ['seo']) ? 'open' : '')}>
    <summary><h2>${t('content.search_engines')}</h2></summary>
    <div class="search-result" aria-label="${t('content.search_result')}" role="group">
      <p class="result-url">${site.settings.values.site_title} · ${url.replace(/^https?:\/\//, '')}</p>
      <p class="result-title" data-result="title">${title}</p>
      <p class="result-text" data-result="text">${description}</p>
    </div>
    ${line(t, parts, 'seo.title', { label: 'content.seo_title', help: 'content.seo_title_help' })}
    ${areaField({ name: 'seo.description', label: t('content.description'), value: textIn(values, 'seo.description'), rows: 3, fault: faultOf(t, parts, 'seo.description') })}
    ${line(t, parts, 'seo.canonical', { label: 'content.canonical', help: 'content.canonical_help' })}
    ${line(t, parts, 'seo.image', { label: 'content.seo_image', help: 'content.seo_image_help' })}
    ${checkField({ name: 'seo.noindex', label: t('content.noindex'), value: textIn(values, 'seo.noindex') })}
  </details>`
}

function languagePanel({ site, request, t }: SignedIn, parts: EntryFormParts): HtmlValue {
  const { language, languages } = site.settings.values
  const { item, values } = parts
  if (languages.length === 0) return undefined
  const names = new Intl.DisplayNames(t.language, { type: 'language' })
  const nameOf = (tag: string): string => names.of(tag) ?? tag
  const taken = new Set(item.translations.map((one) => one.language))
  const free = [language, ...languages].filter((one) => !taken.has(one) && one !== (item.locale ?? language))
  const choices = [
    { value: '', label: t('content.language_of_site', { language: nameOf(language) }) },
    ...languages.map((value) => ({ value, label: nameOf(value) })),
  ]
  return html`<details class="panel" open>
    <summary><h2>${t('content.language')}</h2></summary>
    ${selectField({ name: 'locale', label: t('content.language'), value: textIn(values, 'locale'), groups: new Map([['', choices]]), fault: faultOf(t, parts, 'locale') })}
    ${line(t, parts, 'translation_of', { label: 'content.translation_of', help: 'content.translation_of_help' })}
    <ul class="lines">
      ${item.translations.map(({ id, language: tag, title }) => html`<li><a href="${linkTo(request, adminPaths.editEntry)}?id=${id}">${title}</a> <small>${nameOf(tag)}</small></li>`)}
      ${
        !isNew(item) &&
        free.map(
          (tag) =>
            html`<li>
              <a
                href="${linkTo(request, adminPaths.newEntry)}?type=${item.type}&amp;translation_of=${item.id}&amp;locale=${tag === language ? '' : tag}"
                >${icon('view')} ${t('content.translate_into', { language: nameOf(tag) })}</a
              >
            </li>`,
        )
      }
    </ul>
  </details>`
}
