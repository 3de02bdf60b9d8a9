// The files of the owner's themes and those in `user-content/themes/`, for the mirror that synchronizes them.

import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Store } from '../store/core/database.ts'
import { type FileMirror, Mirror } from '../store/core/file-mirror.ts'
import { bytesOf } from './theme.ts'
import { openThemeFolder } from './theme-folder.ts'

/** Names are `theme/path`; contents are texts as rows have them. */
export type ThemeMirror = FileMirror<string>

export function openThemeMirror({ read: db }: Store, home: string, clock: Clock, log: Log): ThemeMirror {
  const folder = openThemeFolder(join(home, 'user-content', 'themes'))
  return new Mirror({
    ...folder,
    kind: 'theme_file',
    word: 'theme',
    // A retry can't help: an edit that breaks a page still breaks it a second later.
    retries: false,
    clock,
    log,
    nameOf: (id) => id,
    findRow: (name) => db.selectFrom('theme_file').selectAll().where('id', '=', name).executeTakeFirst(),
    listRows: async () => new Map((await db.selectFrom('theme_file').selectAll().execute()).map((row) => [row.id, row])),
    async list() {
      const themes = await db.selectFrom('theme_file').select('theme').distinct().execute()
      return (await Promise.all(themes.map(({ theme }) => folder.list(theme)))).flat()
    },
    read: ({ name }) => folder.read(name),
    write: (name, { path, text }) => folder.write(name, bytesOf(path, text)),
    isSame: (text: string, row) => text === row.text,
  })
}
