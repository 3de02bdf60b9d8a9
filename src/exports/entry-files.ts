// Entries as Markdown files: `content/PATH/index.md`, in the form that SVC_Content.put takes. Changes that wait are `staged.md`
// beside it, which `put` takes with `stage`.

import { membersOrNull, withoutNulls } from '../base/json.ts'
import { maySee } from '../content/entries/entry.ts'
import { formatFrontMatter } from '../content/entries/front-matter.ts'
import { mergeEntry } from '../content/entries/pending.ts'
import type { TermOf } from '../content/terms/term-index.ts'
import { storedValues, shownValues } from '../content/types/custom-values.ts'
import type { EntryTypes } from '../content/types/entry-types.ts'
import { toSeo } from '../content/types/field-values.ts'
import type { Caller } from '../identity/caller.ts'
import { termIdsOf } from '../store/change/entry-terms.ts'
import type { Db } from '../store/core/database.ts'
import type { EntryRow } from '../store/core/schema.ts'
import type { ExportFile } from './export-file.ts'
import { idsIn, type IdNames, namedSeo, namedValues, nameOf, readIdNames } from './names-of-ids.ts'

export interface EntryExportParts {
  readonly db: Db
  readonly types: EntryTypes
  readonly termOf: TermOf
  /** The entries that this caller may see are exported. */
  readonly caller: Pick<Caller, 'tier'>
  readonly now: number
  readonly signal?: AbortSignal | undefined
}

/** The most entries in memory at a time. */
const sliceRows = 100

/** An entry with the names of everything that it refers to. */
export interface NamedEntry {
  readonly row: EntryRow
  readonly names: IdNames
  /** Its earlier paths. */
  readonly aliases: readonly string[]
}

/** Yields the entries outside the trash in the order of their paths, so that each comes after the page above it. */
export async function* readNamedEntries(parts: EntryExportParts): AsyncGenerator<NamedEntry> {
  const { db, types, termOf, caller, now, signal } = parts
  for (let after = ''; ;) {
    signal?.throwIfAborted()
    const rows = await db
      .selectFrom('entry')
      .selectAll()
      .where('path', '>', after)
      .where('status', '!=', 'trash')
      .orderBy('path')
      .limit(sliceRows)
      .execute()
    const last = rows.at(-1)?.path
    if (last === undefined || last === null) return
    after = last
    const shown = rows.filter((row) => maySee(caller as Caller, row, now))
    const names = await readIdNames(db, termOf, new Set(shown.flatMap((row) => idsOfEntry(row, types))))
    const aliases = await aliasesOf(db, shown)
    for (const row of shown) yield { row, names, aliases: aliases.get(row.id) ?? [] }
  }
}

function idsOfEntry(row: EntryRow, types: EntryTypes): readonly string[] {
  const ids = [row.cover, row.author_id, row.translation_of, toSeo(row.seo).image]
  return [...ids.filter((id) => id !== null), ...idsIn(storedValues(row.fields), types.of(row.type).fields)]
}

async function aliasesOf(db: Db, rows: readonly EntryRow[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const former = await db.selectFrom('former_path').selectAll().where('entry_id', 'in', ids).orderBy('path').execute()
  const byEntry = new Map<string, string[]>()
  for (const { entry_id: id, path } of former) byEntry.set(id, [...(byEntry.get(id) ?? []), path])
  return byEntry
}

/** Returns the front matter of an entry, without what is as in every new entry. */
export function fileFields({ row, names, aliases }: NamedEntry, types: EntryTypes): Record<string, unknown> {
  const type = types.of(row.type)
  const group = row.translation_of === row.id ? null : row.translation_of
  return withoutNulls({
    title: row.title,
    type: row.type,
    status: row.status,
    protected: row.password_hash === null ? null : true,
    published_at: dateOf(row.published_at),
    unpublish_at: dateOf(row.unpublish_at),
    excerpt: row.excerpt,
    author: nameOf(row.author_id, names.author),
    position: row.position === 0 ? null : row.position,
    locale: row.locale,
    translation_of: nameOf(group, names.entry),
    terms: listOrNull(termIdsOf(row.terms).flatMap((id) => names.term(id) ?? [])),
    cover: nameOf(row.cover, names.media),
    comments: row.comments,
    seo: namedSeo(row.seo, names),
    fields: membersOrNull(namedValues(shownValues(row.fields, type), type.fields, names)),
    aliases: listOrNull(aliases),
  })
}

const dateOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const listOrNull = <T>(list: readonly T[]): readonly T[] | null => (list.length === 0 ? null : list)

/** Yields the files of all entries. @param withStaged also yields the changes that wait */
export async function* entryFiles(parts: EntryExportParts, withStaged: boolean): AsyncGenerator<ExportFile> {
  for await (const entry of readNamedEntries(parts)) {
    const folder = `content${entry.row.path ?? ''}`
    yield { path: `${folder}/index.md`, content: { text: fileOf(entry, parts.types) } }
    if (!withStaged || entry.row.staged === 0) continue
    const { row } = await mergeEntry(parts.db, entry.row)
    const names = await readIdNames(parts.db, parts.termOf, new Set(idsOfEntry(row, parts.types)))
    yield { path: `${folder}/staged.md`, content: { text: fileOf({ row, names, aliases: [] }, parts.types) } }
  }
}

const fileOf = (entry: NamedEntry, types: EntryTypes): string => formatFrontMatter(fileFields(entry, types), entry.row.body)
