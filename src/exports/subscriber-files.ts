// The subscribers of the newsletter as a table, as the rows that SVC_Import.put-people takes. They are addresses of people, so only
// the export of a whole site has them, which is for admins.

import { csvLine } from '../base/csv.ts'
import { formatDate, formatDateOrNull } from '../settings/time-zone.ts'
import type { Db } from '../store/core/database.ts'
import type { SubscriberRow } from '../store/core/schema.ts'
import type { ExportFile } from './export-file.ts'
import { rowPages } from './row-pages.ts'

export const subscribersName = 'subscribers.csv'

/** The columns of the table, in order. */
export const subscriberColumns = [
  'email',
  'name',
  'language',
  'state',
  'reason',
  'source',
  'consent',
  'consent_at',
  'created_at',
] as const

const rowsAtOnce = 1000

/** Yields the file, if the site has subscribers. */
export async function* subscriberFiles({ db }: { readonly db: Db }): AsyncGenerator<ExportFile> {
  if ((await rowsAfter(db, '', 1)).length > 0) yield { path: subscribersName, content: { pieces: lines(db) } }
}

async function* lines(db: Db): AsyncGenerator<string> {
  yield csvLine(subscriberColumns)
  for await (const rows of rowPages<SubscriberRow>((last) => rowsAfter(db, last?.email ?? '')))
    yield rows
      .map((row) =>
        csvLine([
          row.email,
          row.name ?? '',
          row.language,
          row.state,
          row.reason ?? '',
          row.source,
          row.consent ?? '',
          formatDateOrNull(row.consent_at) ?? '',
          formatDate(row.created_at),
        ]),
      )
      .join('')
}

/** Those who have not confirmed stay out: the link of their mail is good on this site only. */
const rowsAfter = (db: Db, email: string, limit = rowsAtOnce) =>
  db
    .selectFrom('subscriber')
    .selectAll()
    .where('state', 'in', ['active', 'ended'])
    .where('email', '>', email)
    .orderBy('email')
    .limit(limit)
    .execute()
