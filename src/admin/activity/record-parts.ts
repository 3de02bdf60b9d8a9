// How a record of activity is shown: who did what to which objects, through which door.

import type { ActivityItem } from '../../actions/classes/svc-activity.ts'
import { undo } from '../../actions/classes/undo.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Door } from '../../identity/caller.ts'
import { objectLink } from '../parts/object-link.ts'
import { withCode } from '../parts/with-code.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'

/** The doors, as people call them. */
export const doorWords: Readonly<Record<Door, MessageKey>> = {
  mcp: 'activity.door_mcp',
  api: 'activity.door_api',
  admin: 'activity.door_admin',
  oauth: 'activity.door_oauth',
  cli: 'activity.door_cli',
  plugin: 'activity.door_plugin',
  system: 'activity.door_system',
}

/** The first clause of a summary says what was done; the rest is for callers of the action. */
export const firstClause = (summary: string): string => summary.replace(/(?:[,;:]|\. ).*$/s, '').replace(/\.?$/, '')

/** Who did it: the person, and the token or app where there is one. */
export const authorOf = ({ t }: SignedIn, { by, token_name: token }: Pick<ActivityItem, 'by' | 'token_name'>): string =>
  token === null || token === by ? by : t('activity.token_for', { token, by })

/** The titles of the objects that a record changed. Nothing where it changed none. */
export function titlesOf({ request, t }: SignedIn, { objects }: Pick<ActivityItem, 'objects'>): HtmlValue {
  if (objects.length === 0) return undefined
  return objects.map((object, place) => html`${place > 0 ? ', ' : ''}${objectLink(request, object, t)}`)
}

/** What was done: the titles, and the action in words. */
export function whatOf(visit: SignedIn, item: ActivityItem): Html {
  const titles = titlesOf(visit, item)
  const clause = withCode(firstClause(item.summary))
  return titles
    ? html`<span class="what">${titles} <span class="quiet">${clause}</span></span>`
    : html`<span class="what">${clause}</span>`
}

/** The page of one record, with its differences. */
export const recordPath = ({ request }: SignedIn, id: string): string =>
  `${linkTo(request, adminPaths.activity)}?id=${encodeURIComponent(id)}`

/** The page that says what would be taken back. */
export const takeBackPath = ({ request }: SignedIn, ids: readonly string[]): string =>
  `${linkTo(request, adminPaths.takeBack)}?ids=${ids.map(encodeURIComponent).join(',')}`

/** Whether a record is an undo. To take it back is to redo. */
export const isUndo = ({ call }: Pick<ActivityItem, 'call'>): boolean => call === `${undo.class}.${undo.name}`
