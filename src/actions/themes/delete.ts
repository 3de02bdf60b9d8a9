import { Type } from 'typebox'
import { Failure } from '../../base/failure.ts'
import { checkOwn, findThemeRow, getTheme, listFileRows } from '../../themes/theme-store.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { adoptThemes } from '../shared/adopt-files.ts'
import { writeProperties } from '../call/write-answer.ts'
import { idProperty, leanItem, leanOf, themeWrite } from './item.ts'

export const deleteTheme = action('SVC_Themes.delete', {
  title: 'Delete [the theme {title}|a theme]',
  summary: 'Deletes a theme that visitors do not see. Undo restores it.',
  did: 'deleted [the theme {title}|a theme]',
  ...themeWrite,
  effect: 'write',
  failures: ['not_found'],
  revisioned: true,
  input: closed({ id: idProperty }),
  output: Type.Object({ item: leanItem, ...writeProperties }),
  examples: [{ title: 'One by its slug', input: { id: 'my-theme' } }],
  prepares: [],
  prepare: async (context) => adoptThemes(context, { always: true }),
  async run({ change, db }, { id }) {
    const theme = await getTheme(db, id)
    checkOwn(theme)
    if (theme.active)
      throw new Failure('refused', `Visitors see the theme ${id}, so it can't be deleted.`, {
        rule: 'the active theme is not deleted',
        hint: 'Activate another theme first: SVC_Themes.activate.',
      })
    const row = await findThemeRow(db, id)
    const item = leanOf(theme, row)
    if (row) await change.remove('theme', row)
    for (const file of await listFileRows(db, id)) await change.remove('theme_file', file)
    return { item, warnings: [], activity_id: null }
  },
})
