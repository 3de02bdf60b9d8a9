import { Type } from 'typebox'
import { partAround } from '../../themes/search-files.ts'
import { isBinary } from '../../themes/theme-path.ts'
import { getTheme } from '../../themes/theme-store.ts'
import { boundedInteger, closed, flag, nonEmptyText } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { beforeReading, fileProperty } from './item.ts'

export const search = action('SVC_Themes.search', {
  title: 'Search the files of a theme',
  summary: 'Finds the lines of a theme that have a text, such as a colour, a class or a word.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({
    query: nonEmptyText('Exact text, in any letter case.', 200),
    id: Type.Optional(nonEmptyText('Slug of the theme; by default the active one.', 64)),
    file: Type.Optional(Type.String({ ...fileProperty, description: 'Searches only this file.' })),
    base: flag('Also searches the files that come from the base of the theme.'),
    limit: Type.Optional(boundedInteger('The most lines; the default is 20.', 1, 100)),
  }),
  output: Type.Object({
    id: Type.String(),
    items: Type.Array(
      Type.Object({
        file: Type.String(),
        line: Type.Integer({ description: 'SVC_Themes.read takes it as `from`.' }),
        text: Type.String(),
        base: Type.Optional(Type.String({ description: 'The theme from which the file comes.' })),
      }),
    ),
    total: Type.Integer({ description: 'How many lines have the text.' }),
  }),
  examples: [{ title: 'Where a colour is set', input: { query: 'accent', id: 'default', limit: 5 } }],
  prepare: beforeReading,
  async run({ db, site }, { query, id, file: only, base: withBase = false, limit = 20 }) {
    const theme = id === undefined ? await site.themes.active() : await getTheme(db, id)
    const wanted = query.toLowerCase()
    const items: { file: string; line: number; text: string; base?: string }[] = []
    let total = 0
    for (const [file, text] of withBase ? theme.files : theme.own) {
      if (isBinary(file) || (only !== undefined && only !== file)) continue
      const from = theme.base !== undefined && !theme.own.has(file) ? { base: theme.base } : {}
      for (const [place, line] of text.split('\n').entries()) {
        const at = line.toLowerCase().indexOf(wanted)
        if (at < 0) continue
        total++
        if (items.length < limit) items.push({ file, line: place + 1, text: partAround(line, at), ...from })
      }
    }
    return { id: theme.slug, items, total }
  },
})
