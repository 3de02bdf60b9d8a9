import { Type } from 'typebox'
import { getTheme } from '../../themes/theme-store.ts'
import { closed } from '../../base/schema.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { faultOfValue, type ThemeSettingValue } from '../../themes/manifest.ts'
import type { Theme } from '../../themes/theme.ts'
import { action } from '../call/action.ts'
import { adoptThemes } from '../shared/adopt-files.ts'
import { nearest } from '../../base/nearest.ts'
import { checkChange, rowToWrite } from './changing.ts'
import { idProperty, renderedWrite, wrote } from './item.ts'

const value = Type.Union([Type.String({ maxLength: 2000 }), Type.Number(), Type.Boolean(), Type.Null()])

export const configure = action('SVC_Themes.configure', {
  title: 'Change the settings of [the theme {title}|a theme]',
  summary: "Changes the values of a theme's settings. Null restores a default.",
  did: 'changed the settings of [the theme {title}|a theme]',
  ...renderedWrite,
  effect: 'write',
  input: closed({
    id: idProperty,
    settings: Type.Record(Type.String({ maxLength: 100 }), value, {
      description: 'New values by the id of the setting, as SVC_Themes.get shows them.',
      minProperties: 1,
      maxProperties: 100,
    }),
  }),
  examples: [{ title: 'Words in the footer', input: { id: 'default', settings: { footer_text: 'Open till late' } } }],
  async prepare(context, { id, settings }) {
    await adoptThemes(context, { always: true })
    const theme = await getTheme(context.db, id)
    return checkChange(context, theme, { chosen: chosenAfter(theme, settings) })
  },
  async run(context, { id, settings }, prepared) {
    const theme = await getTheme(context.db, id)
    const chosen = chosenAfter(theme, settings)
    const changed = Object.keys(settings).filter((key) => chosen[key] !== theme.chosen[key])
    if (changed.length > 0)
      await context.change.update('theme', await rowToWrite(context, id), { settings: JSON.stringify(chosen) })
    return wrote(context.db, id, changed, { problems: prepared?.problems ?? [] })
  },
})

/**
 * The values that an owner has set, after a change.
 * @throws Failure `invalid` for an unknown setting, or a value of the wrong type
 */
export function chosenAfter({ manifest, chosen, slug }: Theme, given: Readonly<Record<string, ThemeSettingValue>>) {
  const next: Record<string, unknown> = { ...chosen }
  for (const [id, one] of Object.entries(given)) {
    const setting = manifest.settings.find((other) => other.id === id)
    const ids = manifest.settings.map((other) => other.id)
    if (!setting) {
      const near = nearest(id, ids)
      throw new Failure('invalid', `The theme ${slug} has no setting ${JSON.stringify(id.slice(0, 100).toWellFormed())}.`, {
        field: `settings.${id}`.slice(0, 200),
        expected: `one of ${ids.join(', ')}`,
        ...(near.length > 0 ? { nearest: near } : {}),
      })
    }
    const fault = one === null ? undefined : faultOfValue(setting, one)
    if (fault !== undefined) throw invalid(`settings.${id}`, `"settings.${id}" must be ${fault}.`, fault)
    if (one === null) delete next[id]
    else next[id] = one
  }
  return next
}
