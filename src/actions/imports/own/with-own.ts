// An export of Postern that came through a door: it is unpacked, compared with the site, and the options decide what it may change.

import { join } from 'node:path'
import { Failure, invalid } from '../../../base/failure.ts'
import { entryPathOf, isMedia } from '../../../exports/folder-content.ts'
import type { ComparedFiles } from '../../../exports/folder-files.ts'
import { type FolderPlan, planFolder } from '../../../exports/folder-plan.ts'
import type { PlannedCall } from '../../../exports/folder-sides.ts'
import type { Context } from '../../call/action.ts'
import type { OpenedImport } from '../open-import.ts'
import type { ImportOptions } from '../options.ts'
import { comparedSides, isOfSite } from './plan-own.ts'
import { unpackOwn } from './own-folder.ts'

/** The most bytes of texts, which are held while they are compared. */
const maxTextBytes = 256 * 1024 ** 2

/** An export next to the site. */
export interface OpenedOwn {
  readonly folder: string
  readonly wanted: ComparedFiles
  readonly present: ComparedFiles
  readonly plan: FolderPlan
  /** The paths of entries of this site that have other content in the export. */
  readonly clashes: readonly string[]
}

/** Runs work with an export, and deletes what was unpacked. @throws Failure `invalid` for an option that changes its content */
export async function withOwn<T>(
  { site, origin }: Context,
  { files }: OpenedImport,
  options: ImportOptions,
  work: (opened: OpenedOwn) => Promise<T>,
): Promise<T> {
  checkOptions(options)
  if (bytesIn(files, (path) => !isPacked(path)) > maxTextBytes)
    throw new Failure('too_large', 'The export has more than 256 MiB of texts.', {
      limit: maxTextBytes,
      hint: '`postern import` on the machine takes it.',
    })
  const { folder, close } = await unpackOwn(files, join(site.config.POSTERN_HOME, 'data', 'imports'))
  try {
    const { wanted, present } = await comparedSides({ site, origin }, folder)
    const { stages, passedOver } = planFolder({ folder: wanted, site: present, deleteMissing: false })
    const clashing = (call: PlannedCall) => call.call === 'SVC_Content.put' && present.has(call.path)
    const isTaken = (call: PlannedCall) =>
      !(options.site === 'never' && isOfSite(call)) && !(options.on_clash === 'skip' && clashing(call))
    const clashes = stages.flatMap((stage) => stage.filter(clashing).flatMap(({ path }) => entryPathOf(path, 'index') ?? []))
    const plan = { stages: stages.map((stage) => stage.filter(isTaken)), passedOver }
    return await work({ folder, wanted, present, plan, clashes })
  } finally {
    await close()
  }
}

/** The options that have no meaning for an export of Postern, with the value that changes nothing. */
const withoutMeaning = {
  site_url: undefined,
  type: undefined,
  map: undefined,
  status: 'as_is',
} as const satisfies Partial<Record<keyof ImportOptions, string | undefined>>

function checkOptions(options: ImportOptions): void {
  for (const [name, usual] of Object.entries(withoutMeaning)) {
    const given = options[name as keyof typeof withoutMeaning]
    if (given !== undefined && given !== usual)
      throw invalid(name, `An export of Postern comes back as it was, so that "${name}" can't be given.`, 'left out')
  }
  if (options.on_clash === 'copy')
    throw invalid('on_clash', 'An export of Postern makes no copies of entries that are here.', '`update` or `skip`')
}

/** True for a member with media. The folder of the export may stand in a folder of the archive. */
const isPacked = (path: string): boolean => /(?:^|\/)media\//.test(path)

const bytesIn = ({ sizes }: OpenedImport['files'], isCounted: (path: string) => boolean): number =>
  [...sizes].reduce((sum, [path, bytes]) => (isCounted(path) ? sum + bytes : sum), 0)

/** Media of the export, and their bytes. */
export const measureMedia = ({ wanted }: Pick<OpenedOwn, 'wanted'>, { files }: Pick<OpenedImport, 'files'>) => ({
  count: [...wanted.keys()].filter(isMedia).length,
  bytes: bytesIn(files, isPacked),
})
