// One theme: its settings beside the site, and its problems.

import { themes } from '../../actions/themes/index.ts'
import type { AnswerOf } from '../../actions/call/call-action.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { type Fields, numberIn } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { checkField, selectField, textField } from '../parts/fields.ts'
import { doing, onItem } from '../parts/form-input.ts'
import { panel } from '../parts/panel.ts'
import { faultsOf, formTaker, postForm, sinceShown, type Work } from '../parts/post-form.ts'
import { type PictureField, pictureFields } from '../parts/picture-field.ts'
import { removalForm } from '../parts/removal-form.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { readableColour } from '../../themes/readable-colour.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'
import { lookScript, pictureScript } from '../script.ts'
import { lookOf } from './look.ts'
import { picturedField } from './pictured-choices.ts'
import { settingName, settingsIn } from './theme-settings.ts'
import { themeWord } from './theme-words.ts'
import { fileReply, filePath } from './theme-file-page.ts'
import { filesPath, filesReply } from './theme-files-page.ts'
import { previewForm, themeName, themePath } from './themes-page.ts'

type Theme = AnswerOf<typeof themes.get.output>['item']
type Setting = Theme['settings'][number]

/** GET; `id` names the theme, `file` one of its files. */
export function showTheme(visit: SignedIn): Promise<Reply> {
  const { query } = visit.request
  const [id, file] = [query.get('id') ?? '', query.get('file')]
  return file === null ? themeReply(visit, id) : fileReply(visit, id, file)
}

async function themeReply(visit: SignedIn, id: string, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { item } = await get(visit, themes.get, { id, full: true })
  const title = themeName(visit, item)
  const mayConfigure = item.settings.length > 0 && mayRun(visit, themes.configure)
  const body = html`${pageHead(
    title,
    t(item.active ? 'appearance.is_active' : 'appearance.is_not_active'),
    html`${previewForm(visit, id)} ${linkButton(visit, adminPaths.themes, 'appearance.all')}`,
  )}
  ${await problemsOf(visit, id)} ${mayConfigure && (await settingsForm(visit, item, refused))}
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
      does: 'delete',
    })
  }
  ${forCode(visit, item)}`
  return framedReply(visit, { title, body, kind: 'full', scripts: [lookScript, pictureScript] }, refused, { frames: true })
}

/** The way to the files, below what owners without code need. */
const forCode = ({ request, t }: SignedIn, { id, files }: Theme): Html =>
  panel(
    'for-code',
    t('appearance.for_code'),
    html`<p>${t('appearance.for_code_help')}</p>
      <p class="actions">
        <a class="button" href="${linkTo(request, filesPath(id))}">${t('appearance.files_count', { count: files.length })}</a>
      </p>`,
  )

async function problemsOf(visit: SignedIn, id: string): Promise<HtmlValue> {
  const { problems } = await get(visit, themes.check, { id })
  const line = ({ file, line: at, message }: (typeof problems)[number]): HtmlValue => {
    if (file === null) return message
    const link = html`<a href="${linkTo(visit.request, filePath(id, file))}">${file}</a>`
    const key = at === null ? 'appearance.problem_in_file' : 'appearance.problem_at_line'
    return visit.t.rich(key, { file: link, line: String(at), message })
  }
  const list = html`<ul>
    ${problems.map((one) => html`<li>${line(one)}</li>`)}
  </ul>`
  return problems.length > 0 && panel('problems', visit.t('appearance.problems'), list, 'panel attention')
}

/** The help of a setting. For a colour in which text could not be read, it names the ones that take its place. */
function helpOf(t: Words, { type, help, value }: Setting): string | undefined {
  const given = help === undefined ? undefined : themeWord(t, help)
  if (type !== 'color' || typeof value !== 'string') return given
  const [light, dark] = [readableColour(value, 'light'), readableColour(value, 'dark')]
  if (light === value && dark === value) return given
  return [given, t('appearance.colour_made_readable', { light, dark })].filter(Boolean).join(' ')
}

/** The settings in their groups, each with the control of its type. */
async function settingsForm(visit: SignedIn, item: Theme, refused: Refused): Promise<Html> {
  const { t } = visit
  const groups = [...new Set(item.settings.map(({ group = '' }) => group))]
  const fields = refused.fields?.get('do') === 'configure' ? refused.fields : undefined
  const faults = faultsOf(
    t,
    fields && refused.failure,
    item.settings.map(({ id }) => `settings.${id}`),
  )
  const own = item.settings.find(({ id }) => id === 'accent')
  const accent = textOf(own && (fields?.get(settingName(own)) || own.value))
  const picture = item.settings.some(({ type }) => type === 'image') ? await pictureFields(visit) : undefined
  const markup = await Promise.all(
    item.settings.map((one) => control(t, one, { fields, fault: faults.at(`settings.${one.id}`), accent, picture })),
  )
  const controls = (group: string) => markup.filter((_one, at) => (item.settings[at]?.group ?? '') === group)
  const form = postForm(visit, {
    path: adminPaths.theme,
    hidden: { do: 'configure', id: item.id, revision: item.revision },
    body: html`${groups.map(
        (group) => html`<fieldset>${group !== '' && html`<legend>${themeWord(t, group)}</legend>`} ${controls(group)}</fieldset>`,
      )}
      <p class="actions"><button class="primary">${t('appearance.save_settings')}</button></p>`,
  })
  const frame = html`<iframe
    class="look"
    title="${t('appearance.look')}"
    src="${lookOf(visit, item.id)}"
    sandbox=""
    data-look="${linkTo(visit.request, adminPaths.lookTheme)}"
  ></iframe>`
  const ofSite = html`<a href="${linkTo(visit.request, adminPaths.settings)}">${t('appearance.site_settings')}</a>`
  const lead = html`<p class="help">${t.rich('appearance.settings_lead', { settings: ofSite })}</p>`
  return html`<div class="with-look">${panel('settings', t('appearance.settings'), html`${lead} ${form}`)} ${frame}</div>`
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

interface ControlFacts {
  readonly fields: Fields | undefined
  readonly fault: string | undefined
  /** The owner's own colour, for the pictures of colours. */
  readonly accent: string
  /** Undefined for a theme without pictures among its settings. */
  readonly picture: PictureField | undefined
}

async function control(t: Words, setting: Setting, { fields, fault, accent, picture }: ControlFacts): Promise<Html> {
  const { id, type, label, options = [], min, max, value, default: preset } = setting
  const name = settingName(setting)
  const help = helpOf(t, setting)
  const choices = options.map((option) => ({ ...option, label: themeWord(t, option.label) }))
  const common = { name, label: themeWord(t, label), value: fields ? fields.get(name) : textOf(value), help, fault }
  if (type === 'image' && picture) return picture(common)
  if (type === 'boolean')
    return checkField({ ...common, value: (fields ? fields.has(name) : value === true) ? 'yes' : undefined })
  if (options.length > 0)
    return picturedField({ ...common, options: choices }, { id, accent }) ?? selectField({ ...common, choices })
  const hint = textOf(preset)
  return textField({
    ...common,
    ...(type === 'number' && { type: 'number' as const }),
    ...(type === 'color' && /^#[0-9a-f]{6}$/i.test(common.value) && { type: 'color' as const }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(hint !== '' && { placeholder: hint }),
  })
}

const saveSettings: Work = async (visit, fields) => {
  const id = fields.get('id')
  const { item } = await get(visit, themes.get, { id, full: true })
  const settings = settingsIn(item.settings, fields)
  const { failure } = await run(visit, themes.configure, { id, settings }, sinceShown(fields))
  return failure ?? goDone(visit, themePath(id), themes.configure)
}

const saveFile = doing(
  themes.write,
  (fields) => ({ id: fields.get('id'), file: fields.get('file').trim(), text: fields.get('text') }),
  (visit, _data, fields) => goDone(visit, filePath(fields.get('id'), fields.get('file').trim()), themes.write),
)

const removeFile = onItem(
  themes.remove,
  (visit, _data, fields) => goDone(visit, filesPath(fields.get('id')), 'appearance.done_file_removed'),
  (fields) => ({ file: fields.get('file') }),
)

const revert: Work = async (visit, fields) => {
  const [id, file] = [fields.get('id'), fields.get('file')]
  const { failure } = await run(visit, themes.revert, { id, revision: numberIn(fields.get('to')), ...(file && { file }) })
  if (failure) return failure
  return file
    ? goDone(visit, filePath(id, file), 'appearance.done_file_reverted')
    : goDone(visit, filesPath(id), 'appearance.done_theme_reverted')
}

const works = { configure: saveSettings, write: saveFile, remove: removeFile, revert }

/** Shows the page of a refused form. The forms of the page of a file have a revision, or remove the file. */
export const takeThemeForm = formTaker(adminPaths.theme, works, (visit, refused) => {
  const { fields } = refused
  const [id, does] = [fields.get('id'), fields.get('do')]
  const isOfFile = fields.has('revision') ? does === 'write' : does === 'remove'
  if (isOfFile) return fileReply(visit, id, fields.get('file').trim(), refused)
  return does === 'configure' ? themeReply(visit, id, refused) : filesReply(visit, id, refused)
})
