// The write of a file of a theme, and the failure for a file that the theme does not have.

import { getTheme } from '../../themes/theme-store.ts'
import { type Failure, notFound } from '../../base/failure.ts'
import type { Theme } from '../../themes/theme.ts'
import type { WriteContext } from '../call/action.ts'
import { type FileChanges, writeFiles, type Writing } from './changing.ts'
import { wrote } from './item.ts'

export async function written(context: WriteContext, slug: string, changes: FileChanges, how: Writing) {
  await getTheme(context.db, slug)
  const changed = await writeFiles(context, slug, changes, how)
  const [file = ''] = changes.keys()
  return wrote(context.db, slug, changed, { ...how.prepared, file })
}

export function noOwnFile({ base, files }: Theme, file: string): Failure {
  const hint =
    base !== undefined && files.has(file)
      ? `It comes from the theme ${base}. SVC_Themes.write gives this theme a file of its own.`
      : 'SVC_Themes.get lists the files of a theme.'
  return notFound('file', file, hint)
}
