import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { getRootFile, itemOf, nameProperty, rootFileItem } from './root-file.ts'

export const removeFile = action('SVC_Site.remove-file', {
  title: 'Delete [the root file {title}|a root file]',
  summary: 'Deletes a root file.',
  did: 'deleted [the root file {title}|a root file]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found'],
  touches: 'unlimited',
  revisioned: true,
  input: closed({ name: nameProperty }),
  output: Type.Object({ item: rootFileItem, ...writeProperties }),
  examples: [{ title: 'One by its name', input: { name: 'ads.txt' } }],
  async run(context, { name }) {
    const row = await getRootFile(context, name)
    await context.change.remove('site_file', row)
    return { item: itemOf(context, row, false), warnings: [], activity_id: null }
  },
})
