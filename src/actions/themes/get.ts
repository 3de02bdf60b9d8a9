import { Type } from 'typebox'
import { findThemeRow, getTheme, listFileRows } from '../../themes/theme-store.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { beforeReading, idProperty, wholeItem, wholeOf } from './item.ts'

export const get = action('SVC_Themes.get', {
  title: 'Show a theme',
  summary: 'Shows a theme: its files, its settings with their values, and where it shows menus.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({ item: wholeItem }),
  examples: [{ title: 'The shipped theme', input: { id: 'default' } }],
  prepare: beforeReading,
  async run({ db }, { id }) {
    const theme = await getTheme(db, id)
    const rows = theme.shipped ? [] : await listFileRows(db, id)
    const revisions = new Map(rows.map(({ path, revision }) => [path, revision]))
    return { item: wholeOf(theme, await findThemeRow(db, id), revisions) }
  },
})
