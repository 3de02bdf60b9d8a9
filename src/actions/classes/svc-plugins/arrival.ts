// A package on its way in: checked as a whole, put into its place before the transaction, and taken away again when the call fails.

import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Manifest } from '../../../plugins/manifest.ts'
import { pluginsFolderOf } from '../../../plugins/plugin-store.ts'
import { checkPackage, packageFolder, type PackageSource, stagePackage } from '../../../plugins/stage-package.ts'
import type { Context } from '../../action.ts'
import type { Services } from '../../services.ts'
import { type PackageInput, withPackage } from './package-input.ts'

/** A package that is good. */
export interface Arrived {
  readonly manifest: Manifest
  readonly hash: string
  readonly signer: string | null
}

/**
 * Reads the package of a call and, but for a dry run, puts its files where they belong.
 * @param hold whether it may come in at all, asked before it is put down
 * @throws Failure; then nothing of it is left
 */
export function arrive(context: Context, input: PackageInput, hold: (arrived: Arrived) => Promise<void>): Promise<Arrived> {
  return withPackage(context, input, (source) => (context.dryRun ? check(source, hold) : place(context, source, hold)))
}

async function check(source: PackageSource, hold: (arrived: Arrived) => Promise<void>): Promise<Arrived> {
  const checked = await checkPackage(source)
  await hold(checked)
  return checked
}

async function place({ site }: Context, source: PackageSource, hold: (arrived: Arrived) => Promise<void>): Promise<Arrived> {
  const staged = await stagePackage(pluginsFolderOf(site.config.POSTERN_HOME), source)
  try {
    await hold(staged)
    await staged.keep()
    return staged
  } catch (error) {
    await staged.discard()
    throw error
  }
}

const folderOf = ({ config }: Services, { manifest, hash }: Arrived): string =>
  packageFolder(pluginsFolderOf(config.POSTERN_HOME), manifest.id, hash)

/** Whether its files are still there: a failed call that brought the same ones may have taken them away. */
export function isPlaced(site: Services, arrived: Arrived): boolean {
  return existsSync(folderOf(site, arrived))
}

/** Takes files away that no plugin has. The writer is held, so that none can come to have them meanwhile. */
export async function takeAway(site: Services, arrived: Arrived): Promise<void> {
  await site.store.transaction(async (db) => {
    const { manifest, hash } = arrived
    const query = db.selectFrom('plugin').select('id').where('id', '=', manifest.id).where('package', '=', hash)
    if (!(await query.executeTakeFirst())) await rm(folderOf(site, arrived), { recursive: true, force: true })
  })
}
