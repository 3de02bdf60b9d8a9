// A plugin's settings as a form. A secret is never shown, and an empty field leaves it unchanged.

import { plugins } from '../../actions/plugins/index.ts'
import type { PluginItem, PluginSettingItem } from '../../actions/plugins/item.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { passwordAgain, provenTaker } from '../access/confirm-password.ts'
import { goDone } from '../parts/done-notice.ts'
import { checkField, type Field, selectField, textField } from '../parts/fields.ts'
import { type Fields } from '../form.ts'
import { get, run } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { postForm, type Work } from '../parts/post-form.ts'

export async function showPluginSettings(visit: SignedIn): Promise<Reply> {
  const id = visit.request.query.get('id')
  return id === null ? goTo(visit, adminPaths.plugins) : settingsReply(visit, await getShown(visit, id))
}

const getShown = async (visit: SignedIn, id: string): Promise<PluginItem> => (await get(visit, plugins.get, { id })).item

function settingsReply(visit: SignedIn, plugin: PluginItem, refused: Refused = {}): Reply {
  const { fields, failure, passwordFault } = refused
  const { id, name, settings } = plugin
  const at = settings.find(({ key }) => failure?.detail.field === `settings.${key}`)
  const { t } = visit
  const title = t('operations.settings_of', { name })
  const body = html`<h1>${title}</h1>
    <section class="card">
      ${postForm(visit, {
        path: adminPaths.configurePlugin,
        purpose: 'configure-plugin',
        hidden: { id },
        body: html`${settings.map((setting) => control(t, setting, fields, setting === at && failure ? t.said(failure.message) : undefined))}
          ${passwordAgain(visit, passwordFault)}
          <p class="actions">
            <button class="primary">${t('operations.save')}</button>
            <a class="button" href="${linkTo(visit.request, adminPaths.plugins)}">${t('operations.cancel')}</a>
          </p>`,
      })}
    </section>`
  return framedReply(visit, { title, body }, refused)
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
    selectField({ ...field, choices: options.map((option) => ({ value: option, label: option })) }),
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

const save: Work = async (visit, fields) => {
  const { id, settings } = await getShown(visit, fields.get('id'))
  const changed = settings.flatMap((setting) => changeOf(setting, fields))
  const { failure } = changed.length > 0 ? await run(visit, plugins.configure, { id, settings: Object.fromEntries(changed) }) : {}
  return failure ?? goDone(visit, adminPaths.plugins, plugins.configure)
}

export const savePluginSettings = provenTaker('configure-plugin', save, async (visit, refused) =>
  settingsReply(visit, await getShown(visit, refused.fields.get('id')), refused),
)

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
