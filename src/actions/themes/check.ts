import { Type } from 'typebox'
import { getTheme } from '../../themes/theme-store.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { beforeReading, idProperty, problemsProperty } from './item.ts'

export const check = action('SVC_Themes.check', {
  title: 'Check a theme',
  summary: 'Renders every kind of page in a theme, with entries of the site and with made data, and tells what fails.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({ problems: problemsProperty }),
  examples: [{ title: 'The shipped theme', input: { id: 'default' } }],
  prepare: beforeReading,
  async run({ db, site, origin }, { id }) {
    return { problems: [...(await site.themeCheck(site, await getTheme(db, id), origin))] }
  },
})
