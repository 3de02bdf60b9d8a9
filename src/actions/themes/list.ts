import { Type } from 'typebox'
import { getTheme, listThemes } from '../../themes/theme-store.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { beforeReading, leanItem, leanOf } from './item.ts'

export const list = action('SVC_Themes.list', {
  title: 'List the themes',
  summary: 'Lists the themes, and which of them visitors see.',
  tier: 'read',
  effect: 'read',
  input: closed({}),
  output: Type.Object({ items: Type.Array(leanItem) }),
  examples: [{ title: 'All of them', input: {} }],
  prepare: beforeReading,
  async run({ db }) {
    const found = await listThemes(db)
    return { items: await Promise.all(found.map(async ({ slug, row }) => leanOf(await getTheme(db, slug), row))) }
  },
})
