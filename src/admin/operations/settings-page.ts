// Site Settings: the table of settings as one form. The table defines the valid values; this page only shows and sends them.

import { settings } from '../../actions/settings/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { definitionOf, type SettingKey, settingKeys, type SettingKind } from '../../settings/definitions.ts'
import { goDone } from '../parts/done-notice.ts'
import { areaField, type Field, selectField, textField } from '../parts/fields.ts'
import { type Fields } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { notYours, run } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageHead } from '../parts/table.ts'
import { exactTime } from '../parts/time.ts'
import { partOfSetting, settingChoices, type SettingPart, settingParts } from './setting-words.ts'
import { zones } from './zones.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'
import { panel } from '../parts/panel.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { formTaker, postForm, type Work } from '../parts/post-form.ts'

export function showSettings(visit: SignedIn): Reply {
  if (!mayRun(visit, settings.update)) throw notYours(visit)
  return settingsReply(visit)
}

function settingsReply(visit: SignedIn, refused: Refused = {}): Reply {
  const { request, site, t } = visit
  const { fields, failure } = refused
  const keys = settingKeys(site.release)
  const at = keys.find((key) => failure?.detail.field === `set.${key}`)
  const groups = settingParts.map((part) =>
    groupOf(t, part, keys, (key) => fieldOf(visit, key, fields, key === at ? failure : undefined)),
  )
  const lead = t.rich('operations.settings_lead', {
    link: html`<a href="${linkTo(request, adminPaths.maintenance)}">${t('operations.maintenance')}</a>`,
  })
  const body = html`${pageHead(t('operations.site_settings'), lead)}
  ${postForm(visit, {
    path: adminPaths.settings,
    purpose: 'settings',
    body: html`${groups}
      <p class="actions"><button class="primary">${t('operations.save')}</button></p>`,
  })}`
  return framedReply(visit, { title: t('operations.site_settings'), body }, refused)
}

function groupOf(t: Words, part: SettingPart, keys: readonly SettingKey[], toField: (key: SettingKey) => Html): HtmlValue {
  const own = keys.filter((key) => partOfSetting[key] === part)
  return own.length > 0 && panel(`g-${part}`, t(`operations.part_${part}`), own.map(toField))
}

function fieldOf(visit: SignedIn, key: SettingKey, fields: Fields | undefined, failure: Failure | undefined): Html {
  const { t } = visit
  const { kind } = definitionOf(key)
  const help = t(`operations.${key}_help`)
  const expected = failure?.detail.expected
  const field: Field = {
    name: key,
    label: t(`operations.${key}`),
    value: fields ? fields.get(key) : shown(visit, key),
    help:
      key === 'time_zone'
        ? t.rich('operations.now_is', { help, time: exactTime(visit, new Date(visit.now).toISOString()) })
        : help,
    fault: typeof expected === 'string' ? t('operations.must_be', { expected }) : failure?.message,
  }
  if (key === 'time_zone') return selectField({ ...field, groups: zones(field.value) })
  const few = settingChoices[key] ?? (kind === 'boolean' ? yesOrNo : undefined)
  if (!few) return controls[kind](field)
  return selectField({ ...field, choices: few.map((choice) => ({ ...choice, label: t(choice.label) })) })
}

const controls: Readonly<Record<SettingKind, (field: Field) => Html>> = {
  text: textField,
  choice: textField,
  entry: (field) => textField({ ...field, placeholder: '/about' }),
  number: (field) => textField({ ...field, type: 'number' }),
  long_text: (field) => areaField({ ...field, rows: 6 }),
  boolean: textField,
  list: (field) => areaField({ ...field, rows: 3 }),
}

const yesOrNo = [
  { value: 'false', label: 'operations.no' },
  { value: 'true', label: 'operations.yes' },
] as const

function shown({ site }: SignedIn, key: SettingKey): string {
  const value: unknown = site.settings.values[key]
  return Array.isArray(value)
    ? value.join('\n')
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''
}

const save: Work = async (visit, fields) => {
  if (!mayRun(visit, settings.update)) throw notYours(visit)
  const changed = settingKeys(visit.site.release).filter((key) => fields.has(key) && fields.get(key).trim() !== shown(visit, key))
  if (changed.length === 0) return goDone(visit, adminPaths.settings, 'operations.done_saved')
  const set = Object.fromEntries(changed.map((key) => [key, valueOf(key, fields.get(key).trim())]))
  const { failure } = await run(visit, settings.update, { set })
  return failure ?? goDone(visit, adminPaths.settings, 'operations.done_saved')
}

export const saveSettings = formTaker('settings', save, settingsReply)

/** Returns the value of a field for the action. An empty field restores the default. */
function valueOf(key: SettingKey, text: string): unknown {
  if (text === '') return null
  const { kind } = definitionOf(key)
  if (kind === 'number' && /^-?\d+$/.test(text)) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return kind === 'list' ? text.split(/[\s,]+/) : text
}
