// The old addresses of imported things as a table: `site,kind,old,to`, as the rows that SVC_Redirects.put-old takes.

import { csvLine } from '../base/csv.ts'
import { namesOfTargets } from '../content/redirects/old-names.ts'
import { entryPathsOf, publicPathOf } from '../content/redirects/old-targets.ts'
import type { Db } from '../store/core/database.ts'
import type { OldAddressRow } from '../store/core/schema.ts'
import type { ExportFile } from './export-file.ts'
import { rowPages } from './row-pages.ts'

/** The name of the file in an export. */
export const oldAddressesName = 'old-addresses.csv'

const rowsAtOnce = 2000

/** Yields the file, if the site has old addresses. One whose thing has no name, as in the trash, is left out. */
export async function* oldAddressFiles({ db }: { readonly db: Db }): AsyncGenerator<ExportFile> {
  if ((await readRows(db, undefined, 1)).length > 0) yield { path: oldAddressesName, content: { pieces: pieces(db) } }
}

async function* pieces(db: Db): AsyncGenerator<string> {
  yield csvLine(['site', 'kind', 'old', 'to'])
  for await (const rows of rowPages<OldAddressRow>((last) => readRows(db, last))) {
    const names = await namesOfTargets(db, rows)
    yield rows
      .map((row) => ({ row, to: names.get(row.id) }))
      .map(({ row: { site, kind, old }, to }) => (to === undefined ? '' : csvLine([site, kind, old, to])))
      .join('')
  }
}

/** Yields the old paths whose thing is public, each with the present path. Numbers have no form on a static host. */
export async function* oldPathRedirects(
  db: Db,
  now: number,
): AsyncGenerator<{ readonly source: string; readonly target: string }> {
  const paths = new Map<string, string | undefined>()
  for await (const rows of rowPages<OldAddressRow>((last) => readRows(db, last))) {
    const wanted = rows.filter(({ kind }) => kind === 'path')
    // Most old addresses are of entries, which take one query for all.
    const ids = wanted.flatMap(({ target_kind: kind, target_id: id }) => (kind === 'entry' ? [id] : []))
    for (const [id, path] of await entryPathsOf(db, ids, now)) paths.set(id, path)
    for (const row of wanted) {
      const { old: source, target_id: id } = row
      const target = paths.has(id) ? paths.get(id) : await publicPathOf(db, [row], now)
      paths.set(id, target)
      if (target !== undefined && target !== source) yield { source, target }
    }
  }
}

/** Reads the rows after another one, in an order that doesn't depend on when they were written. */
const readRows = (db: Db, after: OldAddressRow | undefined, limit = rowsAtOnce): Promise<OldAddressRow[]> =>
  db
    .selectFrom('old_address')
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('old', 'kind', 'site'), '>', eb.tuple(after?.old ?? '', after?.kind ?? '', after?.site ?? '')),
      ),
    )
    .orderBy('old')
    .orderBy('kind')
    .orderBy('site')
    .limit(limit)
    .execute()
