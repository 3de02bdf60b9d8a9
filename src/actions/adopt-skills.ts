// Skill files that the owner edited become changes like any other: the same actions, run by Postern itself, so that activity, undo and
// caches see them. What was edited is found by skills/skill-mirror.ts.

import { system } from '../identity/caller.ts'
import type { SkillEdit } from '../skills/skill-mirror.ts'
import type { Context } from './action.ts'
import { dispatch } from './dispatch.ts'
import type { Services } from './services.ts'

/**
 * Takes over what was edited on disk, before skills are shown or changed. Undefined where there was no need to look. Never throws: what
 * can't be taken over now, as on a site in maintenance, is tried again when skills are next asked for.
 * @param always also where that was done less than a second ago: before a write
 */
export function adoptSkills(context: Context, { always = false } = {}): Promise<void> | undefined {
  // What is being taken over is not looked for again; and within a transaction there is no other.
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
