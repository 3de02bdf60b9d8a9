// The settings of a theme in a form.

import type { ThemeSettingValue } from '../../themes/manifest.ts'
import type { Fields } from '../form.ts'

interface NamedSetting {
  readonly id: string
  readonly type: string
}

/** The name of a setting in the form. */
export const settingName = ({ id }: NamedSetting): string => `setting-${id}`

/** The value of a setting in a form; null for an empty field, which means the default. */
function valueFrom(setting: NamedSetting, fields: Fields): ThemeSettingValue {
  const text = fields.get(settingName(setting))
  if (setting.type === 'boolean') return fields.has(settingName(setting))
  if (text === '') return null
  return setting.type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** The values of all settings in a form. */
export const settingsIn = (settings: readonly NamedSetting[], fields: Fields): Record<string, ThemeSettingValue> =>
  Object.fromEntries(settings.map((setting) => [setting.id, valueFrom(setting, fields)]))
