// Plugins after a restore: one runs on only if its files and its rights are those that were in force just before. Keys and settings are the ones of
// just before as well, so that a bridge key that was replaced lets nobody in.

import { sql, type Transaction } from 'kysely'
import { folderOf, nothingRegistered } from '../plugins/plugin-store.ts'
import { sameRights } from '../plugins/rights.ts'
import { hashFolder } from '../plugins/stage-package.ts'
import { hasStandingTable } from '../store/database-file.ts'
import type { PluginRow, Schema } from '../store/schema.ts'

/** What says which code runs, and on whose word. */
const code = ['version', 'package', 'manifest', 'signer'] as const

/**
 * Holds the restored plugins against the standing ones.
 * @param pluginsFolder `user-content/plugins` of the restored home
 * @param compared whether `standing` is there to compare with
 * @returns the ids of those that were active in the backup and no longer are
 */
export async function carryPlugins(
  db: Transaction<Schema>,
  pluginsFolder: string,
  compared: boolean,
): Promise<readonly string[]> {
  const standing = new Map((compared ? await readStanding(db) : []).map((row) => [row.id, row]))
  const stopped: string[] = []
  for (const row of await db.selectFrom('plugin').selectAll().orderBy('id').execute()) {
    const before = standing.get(row.id)
    const same = before !== undefined && isSame(row, before) && (await hasItsFiles(pluginsFolder, row))
    const after = { ...(same ? kept(row, before) : stop(row)), ...secretsOf(row, before, compared) }
    await db.updateTable('plugin').set(after).where('id', '=', row.id).execute()
    if (row.state === 'active' && after.state !== 'active') stopped.push(row.id)
  }
  return stopped
}

/** A release back there were none. */
async function readStanding(db: Transaction<Schema>): Promise<readonly PluginRow[]> {
  if (!(await hasStandingTable(db, 'plugin'))) return []
  return (await sql<PluginRow>`select * from standing.plugin`.execute(db)).rows
}

function isSame(row: PluginRow, before: PluginRow): boolean {
  return code.every((column) => row[column] === before[column]) && sameRights(rightsIn(row), rightsIn(before))
}

function rightsIn({ may }: PluginRow): readonly string[] {
  try {
    const list: unknown = JSON.parse(may)
    return Array.isArray(list) ? list.map(String) : [may]
  } catch {
    // No list of ours: it is the same as no other.
    return [may]
  }
}

/** A bundled plugin's files are the program's. */
async function hasItsFiles(pluginsFolder: string, row: PluginRow): Promise<boolean> {
  if (row.package === '') return true
  return hashFolder(folderOf(pluginsFolder, row)).then(
    (hash) => hash === row.package,
    () => false,
  )
}

type After = Pick<PluginRow, 'state' | 'reason' | 'may' | 'registered'>

const kept = (row: PluginRow, before: PluginRow): After => ({
  state: row.state === 'active' ? before.state : row.state,
  reason: before.state === 'quarantined' ? before.reason : row.reason,
  may: before.may,
  registered: before.registered,
})

const stop = (row: PluginRow): After => ({
  state: row.state === 'quarantined' ? 'quarantined' : 'inactive',
  reason: row.state === 'quarantined' ? row.reason : null,
  may: '[]',
  registered: JSON.stringify(nothingRegistered),
})

/** With nothing to compare with they stay: the plugin is inactive, and whoever activates it anew has them before their eyes. */
function secretsOf(row: PluginRow, before: PluginRow | undefined, compared: boolean): Pick<PluginRow, 'settings' | 'secrets'> {
  if (!compared) return { settings: row.settings, secrets: row.secrets }
  return { settings: before?.settings ?? row.settings, secrets: before?.secrets ?? '{}' }
}
