import { Type } from 'typebox'
import { notFound } from '../../base/failure.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { oldAddressFile, oldAddressId } from '../../imports/behind/old-address-list.ts'
import { findNewestRun, findRun } from '../../imports/behind/runs.ts'
import { findStaged } from '../../imports/staged-imports.ts'
import type { ImportRunRow } from '../../store/core/schema.ts'
import { signedMs, signedPath } from '../../media/signed-address.ts'
import { action } from '../call/action.ts'
import { reportAnswer, reportProperties } from './report-answer.ts'
import { nullable } from '../call/write-answer.ts'
import { runItem, runItemOf, undoneRuns } from './run-item.ts'

export const get = action('SVC_Import.get', {
  title: 'Read the report of an import',
  summary: 'Shows a run with its report: what came, what was not carried over and why, and links that lead nowhere.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: nonEmptyText('Id of a run, or `latest`.', 26) }),
  output: Type.Object({
    item: Type.Object({
      ...runItem.properties,
      ...reportProperties,
      again: nullable(
        Type.Object({}, { additionalProperties: true }),
        'Arguments of SVC_Import.run that try again what did not come, such as pictures; null once the file is deleted.',
      ),
      addresses_url: Type.String({
        description: 'For an hour: every old address and its new one as CSV, `from,to,kind,state`. Works without a token.',
      }),
    }),
  }),
  examples: [{ title: 'The newest', input: { id: 'latest' } }],
  async run({ db, site, caller, origin, now }, { id }) {
    const row = await (id === 'latest' ? findNewestRun(db) : findRun(db, id))
    if (!row) throw notFound('import', id, 'SVC_Import.list lists them.')
    const path = signedPath(site.key, { id: oldAddressId(row.id), filename: oldAddressFile }, now + signedMs, caller)
    const again = await argumentsOf(site.config.POSTERN_HOME, row)
    return { item: { ...runItemOf(row, await undoneRuns(db, [row])), ...reportAnswer(row), again, addresses_url: origin + path } }
  },
})

async function argumentsOf(home: string, { options }: ImportRunRow): Promise<Record<string, unknown> | null> {
  const given = JSON.parse(options) as Record<string, unknown>
  return typeof given['file'] === 'string' && (await findStaged(home, given['file'])) ? given : null
}
