import { Type } from 'typebox'
import { notFound } from '../../base/failure.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { findNewestRun, findRun } from '../../imports/behind/runs.ts'
import { action } from '../call/action.ts'
import { reportAnswer, reportProperties } from './report-answer.ts'
import { runItem, runItemOf } from './run-item.ts'

export const get = action('SVC_Import.get', {
  title: 'Read the report of an import',
  summary: 'Shows a run with its report: what came, what was not carried over and why, and links that lead nowhere.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: nonEmptyText('Id of a run, or `latest`.', 26) }),
  output: Type.Object({ item: Type.Object({ ...runItem.properties, ...reportProperties }) }),
  examples: [{ title: 'The newest', input: { id: 'latest' } }],
  async run({ db }, { id }) {
    const row = await (id === 'latest' ? findNewestRun(db) : findRun(db, id))
    if (!row) throw notFound('import', id, 'SVC_Import.list lists them.')
    return { item: { ...runItemOf(row), ...reportAnswer(row) } }
  },
})
