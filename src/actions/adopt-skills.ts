// Takes over skill files that the owner edited. skills/skill-mirror.ts finds them; here they become calls of actions, so that activity, undo
// and caches see them.

import { system } from '../identity/caller.ts'
import type { SkillEdit } from '../skills/skill-mirror.ts'
import type { Context } from './action.ts'
import { dispatch } from './dispatch.ts'
import type { Services } from './services.ts'

/**
 * Takes over edited files before skills are shown or changed. Returns undefined if there is no need to look. Never throws: a file that can't
 * be taken over, for example during maintenance, is tried again the next time.
 * @param always looks even if the last look was less than a second ago; for writes
 */
export function adoptSkills(context: Context, { always = false } = {}): Promise<void> | undefined {
  // The calls below must not look again, and a transaction can't wait for another one.
  if (context.caller.door === 'system' || context.inTransaction) return undefined
  const looking = context.site.skills.look(always)
  return looking && takeOver(context.site, looking)
}

async function takeOver(site: Services, looking: Promise<readonly SkillEdit[]>): Promise<void> {
  for (const edit of await looking) {
    const { slug, skill } = edit
    const call = skill ? { name: 'SVC_Skills.put', input: { ...skill } } : { name: 'SVC_Skills.delete', input: { id: slug } }
    const outcome = await dispatch(site, system, { ...call, options: {} }, { origin: '' })
    if (outcome.ok || outcome.failure.code === 'not_found') continue
    site.log.warn('skill file not taken over', { slug, failure: outcome.failure })
    site.skills.putBack(edit)
  }
}
