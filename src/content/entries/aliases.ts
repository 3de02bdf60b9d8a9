// Old addresses that a file names for its entry. They become former paths, so each leads to the entry while it is public.

import { Failure } from '../../base/failure.ts'
import type { Change } from '../../store/change/change.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { Warning } from '../markdown/markup.ts'
import { toSource } from '../redirects/redirect-rules.ts'

/**
 * Stores old addresses as former paths of an entry. An address that leads elsewhere already keeps its target.
 * @param aliases as written: paths, also relative to the entry's own
 */
export async function keepAliases(
  change: Change,
  { id, path }: Pick<EntryRow, 'id' | 'path'>,
  aliases: readonly string[],
): Promise<readonly Warning[]> {
  if (aliases.length === 0 || path === null) return []
  const read = aliases.map((alias) => ({ alias, source: sourceOf(alias, path) }))
  const sources = [...new Set(read.flatMap(({ source }) => source ?? []))].filter((source) => source !== path)
  const taken = await takenBy(change, id, sources)
  const known = new Set(taken.map((one) => one.path))
  const others = new Set(taken.filter(({ by }) => by !== id).map((one) => one.path))
  for (const source of sources) {
    if (!known.has(source)) await change.insert('former_path', { path: source, entry_id: id, created_at: change.now })
  }
  return [
    ...warn(
      read.filter(({ source }) => source === undefined).map(({ alias }) => alias),
      'no path that a redirect can lead from',
    ),
    ...warn([...others], 'in use already, by a page, a redirect or another entry'),
  ]
}

/** @returns undefined for an address that can't be a former path */
function sourceOf(alias: string, path: string): string | undefined {
  try {
    const { pathname, host } = new URL(alias, `http://here${path}/`)
    return host === 'here' ? toSource(pathname) : undefined
  } catch (error) {
    if (error instanceof Failure || error instanceof TypeError) return undefined
    throw error
  }
}

/** The paths among these that lead somewhere, with the entry that they are former paths of, if any. */
async function takenBy(
  { db }: Change,
  id: string,
  paths: readonly string[],
): Promise<readonly { readonly path: string; readonly by: string | null }[]> {
  if (paths.length === 0) return []
  const former = await db.selectFrom('former_path').select(['path', 'entry_id as by']).where('path', 'in', paths).execute()
  const live = await db.selectFrom('entry').select('path').where('path', 'in', paths).where('id', '!=', id).execute()
  const rules = await db.selectFrom('redirect').select('source as path').where('source', 'in', paths).execute()
  return [...former, ...[...live, ...rules].flatMap(({ path }) => (path === null ? [] : [{ path, by: null }]))]
}

function warn(aliases: readonly string[], why: string): readonly Warning[] {
  if (aliases.length === 0) return []
  const message = `Of \`aliases\`, ${aliases.join(', ')} ${aliases.length === 1 ? 'is' : 'are'} ${why}.`
  return [{ code: 'alias_passed_over', message, found: aliases }]
}
