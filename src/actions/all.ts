// The list of all actions of the core. An action that is not in it can't be called.

import type { Action } from './action.ts'
import { accountActions } from './classes/svc-accounts.ts'
import { activityActions } from './classes/svc-activity.ts'
import { apiActions } from './classes/svc-api.ts'
import { appActions } from './classes/svc-apps.ts'
import { backups } from './classes/svc-backup/index.ts'
import { contentActions } from './classes/svc-content/index.ts'
import { docsActions } from './classes/svc-docs.ts'
import { pluginClassActions } from './classes/svc-plugins/index.ts'
import { jobActions } from './classes/svc-jobs.ts'
import { logActions } from './classes/svc-logs.ts'
import { healthActions } from './classes/svc-health.ts'
import { mediaActions } from './classes/svc-media/index.ts'
import { proposalActions } from './classes/svc-proposals.ts'
import { searchActions } from './classes/svc-search/index.ts'
import { settingsActions } from './classes/svc-settings.ts'
import { skillActions } from './classes/svc-skills.ts'
import { redirectActions } from './classes/svc-redirects/index.ts'
import { menus } from './classes/svc-menus/index.ts'
import { statsActions } from './classes/svc-stats.ts'
import { termActions } from './classes/svc-terms/index.ts'
import { themeActions } from './classes/svc-themes/index.ts'
import { tokenActions } from './classes/svc-tokens.ts'
import { typeActions } from './classes/svc-types/index.ts'

/** The actions of the core, in the order of `list-actions`. */
export function allActions(): readonly Action[] {
  return [
    ...apiActions(),
    ...docsActions,
    ...contentActions,
    ...typeActions,
    ...termActions,
    ...Object.values(menus),
    ...redirectActions,
    ...mediaActions,
    ...searchActions,
    ...statsActions,
    ...themeActions,
    ...settingsActions,
    ...skillActions,
    ...accountActions,
    ...tokenActions,
    ...appActions,
    ...pluginClassActions,
    ...activityActions,
    ...proposalActions,
    ...Object.values(backups),
    ...jobActions,
    ...healthActions,
    ...logActions,
  ]
}
