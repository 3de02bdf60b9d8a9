// The list of all actions of the core. An action that is not in it can't be called.

import type { Action } from './action.ts'
import { accounts } from './classes/svc-accounts/index.ts'
import { activity } from './classes/svc-activity/index.ts'
import { apiActions } from './classes/svc-api/index.ts'
import { apps } from './classes/svc-apps/index.ts'
import { backups } from './classes/svc-backup/index.ts'
import { content } from './classes/svc-content/index.ts'
import { docs } from './classes/svc-docs/index.ts'
import { plugins } from './classes/svc-plugins/index.ts'
import { jobs } from './classes/svc-jobs/index.ts'
import { logs } from './classes/svc-logs/index.ts'
import { health } from './classes/svc-health/index.ts'
import { media } from './classes/svc-media/index.ts'
import { proposals } from './classes/svc-proposals/index.ts'
import { search } from './classes/svc-search/index.ts'
import { settings } from './classes/svc-settings/index.ts'
import { skills } from './classes/svc-skills/index.ts'
import { redirects } from './classes/svc-redirects/index.ts'
import { menus } from './classes/svc-menus/index.ts'
import { stats } from './classes/svc-stats/index.ts'
import { terms } from './classes/svc-terms/index.ts'
import { themes } from './classes/svc-themes/index.ts'
import { tokens } from './classes/svc-tokens/index.ts'
import { types } from './classes/svc-types/index.ts'

/** The actions of the core, in the order of `list-actions`. */
export function allActions(): readonly Action[] {
  return [
    ...apiActions(),
    ...Object.values(docs),
    ...Object.values(content),
    ...Object.values(types),
    ...Object.values(terms),
    ...Object.values(menus),
    ...Object.values(redirects),
    ...Object.values(media),
    ...Object.values(search),
    ...Object.values(stats),
    ...Object.values(themes),
    ...Object.values(settings),
    ...Object.values(skills),
    ...Object.values(accounts),
    ...Object.values(tokens),
    ...Object.values(apps),
    ...Object.values(plugins),
    ...Object.values(activity),
    ...Object.values(proposals),
    ...Object.values(backups),
    ...Object.values(jobs),
    ...Object.values(health),
    ...Object.values(logs),
  ]
}
