// Reads the plugins of a site: those with a row, and the bundled ones. A bundled plugin gets a row when it is first changed. This
// file runs no plugin; the actions write the rows.

import { join } from 'node:path'
import { notFound } from '../base/failure.ts'
import type { Db } from '../store/core/database.ts'
import type { PluginRow } from '../store/core/schema.ts'
import { bundledPlugins } from './bundled.ts'
import type { Manifest } from './manifest.ts'
import { filledSettings, type PluginSettingValues } from './plugin-settings.ts'
import type { Registered } from './registered.ts'

export const pluginStates = ['inactive', 'active', 'quarantined'] as const
export type PluginState = (typeof pluginStates)[number]

/** A plugin of this site, active or not. */
export interface Plugin {
  readonly id: string
  readonly name: string
  readonly version: string
  /** The start of the hash of the plugin's files, which is the name of their folder. Empty if the plugin is bundled. */
  readonly package: string
  readonly bundled: boolean
  readonly manifest: Manifest
  readonly state: PluginState
  /** The reason for the quarantine; null if the plugin is not quarantined. */
  readonly reason: string | null
  /** The rights that the owner confirmed. The plugin has no others, whatever its manifest asks for. */
  readonly may: readonly string[]
  /** The settings for the plugin's process, with defaults filled in and with secrets. */
  readonly settings: PluginSettingValues
  readonly signer: string | null
  /** The registrations of the plugin when it was last activated. */
  readonly registered: Registered
  /** 0 for a bundled plugin without a row. */
  readonly revision: number
  readonly row?: PluginRow
}

/** The registrations of a plugin that was never activated. */
export const nothingRegistered: Registered = {
  actions: [],
  filters: [],
  routes: [],
  events: [],
  jobs: [],
  hooks: 0,
  authenticates: false,
}

/** All plugins of the site, sorted by id. */
export async function listPlugins(db: Db): Promise<readonly Plugin[]> {
  const rows = await db.selectFrom('plugin').selectAll().execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const ids = new Set([...bundledPlugins().keys(), ...byId.keys()])
  return [...ids].sort().flatMap((id) => toPlugin(id, byId.get(id)) ?? [])
}

/** The plugin with this id; undefined if there is none, or if the row only keeps the settings of a deleted plugin. */
/** @throws Failure `not_found` */
export async function getPlugin(db: Db, id: string): Promise<Plugin> {
  const plugin = toPlugin(id, await findPluginRow(db, id))
  if (!plugin) throw notFound('plugin', id, 'SVC_Plugins.list lists the plugins of this site.')
  return plugin
}

/** The row with this id, even if it only keeps the settings of a deleted plugin. */
export async function findPluginRow(db: Db, id: string): Promise<PluginRow | undefined> {
  return db.selectFrom('plugin').selectAll().where('id', '=', id).executeTakeFirst()
}

export function pluginsFolderOf(home: string): string {
  return join(home, 'user-content', 'plugins')
}

/** The folder of a plugin's files. @param pluginsFolder `user-content/plugins` of the home */
export function folderOf(pluginsFolder: string, plugin: Pick<Plugin, 'id' | 'package'>): string {
  const bundled = plugin.package === '' ? bundledPlugins().get(plugin.id) : undefined
  return bundled?.folder ?? join(pluginsFolder, plugin.id, plugin.package)
}

/** The row of a plugin that was just installed. */
export function freshRow({ id, version, package: hash, manifest, signer }: PluginFiles): Omit<PluginRow, Bookkeeping> {
  return {
    id,
    version,
    package: hash,
    manifest: JSON.stringify(manifest),
    signer,
    state: 'inactive',
    reason: null,
    may: '[]',
    settings: '{}',
    secrets: '{}',
    registered: JSON.stringify(nothingRegistered),
  }
}

type PluginFiles = Pick<Plugin, 'id' | 'version' | 'package' | 'manifest' | 'signer'>
type Bookkeeping = 'created_at' | 'updated_at' | 'revision'

/** Makes a plugin from a row, a bundled plugin, or both. A row without files only has the settings of a deleted plugin. */
function toPlugin(id: string, row: PluginRow | undefined): Plugin | undefined {
  const bundled = row && row.package !== '' ? undefined : bundledPlugins().get(id)
  const manifest = bundled?.manifest ?? (row && row.package !== '' ? (JSON.parse(row.manifest) as Manifest) : undefined)
  if (!manifest) return undefined
  return {
    id,
    name: manifest.name,
    version: manifest.version,
    package: row?.package ?? '',
    bundled: bundled !== undefined,
    manifest,
    state: (row?.state ?? 'inactive') as PluginState,
    reason: row?.reason ?? null,
    may: row ? (JSON.parse(row.may) as string[]) : [],
    settings: filledSettings(manifest, row),
    signer: row?.signer ?? null,
    registered: row ? (JSON.parse(row.registered) as Registered) : nothingRegistered,
    revision: row?.revision ?? 0,
    ...(row ? { row } : {}),
  }
}
