// The destinations of menu items on pages of a further language: the translation of their entry if visitors may see one. An item
// without a translation keeps its target, so no page is lost.

import { eachItem, type StoredMenuItem } from '../../store/change/menu-references.ts'
import type { Db } from '../../store/core/database.ts'
import { isPublished } from '../entries/entry.ts'
import { type LanguageBranch, languagePath } from '../languages/languages.ts'

/** The translation that replaces a menu item's target. */
export interface TranslatedItem {
  readonly title: string
  readonly path: string
}

/** Finds the translations of the targets of items: entries, and addresses that are the path of an entry. Two or three queries. */
export async function translateTargets(
  db: Db,
  items: readonly StoredMenuItem[],
  { branch }: LanguageBranch,
  now: number,
): Promise<(item: Pick<StoredMenuItem, 'entry' | 'url'>) => TranslatedItem | undefined> {
  if (branch === null) return () => undefined
  const all = [...eachItem(items)]
  const ids = all.flatMap(({ entry }) => entry ?? [])
  const paths = all.flatMap(({ url }) => (url?.startsWith('/') ? url : []))
  const targets = await db
    .selectFrom('entry')
    .select(['id', 'path', 'translation_of'])
    .where((eb) => eb.or([eb('id', 'in', ids), eb('path', 'in', paths)]))
    .execute()
  const groups = [...new Set(targets.map(({ id, translation_of: group }) => group ?? id))]
  const members = db.selectFrom('entry').select(['id', 'title', 'path', 'status', 'unpublish_at', 'translation_of', 'locale'])
  // Two queries, because each uses its own index.
  const found = [
    ...(await members.where('id', 'in', groups).execute()),
    ...(await members.where('translation_of', 'in', groups).execute()),
  ]
  const byGroup = new Map(
    found.flatMap(({ id, translation_of: group, title, path, ...row }) =>
      path !== null && row.locale === branch && isPublished(row, now) ? [[group ?? id, { title, path }] as const] : [],
    ),
  )
  const byTarget = new Map<string, TranslatedItem>()
  for (const { id, path, translation_of: group } of targets) {
    const translation = byGroup.get(group ?? id)
    if (!translation) continue
    byTarget.set(id, translation)
    if (path !== null) byTarget.set(path, translation)
  }
  return ({ entry, url }) =>
    url === '/' ? { title: '', path: languagePath(branch) } : (byTarget.get(entry ?? '') ?? byTarget.get(url ?? ''))
}
