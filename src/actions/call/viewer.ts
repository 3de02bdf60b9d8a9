// The caller of a call as one who is told of other people's changes.

import type { Viewer } from '../../activity/who.ts'
import type { Context } from './action.ts'
import { isVisible } from './registry.ts'

/** Returns the caller, with whether it may list the records that name tokens. */
export function viewerOf({ site, caller }: Pick<Context, 'site' | 'caller'>): Viewer {
  const list = site.registry.find('SVC_Activity.list')
  return { caller, seesRecords: list !== undefined && isVisible(list, caller) }
}
