// Recurring work: deletes the values of a field from the entries, 30 days after the field was removed from its type.

import { storedValues, toColumn } from '../../content/types/custom-values.ts'
import { columnsOfType, ownPart } from '../../content/types/entry-type-reader.ts'
import { system } from '../../identity/caller.ts'
import type { Recurring } from '../../jobs/recurring.ts'
import type { Change } from '../../store/change/change.ts'
import { entriesAtOnce, listEntries } from './entries.ts'
import { keptMs } from './item.ts'
import { commit, recordChange } from '../call/commit.ts'
import type { Services } from '../call/services.ts'

type Site = Pick<Services, 'store' | 'freshness' | 'webhooks' | 'mail' | 'log' | 'clock' | 'types'>

/** The turn, while there are values to delete. */
export function droppedFieldsTurn(site: Site): readonly Recurring[] {
  if (site.types.current.all.every(({ dropped }) => dropped.length === 0)) return []
  return [
    {
      name: 'dropped-fields',
      call: 'SVC_Types.update',
      everyMs: 24 * 60 * 60_000,
      afterStartMs: 60_000,
      run: async (signal) => ({ entries: await forgetDropped(site, signal) }),
    },
  ]
}

/** Deletes the values of all fields that were removed 30 days ago. @returns the number of changed entries */
export async function forgetDropped(site: Site, signal?: AbortSignal): Promise<number> {
  let entries = 0
  for (const { slug, dropped } of site.types.current.all) {
    const before = site.clock.now() - keptMs
    const names = dropped.filter(({ at }) => at <= before).map(({ name }) => name)
    if (names.length === 0) continue
    for (let after: string | undefined = ''; after !== undefined;) {
      signal?.throwIfAborted()
      const page: Page = await recorded(site, (change) => forgetPage(change, slug, names, after ?? ''))
      entries += page.changed
      after = page.next
    }
    await recorded(site, (change) => forgetNames(change, slug, names))
  }
  return entries
}

/** Runs one recorded transaction. Its record has no content, because deleted values must not come back. */
const recorded = <T>(site: Site, run: (change: Change) => Promise<T>): Promise<T> =>
  commit(site, 'SVC_Types.update', (open) => recordChange(open, { ...recording, now: site.clock.now() }, run))

const recording = {
  caller: system,
  call: 'SVC_Types.update',
  summary: 'Removes the values of fields that were removed 30 days ago.',
  input: {},
  effect: 'destroy',
} as const

interface Page {
  readonly changed: number
  /** The last entry that was read; undefined at the end. */
  readonly next: string | undefined
}

async function forgetPage(change: Change, type: string, names: readonly string[], after: string): Promise<Page> {
  const rows = await listEntries(change.db, type, after)
  let changed = 0
  for (const row of rows) {
    const kept = Object.entries(storedValues(row.fields)).filter(([name]) => !names.includes(name))
    const fields = toColumn(Object.fromEntries(kept))
    if ((await change.update('entry', row, { fields })).changed.length > 0) changed += 1
  }
  return { changed, next: rows.length < entriesAtOnce ? undefined : rows.at(-1)?.id }
}

async function forgetNames(change: Change, slug: string, names: readonly string[]): Promise<void> {
  const row = await change.db.selectFrom('entry_type').selectAll().where('slug', '=', slug).executeTakeFirst()
  if (!row) return
  const own = ownPart(row)
  await change.update(
    'entry_type',
    row,
    columnsOfType({ ...own, dropped: own.dropped.filter(({ name }) => !names.includes(name)) }),
  )
}
