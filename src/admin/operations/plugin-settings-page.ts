// A plugin's settings as a form. A secret is never shown, and an empty field leaves it unchanged.

import { plugins } from '../../actions/plugins/index.ts'
import type { PluginItem, PluginSettingItem } from '../../actions/plugins/item.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain, type PasswordRefused } from '../access/confirm-password.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { goDone } from '../parts/done-notice.ts'
import { checkField, type Field, faultBox, selectField, textField } from '../parts/fields.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { framed } from '../layout.ts'
import { get, run } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'

export async function showPluginSettings(visit: SignedIn): Promise<Reply> {
  const id = visit.request.query.get('id')
  return id === null ? goTo(visit, adminPaths.plugins) : settingsReply(visit, await getShown(visit, id))
}

const getShown = async (visit: SignedIn, id: string): Promise<PluginItem> => (await get(visit, plugins.get, { id })).item

interface View extends Partial<PasswordRefused> {
  readonly fields?: Fields
  readonly failure?: Failure
}

function settingsReply(visit: SignedIn, plugin: PluginItem, view: View = {}): Reply {
  const { fields, failure, passwordFault, headers = {} } = view
  const { id, name, settings } = plugin
  const at = settings.find(({ key }) => failure?.detail.field === `settings.${key}`)
  const { t } = visit
  const title = t('operations.settings_of', { name })
  const body = html`<h1>${title}</h1>
    <section class="card">
      ${faultBox(failure && !at ? sentenceOf(failure, t) : undefined)}
      <form method="post" action="${linkTo(visit.request, adminPaths.configurePlugin)}">
        ${csrfField(visit, 'configure-plugin')}
        <input type="hidden" name="id" value="${id}" />
        ${settings.map((setting) => control(t, setting, fields, setting === at ? failure?.message : undefined))}
        ${passwordAgain(visit, passwordFault)}
        <p class="actions">
          <button class="primary">${t('operations.save')}</button>
          <a class="button" href="${linkTo(visit.request, adminPaths.plugins)}">${t('operations.cancel')}</a>
        </p>
      </form>
    </section>`
  const status = view.status ?? (failure ? formStatus[failure.code] : 200)
  return pageReply(visit, status, framed(visit, { title, body }), { headers })
}

/** The name of the field. Its prefix keeps the names of a plugin's settings apart from other fields. */
const nameOf = (key: string): string => `setting-${key}`

function control(t: Words, setting: PluginSettingItem, fields: Fields | undefined, fault: string | undefined): Html {
  const { key, kind, label, help } = setting
  const value = fields && kind !== 'secret' ? fields.get(nameOf(key)) : shown(setting)
  return controls[kind]({ name: nameOf(key), label, help: help ?? undefined, value, fault }, setting, t)
}

const controls: Readonly<Record<PluginSettingItem['kind'], (field: Field, setting: PluginSettingItem, t: Words) => Html>> = {
  text: (field) => textField(field),
  number: (field) => textField(field),
  boolean: (field) => html`${checkField(field)}${field.help !== undefined && html`<p class="help">${field.help}</p>`}`,
  choice: (field, { options = [] }) =>
    selectField({ ...field, groups: new Map([['', options.map((option) => ({ value: option, label: option }))]]) }),
  secret: secretField,
}

function secretField(field: Field, { value }: PluginSettingItem, t: Words): Html {
  const isSet = value === true
  const help = t.rich(isSet ? 'operations.secret_set' : 'operations.secret_not_set', { help: field.help })
  return html`${textField({ ...field, value: undefined, type: 'password', autocomplete: 'new-password', help })}
  ${isSet && checkField({ name: `${field.name}-clear`, label: t('operations.remove_secret', { label: field.label }), value: undefined })}`
}

function shown({ kind, value }: PluginSettingItem): string {
  if (kind === 'boolean') return value === true ? 'yes' : ''
  return kind === 'secret' || value === null ? '' : String(value)
}

export async function savePluginSettings(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'configure-plugin')
  const plugin = await getShown(visit, fields.get('id'))
  const changed = plugin.settings.flatMap((setting) => changeOf(setting, fields))
  const refused = await confirmPassword(visit, fields)
  if (refused) return settingsReply(visit, plugin, { fields, ...refused })
  if (changed.length > 0) {
    const { failure } = await run(visit, plugins.configure, { id: plugin.id, settings: Object.fromEntries(changed) })
    if (failure) return settingsReply(visit, plugin, { fields, failure })
  }
  return goDone(visit, adminPaths.plugins, plugins.configure)
}

/** Returns the change that a field asks for, if any. An empty field restores the default. */
function changeOf(setting: PluginSettingItem, fields: Fields): readonly (readonly [string, unknown])[] {
  const { key, kind } = setting
  const name = nameOf(key)
  const text = fields.get(name)
  if (kind === 'secret') return fields.has(`${name}-clear`) ? [[key, null]] : text === '' ? [] : [[key, text]]
  if (text === shown(setting)) return []
  if (kind === 'boolean') return [[key, text === 'yes']]
  if (text === '') return [[key, null]]
  const number = Number(text.replace(',', '.'))
  return [[key, kind === 'number' && Number.isFinite(number) ? number : text]]
}
