// A package on its way in: checked as a whole, put into its place before the transaction, and taken away again when the call fails. And what a
// deletion leaves of one.

import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Manifest } from '../../../plugins/manifest.ts'
import { findPluginRow, pluginsFolderOf } from '../../../plugins/plugin-store.ts'
import { setAside } from '../../../plugins/staging.ts'
import { checkPackage, packageFolder, type PackageSource, stagePackage } from '../../../plugins/stage-package.ts'
import type { Context } from '../../action.ts'
import type { Services } from '../../services.ts'
import { type PackageInput, withPackage } from './package-input.ts'

/** A package that is good. */
export interface Arrived {
  readonly manifest: Manifest
  readonly hash: string
  readonly signer: string | null
  /** This call put its files down: they were not there before. */
  readonly placed: boolean
}

type Hold = (arrived: Omit<Arrived, 'placed'>) => Promise<void>

/**
 * Reads the package of a call and, but for a dry run, puts its files where they belong.
 * @param hold whether it may come in at all, asked before it is put down
 * @throws Failure; then nothing of it is left
 */
export function arrive(context: Context, input: PackageInput, hold: Hold): Promise<Arrived> {
  return withPackage(context, input, (source) => (context.dryRun ? check(source, hold) : place(context, source, hold)))
}

async function check(source: PackageSource, hold: Hold): Promise<Arrived> {
  const checked = await checkPackage(source)
  await hold(checked)
  return { ...checked, placed: false }
}

async function place({ site }: Context, source: PackageSource, hold: Hold): Promise<Arrived> {
  const staged = await stagePackage(pluginsFolderOf(site.config.POSTERN_HOME), source)
  try {
    await hold(staged)
    const placed = !existsSync(folderOf(site, staged))
    await staged.keep()
    return { ...staged, placed }
  } catch (error) {
    await staged.discard()
    throw error
  }
}

const folderOf = ({ config }: Services, { manifest, hash }: Pick<Arrived, 'manifest' | 'hash'>): string =>
  packageFolder(pluginsFolderOf(config.POSTERN_HOME), manifest.id, hash)

/** Whether its files are still there: a failed call that brought the same ones may have taken them away. */
export function isPlaced(site: Services, arrived: Arrived): boolean {
  return existsSync(folderOf(site, arrived))
}

/**
 * Takes a failed call's files away; those that were there before stay, as an undo may want them. The writer is held, so that no plugin
 * can come to have them meanwhile; what takes long, deleting them, comes after that.
 */
export async function takeAway(site: Services, arrived: Arrived): Promise<void> {
  if (!arrived.placed) return
  const folder = pluginsFolderOf(site.config.POSTERN_HOME)
  const aside = await site.store.transaction(async (db) => {
    const { manifest, hash } = arrived
    const query = db.selectFrom('plugin').select('id').where('id', '=', manifest.id).where('package', '=', hash)
    return (await query.executeTakeFirst()) ? undefined : setAside(folder, relative(folder, folderOf(site, arrived)))
  })
  if (aside !== undefined) await rm(aside, { recursive: true, force: true })
}

/** Takes away all files of a plugin that was deleted, unless one of its id was installed since. The writer is held, as above. */
export async function takeAllAway({ store, config }: Services, id: string): Promise<void> {
  const aside = await store.transaction(async (db) => {
    const row = await findPluginRow(db, id)
    return row && row.package !== '' ? undefined : setAside(pluginsFolderOf(config.POSTERN_HOME), id)
  })
  if (aside !== undefined) await rm(aside, { recursive: true, force: true })
}
