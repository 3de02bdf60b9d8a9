// The files of a package: checked and placed before the transaction, and removed if the call fails or the plugin is deleted.

import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Manifest } from '../../plugins/manifest.ts'
import { findPluginRow, pluginsFolderOf } from '../../plugins/plugin-store.ts'
import { setAside } from '../../plugins/staging.ts'
import { checkPackage, packageFolder, type PackageSource, stagePackage } from '../../plugins/stage-package.ts'
import type { Context } from '../call/action.ts'
import type { ProgramServices, StoreServices } from '../call/services.ts'
import { type PackageInput, withPackage } from './package-input.ts'

/** A package that passed its checks. */
export interface Arrived {
  readonly manifest: Manifest
  readonly hash: string
  readonly signer: string | null
  /** True if this call placed the files; false if they existed before. */
  readonly placed: boolean
}

type ArrivedCheck = (arrived: Omit<Arrived, 'placed'>) => Promise<void>

/**
 * Reads the package of a call and, except in a dry run, places its files.
 * @param checkArrived refuses a package before its files are placed
 * @throws Failure; then no files are left
 */
export function arrive(context: Context, input: PackageInput, checkArrived: ArrivedCheck): Promise<Arrived> {
  return withPackage(context, input, (source) =>
    context.dryRun ? check(source, checkArrived) : place(context, source, checkArrived),
  )
}

async function check(source: PackageSource, checkArrived: ArrivedCheck): Promise<Arrived> {
  const checked = await checkPackage(source)
  await checkArrived(checked)
  return { ...checked, placed: false }
}

async function place({ site }: Context, source: PackageSource, checkArrived: ArrivedCheck): Promise<Arrived> {
  const staged = await stagePackage(pluginsFolderOf(site.config.POSTERN_HOME), source)
  try {
    await checkArrived(staged)
    const placed = !existsSync(folderOf(site, staged))
    await staged.keep()
    return { ...staged, placed }
  } catch (error) {
    await staged.discard()
    throw error
  }
}

const folderOf = ({ config }: ProgramServices, { manifest, hash }: Pick<Arrived, 'manifest' | 'hash'>): string =>
  packageFolder(pluginsFolderOf(config.POSTERN_HOME), manifest.id, hash)

/** True if the files are still there. Another failed call with the same package may have removed them. */
export function isPlaced(site: ProgramServices, arrived: Arrived): boolean {
  return existsSync(folderOf(site, arrived))
}

/**
 * Removes the files of a failed call. Files that existed before stay, because an undo may need them. The files are set aside in a
 * transaction, so that no plugin can begin to use them, and deleted after it, because deleting takes long.
 */
export async function discardArrived(site: ProgramServices & StoreServices, arrived: Arrived): Promise<void> {
  if (!arrived.placed) return
  const folder = pluginsFolderOf(site.config.POSTERN_HOME)
  const aside = await site.store.transaction(async (db) => {
    const { manifest, hash } = arrived
    const query = db.selectFrom('plugin').select('id').where('id', '=', manifest.id).where('package', '=', hash)
    return (await query.executeTakeFirst()) ? undefined : setAside(folder, relative(folder, folderOf(site, arrived)))
  })
  if (aside !== undefined) await rm(aside, { recursive: true, force: true })
}

/**
 * Removes all files of a deleted plugin, unless a plugin with its id was installed since. The files are set aside in a
 * transaction, as in `discardArrived`.
 */
export async function removePackages({ store, config }: ProgramServices & StoreServices, id: string): Promise<void> {
  const aside = await store.transaction(async (db) => {
    const row = await findPluginRow(db, id)
    return row && row.package !== '' ? undefined : setAside(pluginsFolderOf(config.POSTERN_HOME), id)
  })
  if (aside !== undefined) await rm(aside, { recursive: true, force: true })
}
