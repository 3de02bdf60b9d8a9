import { Failure } from '../../base/failure.ts'
import { findActive, findThemeRow, getTheme } from '../../themes/theme-store.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { adoptThemes } from '../shared/adopt-files.ts'
import { checkChange, rowToWrite } from './changing.ts'
import { idProperty, writeOutput, wrote, themeWrite } from './item.ts'

export const activate = action('SVC_Themes.activate', {
  title: 'Activate [the theme {title}|a theme]',
  summary: 'Shows visitors the site in a theme. Every kind of page is rendered first.',
  did: 'activated [the theme {title}|a theme]',
  ...themeWrite,
  effect: 'write',
  failures: ['not_found', 'unprocessable', 'conflict'],
  input: closed({ id: idProperty }),
  output: writeOutput,
  examples: [{ title: 'A theme of the owner', input: { id: 'my-theme' } }],
  async prepare(context, { id }) {
    await adoptThemes(context, { always: true })
    return checkChange(context, await getTheme(context.db, id), { active: true })
  },
  async run(context, { id }, prepared) {
    const { change, db } = context
    const theme = await getTheme(db, id)
    if (prepared && theme.source.version !== prepared.version)
      throw new Failure('conflict', 'Another writer changed this theme at the same moment: repeat the call.', { id })
    const before = await findActive(db)
    const changed = before === id ? [] : ['active']
    if (before !== id) {
      const last = await findThemeRow(db, before)
      if (last) await change.update('theme', last, { active: 0 })
      await change.update('theme', await rowToWrite(context, id), { active: 1 })
    }
    return wrote(db, id, changed)
  },
})
