import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { getRootFile, itemOf, nameProperty, rootFileItem } from './root-file.ts'

export const files = action('SVC_Site.files', {
  title: 'List root files',
  summary: 'Lists small files at the top of the site, such as ads.txt; with `name`, shows one with its text.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ name: Type.Optional(nameProperty) }),
  output: Type.Object({ items: Type.Array(rootFileItem) }),
  examples: [{ title: 'All of them', input: {} }],
  async run(context, { name }) {
    if (name !== undefined) return { items: [itemOf(context, await getRootFile(context, name), true)] }
    const rows = await context.db.selectFrom('site_file').selectAll().orderBy('path').execute()
    return { items: rows.map((row) => itemOf(context, row, false)) }
  },
})
