// One theme: its settings, its problems, its files and its earlier states.

import { themes } from '../../actions/classes/svc-themes/index.ts'
import type { AnswerOf } from '../../actions/call-action.ts'
import { html, type Html, type HtmlValue, raw } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import { type Fields, numberIn } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { areaField, checkField, faultBox, selectField, textField } from '../parts/fields.ts'
import { faultsOf, formTaker, postForm, sinceShown, type Work } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'
import { fileReply, filePath } from './theme-file-page.ts'
import { previewForm, themeName, themePath } from './themes-page.ts'

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

type Theme = AnswerOf<typeof themes.get.output>['item']
type Setting = Theme['settings'][number]

/** GET; `id` names the theme, `file` one of its files. */
export function showTheme(visit: SignedIn): Promise<Reply> {
  const { query } = visit.request
  const [id, file] = [query.get('id') ?? '', query.get('file')]
  return file === null ? themeReply(visit, id) : fileReply(visit, id, file)
}

async function themeReply(visit: SignedIn, id: string, { failure, fields }: View = {}): Promise<Reply> {
  const { t } = visit
  const { item } = await get(visit, themes.get, { id })
  const title = themeName(visit, item)
  const names = [...item.settings.map((setting) => `settings.${setting.id}`), 'file']
  const filled = (work: string) => (fields?.get('do') === work ? fields : undefined)
  const faults = faultsOf(t, failure, names)
  const body = html`${pageHead(
    title,
    t(item.active ? 'appearance.is_active' : 'appearance.is_not_active'),
    html`${previewForm(visit, id)}
      <a class="button" href="${linkTo(visit.request, adminPaths.themes)}">${t('appearance.all')}</a>`,
  )}
  ${faultBox(faults.all)} ${await problemsOf(visit, id)}
  ${item.settings.length > 0 && mayRun(visit, themes.configure) && settingsForm(visit, item, filled('configure'), faults.at)}
  ${filesOf(visit, item, filled('write'), faults.at('file'))} ${!item.shipped && (await statesOf(visit, id))}
  ${
    !item.shipped &&
    !item.active &&
    mayRun(visit, themes.delete) &&
    removalForm(visit, {
      verb: t('appearance.delete'),
      id,
      name: title,
      consequence: t('appearance.delete_help', { count: item.files.filter(({ base }) => base === undefined).length }),
      path: adminPaths.themes,
      purpose: 'themes',
      more: html`<input type="hidden" name="do" value="delete" />`,
    })
  }`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title, body }))
}

async function problemsOf(visit: SignedIn, id: string): Promise<HtmlValue> {
  const { problems } = await get(visit, themes.check, { id })
  return (
    problems.length > 0 &&
    html`<section class="panel attention" aria-labelledby="problems">
      <h2 id="problems">${visit.t('appearance.problems')}</h2>
      <ul>
        ${problems.map(
          ({ file, line, message }) =>
            html`<li>
              ${
                file === null
                  ? message
                  : visit.t.rich(line === null ? 'appearance.problem_in_file' : 'appearance.problem_at_line', {
                      file: html`<a href="${linkTo(visit.request, filePath(id, file))}">${file}</a>`,
                      line: String(line),
                      message,
                    })
              }
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
    <h2 id="settings">${visit.t('appearance.settings')}</h2>
    ${postForm(visit, {
      path: adminPaths.theme,
      purpose: 'theme',
      hidden: { do: 'configure', id: item.id, revision: item.revision },
      body: html`${groups.map(
          (group) =>
            html`<fieldset>
              ${group !== '' && html`<legend>${group}</legend>`}
              ${item.settings.filter((one) => (one.group ?? '') === group).map((one) => control(visit.t, one, fields, fault(`settings.${one.id}`)))}
            </fieldset>`,
        )}
        <p class="actions"><button class="primary">${visit.t('appearance.save_settings')}</button></p>`,
    })}
  </section>`
}

const nameOf = ({ id }: Setting): string => `setting-${id}`
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function control(t: Words, setting: Setting, fields: Fields | undefined, fault: string | undefined): Html {
  const { type, label, options = [], min, max, value, default: preset } = setting
  const name = nameOf(setting)
  const help = setting.help ?? (type === 'image' ? t('appearance.picture_help') : undefined)
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

/** Returns the value of a setting from a form; null for an empty field, which means the default. */
function valueFrom(setting: Setting, fields: Fields): string | number | boolean | null {
  const text = fields.get(nameOf(setting))
  if (setting.type === 'boolean') return fields.has(nameOf(setting))
  if (text === '') return null
  return setting.type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text
}

const filesOf = (visit: SignedIn, { id, files, shipped }: Theme, filled: Fields | undefined, fault: string | undefined): Html =>
  html`<section class="panel" aria-labelledby="files">
    <h2 id="files">${visit.t('appearance.files')}</h2>
    ${shipped && html`<p class="quiet">${visit.t('appearance.files_shipped')}</p>`}
    <ul class="lines">
      ${files.map(({ file, bytes, base }) => html`<li><a href="${linkTo(visit.request, filePath(id, file))}">${file}</a><small>${visit.t('appearance.bytes', { count: bytes })}${base !== undefined && html`, ${visit.t('appearance.from_base', { base })}`}</small></li>`)}
    </ul>
    ${
      !shipped &&
      mayRun(visit, themes.write) &&
      html`<details ${filled ? raw('open') : ''}>
        <summary>${visit.t('appearance.add_file')}</summary>
        ${postForm(visit, {
          path: adminPaths.theme,
          purpose: 'theme',
          hidden: { do: 'write', id },
          body: html`${textField({ name: 'file', label: visit.t('appearance.path'), value: filled?.get('file'), placeholder: 'partials/note.liquid', required: true, fault })}
            ${areaField({ name: 'text', label: visit.t('appearance.text'), value: filled?.get('text'), rows: 8, code: true })}
            <p class="actions"><button>${visit.t('appearance.add_this_file')}</button></p>`,
        })}
      </details>`
    }
  </section>`

async function statesOf(visit: SignedIn, id: string): Promise<Html> {
  const { t } = visit
  const { items } = await get(visit, themes.revisions, { id, limit: 20 })
  return html`<details class="panel">
    <summary>${t('appearance.earlier_states')}</summary>
    <ul class="lines">
      ${items.map(
        ({ revision, by, at, action }, place) =>
          html`<li>
            <span>
              ${t.rich('appearance.revision_line', { revision: String(revision), by, at: shownTime(visit, at) })}
              <small>${action}</small></span
            >
            ${
              place > 0 &&
              mayRun(visit, themes.revert) &&
              postForm(visit, {
                path: adminPaths.theme,
                purpose: 'theme',
                hidden: { do: 'revert', id, to: revision },
                body: html`<button>
                  ${t('appearance.bring_back')}<span class="unseen"
                    >: ${t('appearance.state', { revision: String(revision) })}</span
                  >
                </button>`,
              })
            }
          </li>`,
      )}
    </ul>
  </details>`
}

const saveSettings: Work = async (visit, fields) => {
  const id = fields.get('id')
  const { item } = await get(visit, themes.get, { id })
  const settings = Object.fromEntries(item.settings.map((setting) => [setting.id, valueFrom(setting, fields)]))
  const { failure } = await run(visit, themes.configure, { id, settings }, sinceShown(fields))
  return failure ? themeReply(visit, id, { failure, fields }) : goDone(visit, themePath(id), themes.configure)
}

const saveFile: Work = async (visit, fields) => {
  const [id, file] = [fields.get('id'), fields.get('file').trim()]
  const { failure } = await run(visit, themes.write, { id, file, text: fields.get('text') }, sinceShown(fields))
  if (!failure) return goDone(visit, filePath(id, file), themes.write)
  // The form of a new file is on the page of the theme.
  return fields.has('revision') ? fileReply(visit, id, file, { failure, fields }) : themeReply(visit, id, { failure, fields })
}

const removeFile: Work = async (visit, fields) => {
  const [id, file] = [fields.get('id'), fields.get('file')]
  const { failure } = await run(visit, themes.remove, { id, file })
  return failure ? fileReply(visit, id, file, { failure }) : goDone(visit, themePath(id), 'appearance.done_file_removed')
}

const bringBack: Work = async (visit, fields) => {
  const [id, file] = [fields.get('id'), fields.get('file')]
  const { failure } = await run(visit, themes.revert, { id, revision: numberIn(fields.get('to')), ...(file && { file }) })
  if (failure) return themeReply(visit, id, { failure })
  return file
    ? goDone(visit, filePath(id, file), 'appearance.done_file_reverted')
    : goDone(visit, themePath(id), 'appearance.done_theme_reverted')
}

export const takeThemeForm = formTaker('theme', {
  configure: saveSettings,
  write: saveFile,
  remove: removeFile,
  revert: bringBack,
})
