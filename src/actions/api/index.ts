import type { Action } from '../call/action.ts'
import { batch } from './batch.ts'
import { describeAction } from './describe-action.ts'
import { listActions } from './list-actions.ts'
import { openApi } from './openapi.ts'
import { welcomeAction } from './welcome.ts'

/** Returns the actions of the class. Each registry gets its own, because welcome caches texts. */
export const apiActions = (): readonly Action[] => [welcomeAction(), listActions, describeAction, batch, openApi]
