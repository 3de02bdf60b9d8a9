// Takes over theme files that the owner edited in the folder. themes/theme-mirror.ts finds them; here they become calls of actions, so that checks,
// activity, undo and caches see them.

import { system } from '../identity/caller.ts'
import type { ThemeFileEdit } from '../themes/theme-mirror.ts'
import { isBinary } from '../themes/theme-path.ts'
import type { Context } from './action.ts'
import { dispatch } from './dispatch.ts'
import type { Services } from './services.ts'

/**
 * Takes over edited files before themes are shown or changed. Returns undefined if there is no need to look. Never throws: an edit that fails, for
 * example because a page of the active theme can't be rendered with it, stays in the folder and in the log.
 * @param always looks even if the last look was less than a second ago; for writes
 */
export function adoptThemes(context: Context, { always = false } = {}): Promise<void> | undefined {
  // The calls below must not look again, and a transaction can't wait for another one.
  if (context.caller.door === 'system' || context.inTransaction) return undefined
  const looking = context.site.themes.mirror.look(always)
  return looking && takeOver(context.site, looking)
}

async function takeOver(site: Services, looking: Promise<readonly ThemeFileEdit[]>): Promise<void> {
  for (const edit of await looking) {
    const { theme: id, path: file, text } = edit
    const content = isBinary(file) ? { base64: text } : { text }
    const call =
      text === undefined
        ? { name: 'SVC_Themes.remove', input: { id, file } }
        : { name: 'SVC_Themes.write', input: { id, file, ...content } }
    const outcome = await dispatch(site, system, { ...call, options: {} }, { origin: '' })
    if (!outcome.ok && outcome.failure.code !== 'not_found') site.themes.mirror.refused(edit, outcome.failure)
  }
}
