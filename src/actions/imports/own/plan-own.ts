// The plan for an export of Postern: the calls that make the site equal to it.

import { type ComparedFiles, readFolderFiles, readPresentFiles } from '../../../exports/folder-files.ts'
import { type FolderPlan, planFolder } from '../../../exports/folder-plan.ts'
import type { PlannedCall } from '../../../exports/folder-sides.ts'
import { siteFiles } from '../../../exports/site-files.ts'
import { exportParts } from '../../exports/parts.ts'
import type { Services } from '../../call/services.ts'

interface Exporting {
  readonly site: Services
  readonly origin: string
}

/** Reads the folder of an export, and what the site would export now. */
export async function comparedSides(
  { site, origin }: Exporting,
  folder: string,
): Promise<{ readonly wanted: ComparedFiles; readonly present: ComparedFiles }> {
  const wanted = await readFolderFiles(folder)
  const present = await readPresentFiles(siteFiles(exportParts(site, { tier: 'admin' }, origin)))
  return { wanted, present }
}

/**
 * Compares the folder of an export with what the site would export now.
 * @param deleteMissing true to delete what the export does not have
 */
export async function planOwn(parts: Exporting, folder: string, deleteMissing: boolean): Promise<FolderPlan> {
  const { wanted, present } = await comparedSides(parts, folder)
  return planFolder({ folder: wanted, site: present, deleteMissing })
}

/** Calls that change the site itself and not its content: settings, themes, skills and files at its root. */
export const isOfSite = ({ call }: PlannedCall): boolean => /^SVC_(?:Settings|Themes|Skills|Site)\./.test(call)
