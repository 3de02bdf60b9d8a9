// The plugins of a site as the rest of the program has them: rows of those that were installed or touched, and the bundled ones besides.
// Nothing runs here; what may be written in a row, and when, is the actions'.

import { join } from 'node:path'
import { notFound } from '../failure.ts'
import type { Db } from '../store/database.ts'
import type { PluginRow } from '../store/schema.ts'
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
  /** The start of its files' hash, which names their folder; empty where it is bundled. */
  readonly package: string
  readonly bundled: boolean
  readonly manifest: Manifest
  readonly state: PluginState
  /** Why it is quarantined. */
  readonly reason: string | null
  /** The rights that the owner confirmed: all that it has, whatever its manifest asks for. */
  readonly may: readonly string[]
  /** For its process: defaults filled in, secrets among them. */
  readonly settings: PluginSettingValues
  readonly signer: string | null
  /** What it registered when it was last activated. */
  readonly registered: Registered
  /** 0 of a bundled one that nobody has touched: it has no row. */
  readonly revision: number
  readonly row?: PluginRow
}

/** What a plugin has registered that was never activated. */
export const nothingRegistered: Registered = {
  actions: [],
  filters: [],
  routes: [],
  events: [],
  jobs: [],
  hooks: 0,
  authenticates: false,
}

/** All plugins of the site, by id. */
export async function listPlugins(db: Db): Promise<readonly Plugin[]> {
  const rows = await db.selectFrom('plugin').selectAll().execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const ids = new Set([...bundledPlugins().keys(), ...byId.keys()])
  return [...ids].sort().flatMap((id) => toPlugin(id, byId.get(id)) ?? [])
}

/** The plugin of an id; undefined where there is none, or only what a deleted one left. */
async function findPlugin(db: Db, id: string): Promise<Plugin | undefined> {
  return toPlugin(id, await findPluginRow(db, id))
}

/** @throws Failure `not_found` */
export async function getPlugin(db: Db, id: string): Promise<Plugin> {
  const plugin = await findPlugin(db, id)
  if (!plugin) throw notFound('plugin', id, 'SVC_Plugins.list tells which there are.')
  return plugin
}

/** The row of an id, also one that holds no more than the settings of a plugin that was deleted. */
export async function findPluginRow(db: Db, id: string): Promise<PluginRow | undefined> {
  return db.selectFrom('plugin').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Where a home has its plugins. */
export function pluginsFolderOf(home: string): string {
  return join(home, 'user-content', 'plugins')
}

/** The folder of a plugin's files. @param pluginsFolder `user-content/plugins` of the home */
export function folderOf(pluginsFolder: string, plugin: Pick<Plugin, 'id' | 'package'>): string {
  const bundled = plugin.package === '' ? bundledPlugins().get(plugin.id) : undefined
  return bundled?.folder ?? join(pluginsFolder, plugin.id, plugin.package)
}

/** What a plugin's row holds that nobody has touched. */
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

/** A plugin of its row, of what is bundled, or of both. A row without files is what a deleted plugin's owner kept: no plugin. */
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
