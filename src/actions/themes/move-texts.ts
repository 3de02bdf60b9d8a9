// SVC_Themes.move-texts: writes the texts of a front page that are settings of a theme into the home page, as sections that people
// and assistants can edit. The site does so once by itself after an upgrade (`move-texts-turn.ts`).

import { changeEntry } from '../../content/entries/write-entry.ts'
import { closed } from '../../base/schema.ts'
import { Failure } from '../../base/failure.ts'
import { findActive, getTheme } from '../../themes/theme-store.ts'
import type { Db } from '../../store/core/database.ts'
import { action } from '../call/action.ts'
import { getWritable, writingOf } from '../content/writing.ts'
import { adoptThemes } from '../shared/adopt-files.ts'
import { rowToWrite } from './changing.ts'
import { planHome } from './home-plan.ts'
import { themeWrite, writeOutput, wrote } from './item.ts'

/** The fact that texts were moved, with the slug of their theme. It stays when the move is undone. */
const factName = 'home_texts_moved'

export const wereTextsMoved = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('site_fact').select('name').where('name', '=', factName).executeTakeFirst()) !== undefined

export const moveTexts = action('SVC_Themes.move-texts', {
  title: 'Move the texts of [the theme {title}|a theme] into the home page',
  summary: 'Moves the texts of the front page that are settings of the active theme into the home page, as sections.',
  did: 'moved the texts of [the theme {title}|a theme] into the home page',
  ...themeWrite,
  effect: 'write',
  failures: ['conflict', 'unprocessable', 'too_large'],
  input: closed({}),
  output: writeOutput,
  examples: [{ title: 'After an upgrade', input: {} }],
  async prepare(context) {
    await adoptThemes(context, { always: true })
    return planHome(context, await getTheme(context.db, await findActive(context.db)))
  },
  async run(context, _input, { settings, pages }) {
    const { change, db } = context
    const slug = await findActive(db)
    const { chosen } = await getTheme(db, slug)
    if (settings.length === 0) return wrote(db, slug, [])
    for (const { entry, body } of pages) {
      const row = await getWritable(context, entry.id)
      if (row.revision !== entry.revision || settings.some((id) => !Object.hasOwn(chosen, id)))
        throw new Failure('conflict', 'Another writer changed the home page or the theme at the same moment: repeat the call.', {
          id: entry.id,
        })
      await changeEntry(writingOf(context), row, { body })
    }
    const kept = Object.fromEntries(Object.entries(chosen).filter(([id]) => !settings.includes(id)))
    await change.update('theme', await rowToWrite(context, slug), { settings: JSON.stringify(kept) })
    await db
      .insertInto('site_fact')
      .values({ name: factName, value: slug })
      .onConflict((on) => on.column('name').doNothing())
      .execute()
    return wrote(db, slug, settings)
  },
})
