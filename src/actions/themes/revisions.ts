import { Type } from 'typebox'
import { getTheme } from '../../themes/theme-store.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { listAnswer, listOutput } from '../lists/list.ts'
import {
  listRevisions,
  revisionColumns,
  revisionListProperties,
  revisionProperties,
  toRevision,
} from '../shared/revision-list.ts'
import { findRevisionMakers } from '../shared/revision-makers.ts'
import { beforeReading, idProperty } from './item.ts'
import { fileOption } from './earlier.ts'

export const revisions = action('SVC_Themes.revisions', {
  title: 'List the revisions of a theme',
  summary: 'Lists the earlier states of a theme, or of one of its files.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty, file: fileOption, ...revisionListProperties }),
  output: listOutput(Type.Object(revisionProperties)),
  examples: [
    { title: 'The states of a theme', input: { id: 'my-theme' } },
    { title: 'The revisions of its layout', input: { id: 'my-theme', file: 'layout.liquid', limit: 5 } },
  ],
  prepare: beforeReading,
  async run(context, { id, file, ...input }) {
    await getTheme(context.db, id)
    const object = file === undefined ? id : `${id}/${file}`
    const page = await listRevisions(context, 'theme_revision', revisionColumns, object, input)
    const makerOf = await findRevisionMakers(context, object, page.rows)
    return listAnswer(context, page, (row) => toRevision(row, makerOf(row)))
  },
})
