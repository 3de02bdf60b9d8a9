// The list of all actions of the core. An action that is not in it can't be called.

import type { Action } from './call/action.ts'
import { accounts } from './accounts/index.ts'
import { activity } from './activity/index.ts'
import { apiActions } from './api/index.ts'
import { apps } from './apps/index.ts'
import { backups } from './backup/index.ts'
import { commentActions } from './comments/index.ts'
import { content } from './content/index.ts'
import { docs } from './docs/index.ts'
import { exportActions } from './exports/index.ts'
import { importActions } from './imports/index.ts'
import { plugins } from './plugins/index.ts'
import { jobs } from './jobs/index.ts'
import { logs } from './logs/index.ts'
import { health } from './health/index.ts'
import { media } from './media/index.ts'
import { proposals } from './proposals/index.ts'
import { search } from './search/index.ts'
import { settings } from './settings/index.ts'
import { siteActions } from './site/index.ts'
import { skills } from './skills/index.ts'
import { redirects } from './redirects/index.ts'
import { menus } from './menus/index.ts'
import { stats } from './stats/index.ts'
import { terms } from './terms/index.ts'
import { themes } from './themes/index.ts'
import { tokens } from './tokens/index.ts'
import { types } from './types/index.ts'
import { forms } from './forms/index.ts'
import { mailActions } from './mail/index.ts'
import { subscribers } from './subscribers/index.ts'
import { webhooks } from './webhooks/index.ts'

/** The actions of the core, in the order of `list-actions`. */
export function allActions(): readonly Action[] {
  return [
    ...apiActions(),
    ...Object.values(docs),
    ...Object.values(content),
    ...Object.values(commentActions),
    ...Object.values(types),
    ...Object.values(terms),
    ...Object.values(menus),
    ...Object.values(redirects),
    ...Object.values(media),
    ...Object.values(search),
    ...Object.values(stats),
    ...Object.values(themes),
    ...Object.values(settings),
    ...Object.values(siteActions),
    ...Object.values(skills),
    ...Object.values(accounts),
    ...Object.values(tokens),
    ...Object.values(apps),
    ...Object.values(plugins),
    ...Object.values(forms),
    ...Object.values(mailActions),
    ...Object.values(subscribers),
    ...Object.values(webhooks),
    ...Object.values(activity),
    ...Object.values(proposals),
    ...Object.values(importActions),
    ...Object.values(exportActions),
    ...Object.values(backups),
    ...Object.values(jobs),
    ...Object.values(health),
    ...Object.values(logs),
  ]
}
