import { Type } from 'typebox'
import { findThemeRow, getTheme, listFileRows } from '../../themes/theme-store.ts'
import { closed, flag } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { beforeReading, changedOf, idProperty, wholeItem, wholeOf } from './item.ts'

export const get = action('SVC_Themes.get', {
  title: 'Show a theme',
  summary: 'Shows a theme: what was changed of its files and settings, and where it shows menus; with `full` all of them.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty, full: flag('Shows every file, and every setting with its words and choices.') }),
  output: Type.Object({ item: wholeItem }),
  examples: [
    { title: 'The shipped theme', input: { id: 'default' } },
    { title: 'All of it', input: { id: 'default', full: true } },
  ],
  prepare: beforeReading,
  async run({ db, site }, { id, full = site.release.catalogue === 'long' }) {
    const theme = await getTheme(db, id)
    const rows = theme.shipped ? [] : await listFileRows(db, id)
    const revisions = new Map(rows.map(({ path, revision }) => [path, revision]))
    const item = wholeOf(theme, await findThemeRow(db, id), revisions)
    return { item: full ? item : changedOf(theme, item) }
  },
})
