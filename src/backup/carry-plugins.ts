// Decides which plugins are active after a restore. A plugin stays active only if its files and rights equal those in force
// before the restore. Settings and secrets also stay as they were before the restore, so that a replaced bridge key admits
// nobody.

import { sql, type Transaction } from 'kysely'
import { folderOf, nothingRegistered } from '../plugins/plugin-store.ts'
import { sameRights } from '../plugins/rights.ts'
import { hashFolder } from '../plugins/stage-package.ts'
import { hasStandingTable } from '../store/core/database-file.ts'
import type { PluginRow, Schema } from '../store/core/schema.ts'

/** The columns that decide which code runs, and who signed it. */
const code = ['version', 'package', 'manifest', 'signer'] as const

/**
 * Compares the restored plugins with those of the standing database, and deactivates those that differ.
 * @param pluginsFolder `user-content/plugins` of the restored home
 * @param compared true if there is a standing database to compare with
 * @returns the ids of the plugins that were active in the backup and no longer are
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

/** The plugins of the standing database. A database of an early release has no table of plugins. */
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
    // Postern did not write this list. As a single text, it never equals a list of rights.
    return [may]
  }
}

/** True if a plugin's files have the hash in its row. The files of a bundled plugin are part of the program. */
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

/**
 * The settings and secrets of a plugin after the restore. If there is no database to compare with, they stay as they are in the
 * backup: the plugin is then inactive, and the person who activates it sees its settings first.
 */
function secretsOf(row: PluginRow, before: PluginRow | undefined, compared: boolean): Pick<PluginRow, 'settings' | 'secrets'> {
  if (!compared) return { settings: row.settings, secrets: row.secrets }
  return { settings: before?.settings ?? row.settings, secrets: before?.secrets ?? '{}' }
}
