// The form of the editor: the text at one side, everything about the entry at the other.

import { publish } from '../../actions/classes/svc-content/publish.ts'
import type { EntryType } from '../../content/entry-types.ts'
import { attribute, html, type Html, type HtmlValue, raw } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import { csrfField } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { areaField, checkField, selectField, textField } from '../parts/fields.ts'
import { icon } from '../parts/icons.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { textIn, type Values } from './entry-values.ts'
import { fieldControl, nameOfField } from './kind-controls.ts'
import type { EditedEntry } from './read-entry.ts'
import { type TermChoices, termBoxes } from './term-boxes.ts'

/** The purpose of the editor's form, and of what its script sends. */
export const entryPurpose = 'entry'

export interface EntryFormParts {
  readonly item: EditedEntry
  readonly type: EntryType
  readonly values: Values
  readonly failure: Failure | undefined
  readonly choices: TermChoices
  /** Published fields that both sides changed. The next attempt keeps what the form says. */
  readonly settles: readonly string[]
}

export const isNew = ({ id }: Pick<EditedEntry, 'id'>): boolean => id === ''
export const isLive = ({ status }: Pick<EditedEntry, 'status'>): boolean => status === 'published'

export function entryForm(visit: SignedIn, parts: EntryFormParts): Html {
  const { item, type, values, settles } = parts
  const path = isNew(item) ? `${adminPaths.newEntry}?type=${type.slug}` : `${adminPaths.editEntry}?id=${item.id}`
  return html`<form
    class="entry"
    id="entry"
    method="post"
    action="${linkTo(visit.request, path)}"
    data-save
    ${scriptFacts(visit, item)}
  >
    ${csrfField(visit, entryPurpose)}
    <input type="hidden" name="revision" value="${item.revision}" />
    <input type="hidden" name="shown" value="${boxesOf(parts)}" />
    <input type="hidden" name="settles" value="${settles.join(' ')}" />
    <div class="entry-text">
      ${textField({ name: 'title', label: 'Title', value: textIn(values, 'title'), required: true, fault: faultOf(parts, 'title') })}
      ${bodyField(parts)}
      ${type.fields.map((field) => fieldControl(field, textIn(values, nameOfField(field)), faultOf(parts, nameOfField(field))))}
    </div>
    <div class="entry-side">
      ${actions(visit, parts)} ${item.status !== 'trash' && previewPanel()} ${sidePanels(visit, parts)}
    </div>
  </form>`
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
export function faultOf({ failure }: Pick<EntryFormParts, 'failure'>, name: string): string | undefined {
  const field = failure?.detail.field
  const { expected } = failure?.detail ?? {}
  if (field === undefined || !(field === name || field.startsWith(`${name}.`))) return undefined
  return [
    failure?.message,
    typeof expected === 'string' && !failure?.message.includes(expected) && `Right would be: ${expected}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function bodyField(parts: EntryFormParts): Html {
  if (parts.item.body === undefined)
    return html`<p class="notice warn" role="note">
      This text is longer than 80 KB, which is too long for this page. SVC_Content.edit changes parts of it. Everything else can
      be changed here.
    </p>`
  return areaField({
    name: 'body',
    label: 'Text',
    value: textIn(parts.values, 'body'),
    rows: 22,
    help: 'Markdown.',
    fault: faultOf(parts, 'body'),
  })
}

function actions(visit: SignedIn, { item }: EntryFormParts): HtmlValue {
  if (item.status === 'trash') return undefined
  const button = (value: string, label: string, main = false) =>
    html`<button name="do" value="${value}" ${attribute('class', main ? 'primary' : undefined)}>${label}</button>`
  const mayPublish = mayRun(visit, publish)
  const save = isLive(item)
    ? button('stage', 'Save for later')
    : button('save', item.status === 'scheduled' ? 'Save' : 'Save draft')
  const goLive = isLive(item) ? 'Publish changes' : item.status === 'scheduled' ? 'Save and keep the schedule' : 'Publish'
  return html`<div class="panel save-bar">
    <p class="actions">${mayPublish && item.status !== 'scheduled' && button('publish', goLive, true)} ${save}</p>
    <p class="help" role="status" data-saved>
      ${isLive(item) ? '“Save for later” keeps the changes until somebody publishes them.' : 'Visitors see it once it is published.'}
    </p>
  </div>`
}

/** The script adds a button that shows the page beside the text. */
const previewPanel = (): Html =>
  html`<div class="panel preview-bar">
    <p class="actions"><button name="do" value="preview">Preview link</button></p>
    <p class="help">A link that shows the page as it is written here, to send to somebody. It saves nothing.</p>
  </div>`

function sidePanels(visit: SignedIn, parts: EntryFormParts): Html {
  const { item, type } = parts
  return html`<details class="panel" open>
      <summary><h2>Publication</h2></summary>
      ${publication(parts)}
    </details>
    <details
      class="panel"
      ${raw(hasFault(parts, ['excerpt', 'slug', 'parent', 'position', 'author']) || isNew(item) ? 'open' : '')}
    >
      <summary><h2>Address and summary</h2></summary>
      ${line(parts, 'slug', 'Slug', 'Last part of the address. Left empty, it is made from the title.')}
      ${type.hierarchical && line(parts, 'parent', 'Parent page', 'Path of the page above this one, such as /about.')}
      ${type.hierarchical && line(parts, 'position', 'Position', 'Order among its siblings; 0 is usual.')}
      ${areaField({ name: 'excerpt', label: 'Excerpt', value: textIn(parts.values, 'excerpt'), rows: 3, help: 'For lists and feeds.', fault: faultOf(parts, 'excerpt') })}
    </details>
    ${parts.choices.length > 0 && termPanel(parts)}
    <details class="panel" ${raw(hasFault(parts, ['cover']) ? 'open' : '')}>
      <summary><h2>Cover</h2></summary>
      ${item.refs.coverUrl !== undefined && html`<img class="cover" src="${item.refs.coverUrl}" alt="" />`}
      ${line(parts, 'cover', 'Image', 'Path of an image in the media library, such as /media/team.jpg.')}
    </details>
    ${seoPanel(visit, parts)} ${languagePanel(visit, parts)}`
}

const hasFault = (parts: EntryFormParts, names: readonly string[]): boolean =>
  names.some((name) => faultOf(parts, name) !== undefined)

const line = (parts: EntryFormParts, name: string, label: string, help?: HtmlValue): Html =>
  textField({
    name,
    label,
    value: textIn(parts.values, name),
    ...(help === undefined ? {} : { help }),
    fault: faultOf(parts, name),
  })

function publication(parts: EntryFormParts): Html {
  const { item, values } = parts
  const time = (name: string, label: string, help: string) =>
    textField({ name, label, type: 'datetime-local', value: textIn(values, name), help, fault: faultOf(parts, name) })
  const status =
    item.status === 'draft' || item.status === 'private'
      ? selectField({
          name: 'status',
          label: 'While it is not published',
          value: textIn(values, 'status'),
          groups: new Map([
            [
              '',
              [
                { value: 'draft', label: 'Draft' },
                { value: 'private', label: 'Private: only people who sign in' },
              ],
            ],
          ]),
          fault: faultOf(parts, 'status'),
        })
      : undefined
  return html`${status}
  ${time('published_at', isLive(item) ? 'Published' : 'Publish at', isLive(item) ? 'The date that its page shows.' : 'Empty: as soon as you publish it. A time ahead schedules it.')}
  ${time('unpublish_at', 'Take off the site at', 'Empty: never.')}`
}

const termPanel = (parts: EntryFormParts): Html =>
  html`<details class="panel" ${raw(hasFault(parts, ['terms']) ? 'open' : '')}>
    <summary><h2>Terms</h2></summary>
    ${termBoxes(parts.choices, parts.values.get('terms') ?? [], faultOf(parts, 'terms'))}
  </details>`

function seoPanel({ site, request }: SignedIn, parts: EntryFormParts): Html {
  const { item, values } = parts
  const title = textIn(values, 'seo.title') || textIn(values, 'title') || 'Title'
  const description =
    textIn(values, 'seo.description') ||
    textIn(values, 'excerpt') ||
    'Without a description, search engines take a part of the text.'
  const url = item.url ?? `${request.host}/…`
  return html`<details class="panel" ${raw(hasFault(parts, ['seo']) ? 'open' : '')}>
    <summary><h2>Search engines</h2></summary>
    <div class="search-result" aria-label="The search result as it will look" role="group">
      <p class="result-url">${site.settings.values.site_title} · ${url.replace(/^https?:\/\//, '')}</p>
      <p class="result-title" data-result="title">${title}</p>
      <p class="result-text" data-result="text">${description}</p>
    </div>
    ${line(parts, 'seo.title', 'Title in search results', 'Where it differs from the title.')}
    ${areaField({ name: 'seo.description', label: 'Description', value: textIn(values, 'seo.description'), rows: 3, fault: faultOf(parts, 'seo.description') })}
    ${line(parts, 'seo.canonical', 'Address of the original', 'If this is a copy.')}
    ${line(parts, 'seo.image', 'Image for social networks', 'Where it differs from the cover.')}
    ${checkField({ name: 'seo.noindex', label: 'Ask search engines not to list it', value: textIn(values, 'seo.noindex') })}
  </details>`
}

function languagePanel({ site, request }: SignedIn, parts: EntryFormParts): HtmlValue {
  const { language, languages } = site.settings.values
  const { item, values } = parts
  if (languages.length === 0) return undefined
  const taken = new Set(item.translations.map((one) => one.language))
  const free = [language, ...languages].filter((one) => !taken.has(one) && one !== (item.locale ?? language))
  const choices = [{ value: '', label: `${language} (the site's)` }, ...languages.map((value) => ({ value, label: value }))]
  return html`<details class="panel" open>
    <summary><h2>Language</h2></summary>
    ${selectField({ name: 'locale', label: 'Language', value: textIn(values, 'locale'), groups: new Map([['', choices]]), fault: faultOf(parts, 'locale') })}
    ${line(parts, 'translation_of', 'Translation of', 'Path or id of an entry that says the same in another language.')}
    <ul class="lines">
      ${item.translations.map(({ id, language: tag, title }) => html`<li><a href="${linkTo(request, adminPaths.editEntry)}?id=${id}">${title}</a> <small>${tag}</small></li>`)}
      ${
        !isNew(item) &&
        free.map(
          (tag) =>
            html`<li>
              <a
                href="${linkTo(request, adminPaths.newEntry)}?type=${item.type}&amp;translation_of=${item.id}&amp;locale=${tag === language ? '' : tag}"
                >${icon('view')} Translate into ${tag}</a
              >
            </li>`,
        )
      }
    </ul>
  </details>`
}
