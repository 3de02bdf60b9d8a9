import { getTheme } from '../../themes/theme-store.ts'
import { closed } from '../../base/schema.ts'
import type { Theme } from '../../themes/theme.ts'
import { action, type Context } from '../call/action.ts'
import { getSnapshot, revisionNumber } from '../shared/revision-list.ts'
import { checkChange, type FileChanges, getOwnTheme, writeFiles } from './changing.ts'
import { idProperty, renderedWrite, wrote } from './item.ts'
import { earlierFile, fileOption } from './earlier.ts'

export const revert = action('SVC_Themes.revert', {
  title: 'Return [the theme {title}|a theme] to an earlier state',
  summary: 'Restores an earlier state of a theme, or of one of its files, as a new one.',
  did: 'returned [the theme {title}|a theme] to an earlier state',
  ...renderedWrite,
  effect: 'write',
  input: closed({
    id: idProperty,
    revision: revisionNumber('Number of the revision, from SVC_Themes.revisions with the same `file`.'),
    file: fileOption,
  }),
  examples: [{ title: 'The first state of a theme', input: { id: 'my-theme', revision: 1 } }],
  async prepare(context, { id, revision, file }) {
    const theme = await getOwnTheme(context, id)
    const back = await filesAt(context, theme, revision, file)
    return { back, checked: await checkChange(context, theme, { files: back.files }) }
  },
  async run(context, { id, revision, file }, prepared) {
    const theme = await getTheme(context.db, id)
    const { files, vouched } = prepared?.back ?? (await filesAt(context, theme, revision, file))
    const vouching = (path: string) => vouched.get(path) ?? null
    const changed = await writeFiles(context, id, files, { prepared: prepared?.checked, vouching })
    return wrote(context.db, id, changed, { problems: prepared?.checked.problems ?? [], ...(file !== undefined && { file }) })
  },
})

/** The changes that restore a revision, with its facts about the writers. Files that were added since are removed. */
interface EarlierState {
  readonly files: FileChanges
  readonly vouched: ReadonlyMap<string, string | null>
}

async function filesAt({ db }: Pick<Context, 'db'>, theme: Theme, revision: number, file?: string): Promise<EarlierState> {
  const then = file === undefined ? await revisionsAt(db, theme.slug, revision) : [[file, revision] as const]
  const found = await Promise.all(
    then.map(async ([path, number]) => [path, await earlierFile(db, theme.slug, path, number)] as const),
  )
  const files = new Map<string, string | undefined>(found.map(([path, { text }]) => [path, text]))
  if (file === undefined) for (const path of theme.own.keys()) if (!files.has(path)) files.set(path, undefined)
  return { files, vouched: new Map(found.map(([path, { vouched }]) => [path, vouched])) }
}

/** Returns the revision of each file in a state of a theme. @throws Failure `not_found` */
async function revisionsAt(db: Context['db'], slug: string, revision: number): Promise<readonly (readonly [string, number])[]> {
  const files = JSON.parse(await getSnapshot(db, 'theme_revision', slug, revision)) as Record<string, number>
  return Object.entries(files)
}
