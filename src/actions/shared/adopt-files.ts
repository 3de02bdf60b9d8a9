// Adopts files of skills and themes that the owner edited in their folders. store/core/file-mirror.ts finds them; here they become
// calls of actions, so that checks, activity, undo and caches apply to them.

import { system } from '../../identity/caller.ts'
import { slugOf } from '../../skills/skill-file.ts'
import type { FileEdit, FileMirror } from '../../store/core/file-mirror.ts'
import { isBinary } from '../../themes/theme-path.ts'
import type { Context } from '../call/action.ts'
import { dispatch } from '../call/dispatch.ts'
import type { Services } from '../call/services.ts'

/** `always`, for writes, looks for edits even if the last look was less than a second ago. */
interface Look {
  readonly always?: boolean
}

/**
 * Adopts edited files before skills are shown or changed. Returns undefined if no look is necessary. Never throws: a file that
 * can't be adopted, for example during maintenance, is tried again the next time.
 */
export const adoptSkills = (context: Context, look: Look = {}): Promise<void> | undefined =>
  adopt(context, look, context.site.skills, ({ name, content }) =>
    content ? { name: 'SVC_Skills.put', input: { ...content } } : { name: 'SVC_Skills.delete', input: { id: slugOf(name) } },
  )

/**
 * Adopts edited files before themes are shown or changed, as `adoptSkills` does. An edit that fails, for example because it breaks
 * a page of the active theme, stays in the folder, and the log reports it.
 */
export const adoptThemes = (context: Context, look: Look = {}): Promise<void> | undefined =>
  adopt(context, look, context.site.themes.mirror, ({ name, content }) => {
    const slash = name.indexOf('/')
    const [id, file] = [name.slice(0, slash), name.slice(slash + 1)]
    if (content === undefined) return { name: 'SVC_Themes.remove', input: { id, file } }
    return { name: 'SVC_Themes.write', input: { id, file, ...(isBinary(file) ? { base64: content } : { text: content }) } }
  })

interface EditCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

function adopt<Content>(
  { caller, inTransaction, site }: Context,
  { always = false }: Look,
  mirror: FileMirror<Content>,
  callOf: (edit: FileEdit<Content>) => EditCall,
): Promise<void> | undefined {
  // The calls below must not look again, and a transaction can't wait for another one.
  if (caller.door === 'system' || inTransaction) return undefined
  const looking = mirror.look(always)
  return looking && takeOver(site, mirror, looking, callOf)
}

async function takeOver<Content>(
  site: Services,
  mirror: FileMirror<Content>,
  looking: Promise<readonly FileEdit<Content>[]>,
  callOf: (edit: FileEdit<Content>) => EditCall,
): Promise<void> {
  for (const edit of await looking) {
    const outcome = await dispatch(site, system, { ...callOf(edit), options: {} }, { origin: '' })
    if (!outcome.ok && outcome.failure.code !== 'not_found') mirror.refused(edit, outcome.failure)
  }
}
