// One theme: the settings that it has, what is wrong with it, its files and its earlier states.

import { deleteTheme } from '../../actions/classes/svc-themes/create.ts'
import { check, get as themeGet, preview } from '../../actions/classes/svc-themes/reading.ts'
import { revert, revisions } from '../../actions/classes/svc-themes/revisions.ts'
import { configure } from '../../actions/classes/svc-themes/settings.ts'
import { remove, write } from '../../actions/classes/svc-themes/writing.ts'
import type { AnswerOf } from '../../actions/call-action.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import type { Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { areaField, checkField, doneBox, faultBox, selectField, textField } from '../parts/fields.ts'
import { faultsOf, formTaker, postForm, sinceShown, type Work } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { fileReply, filePath } from './theme-file-page.ts'
import { themePath } from './themes-page.ts'

const doneWords: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  removed: 'The file was removed. An earlier state brings it back.',
  reverted: 'Brought back, as a new state.',
}

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

type Theme = AnswerOf<typeof themeGet.output>['item']
type Setting = Theme['settings'][number]

/** GET; `id` names the theme, `file` one of its files. */
export function showTheme(visit: SignedIn): Promise<Reply> {
  const { query } = visit.request
  const [id, file] = [query.get('id') ?? '', query.get('file')]
  return file === null ? themeReply(visit, id) : fileReply(visit, id, file)
}

async function themeReply(visit: SignedIn, id: string, { failure, fields }: View = {}): Promise<Reply> {
  const { item } = await get(visit, themeGet, { id })
  const names = item.settings.map((setting) => `settings.${setting.id}`)
  const faults = faultsOf(failure, names)
  const link = (await run(visit, preview, { id })).data?.url
  const body = html`${pageHead(
    item.name,
    item.active ? 'Visitors see the site in this theme.' : 'Visitors do not see this theme.',
    html`${link !== undefined && html`<a class="button" href="${link}">Preview</a>`}
      <a class="button" href="${linkTo(visit.request, adminPaths.themes)}">All themes</a>`,
  )}
  ${doneBox(doneWords[visit.request.query.get('done') ?? ''])} ${faultBox(faults.rest)} ${await problemsOf(visit, id)}
  ${item.settings.length > 0 && mayRun(visit, configure) && settingsForm(visit, item, fields, faults.at)} ${filesOf(visit, item)}
  ${!item.shipped && (await statesOf(visit, id))}
  ${
    !item.shipped &&
    !item.active &&
    mayRun(visit, deleteTheme) &&
    removalForm(visit, {
      verb: 'Delete',
      id,
      name: item.name,
      consequence: `The theme goes with its ${item.files.length} files. Visitors do not see it.`,
      path: adminPaths.themes,
      purpose: 'themes',
      more: html`<input type="hidden" name="do" value="delete" />`,
    })
  }`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: item.name, body }))
}

async function problemsOf(visit: SignedIn, id: string): Promise<HtmlValue> {
  const { problems } = await get(visit, check, { id })
  return (
    problems.length > 0 &&
    html`<section class="panel attention" aria-labelledby="problems">
      <h2 id="problems">What is wrong with it</h2>
      <ul>
        ${problems.map(
          ({ file, line, message }) =>
            html`<li>
              ${file !== null && html`<a href="${linkTo(visit.request, filePath(id, file))}">${file}</a>${line !== null && `, line ${line}`}: `}${message}
            </li>`,
        )}
      </ul>
    </section>`
  )
}

/** The settings in their groups, each with the control of its type. */
function settingsForm(
  visit: SignedIn,
  item: Theme,
  fields: Fields | undefined,
  fault: (name: string) => string | undefined,
): Html {
  const groups = [...new Set(item.settings.map(({ group = '' }) => group))]
  return html`<section class="panel" aria-labelledby="settings">
    <h2 id="settings">Settings</h2>
    ${postForm(visit, {
      path: adminPaths.theme,
      purpose: 'theme',
      hidden: { do: 'configure', id: item.id, revision: item.revision },
      body: html`${groups.map(
          (group) =>
            html`<fieldset>
              ${group !== '' && html`<legend>${group}</legend>`}
              ${item.settings.filter((one) => (one.group ?? '') === group).map((one) => control(one, fields, fault(`settings.${one.id}`)))}
            </fieldset>`,
        )}
        <p class="actions"><button class="primary">Save the settings</button></p>`,
    })}
  </section>`
}

const nameOf = ({ id }: Setting): string => `setting-${id}`
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function control(setting: Setting, fields: Fields | undefined, fault: string | undefined): Html {
  const { type, label, help, options = [], min, max, value, default: preset } = setting
  const name = nameOf(setting)
  const common = { name, label, value: fields ? fields.get(name) : textOf(value), help, fault }
  if (type === 'boolean')
    return checkField({ ...common, value: (fields ? fields.has(name) : value === true) ? 'yes' : undefined })
  if (options.length > 0) return selectField({ ...common, groups: new Map([['', options]]) })
  const hint = textOf(preset)
  return textField({
    ...common,
    ...(type === 'number' && { type: 'number' as const }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(hint !== '' && { placeholder: hint }),
  })
}

/** What a form says of a setting; null for an empty field, which means the default. */
function valueFrom(setting: Setting, fields: Fields): string | number | boolean | null {
  const text = fields.get(nameOf(setting))
  if (setting.type === 'boolean') return fields.has(nameOf(setting))
  if (text === '') return null
  return setting.type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text
}

const filesOf = (visit: SignedIn, { id, files, shipped }: Theme): Html =>
  html`<section class="panel" aria-labelledby="files">
    <h2 id="files">Files</h2>
    ${shipped && html`<p class="quiet">The files of a theme that comes with Postern can be read. To change them, copy the theme.</p>`}
    <ul class="lines">
      ${files.map(({ file, bytes }) => html`<li><a href="${linkTo(visit.request, filePath(id, file))}">${file}</a><small>${bytes.toLocaleString('en')} bytes</small></li>`)}
    </ul>
    ${
      !shipped &&
      mayRun(visit, write) &&
      html`<details>
        <summary>Add a file</summary>
        ${postForm(visit, {
          path: adminPaths.theme,
          purpose: 'theme',
          hidden: { do: 'write', id },
          body: html`${textField({ name: 'file', label: 'Path', placeholder: 'partials/note.liquid', required: true })}
            ${areaField({ name: 'text', label: 'Text', rows: 8, code: true })}
            <p class="actions"><button>Add the file</button></p>`,
        })}
      </details>`
    }
  </section>`

async function statesOf(visit: SignedIn, id: string): Promise<Html> {
  const { items } = await get(visit, revisions, { id, limit: 20 })
  return html`<details class="panel">
    <summary>Earlier states</summary>
    <ul class="lines">
      ${items.map(
        ({ revision, by, at, action }, place) =>
          html`<li>
            <span>${revision}: ${by}, ${shownTime(visit, at)} <small>${action}</small></span>
            ${
              place > 0 &&
              mayRun(visit, revert) &&
              postForm(visit, {
                path: adminPaths.theme,
                purpose: 'theme',
                hidden: { do: 'revert', id, to: revision },
                body: html`<button>Bring back<span class="unseen"> state ${revision}</span></button>`,
              })
            }
          </li>`,
      )}
    </ul>
  </details>`
}

const here = (id: string, done: string): string => `${themePath(id)}&done=${done}`

const saveSettings: Work = async (visit, fields) => {
  const id = fields.get('id')
  const { item } = await get(visit, themeGet, { id })
  const settings = Object.fromEntries(item.settings.map((setting) => [setting.id, valueFrom(setting, fields)]))
  const { failure } = await run(visit, configure, { id, settings }, sinceShown(fields))
  return failure ? themeReply(visit, id, { failure, fields }) : goTo(visit, here(id, 'saved'))
}

const saveFile: Work = async (visit, fields) => {
  const [id, file] = [fields.get('id'), fields.get('file').trim()]
  const { failure } = await run(visit, write, { id, file, text: fields.get('text') }, sinceShown(fields))
  return failure ? fileReply(visit, id, file, { failure, fields }) : goTo(visit, `${filePath(id, file)}&done=saved`)
}

const removeFile: Work = async (visit, fields) => {
  const [id, file] = [fields.get('id'), fields.get('file')]
  const { failure } = await run(visit, remove, { id, file })
  return failure ? fileReply(visit, id, file, { failure }) : goTo(visit, here(id, 'removed'))
}

const bringBack: Work = async (visit, fields) => {
  const [id, file] = [fields.get('id'), fields.get('file')]
  const { failure } = await run(visit, revert, { id, revision: Number(fields.get('to')), ...(file && { file }) })
  if (failure) return themeReply(visit, id, { failure })
  return goTo(visit, file ? `${filePath(id, file)}&done=reverted` : here(id, 'reverted'))
}

/** POST */
export const takeThemeForm = formTaker('theme', {
  configure: saveSettings,
  write: saveFile,
  remove: removeFile,
  revert: bringBack,
})
