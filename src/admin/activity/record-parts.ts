// The parts of a record of activity: who did what to which objects, through which door.

import type { ActivityItem } from '../../actions/activity/record-item.ts'
import { activity } from '../../actions/activity/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Door } from '../../identity/caller.ts'
import { aboutLinked, doneWord } from '../action-words.ts'
import { objectLink } from '../parts/object-link.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { proposalTitle } from './proposal-words.ts'

/** The doors in words. */
export const doorWords: Readonly<Record<Door, MessageKey>> = {
  mcp: 'activity.door_mcp',
  api: 'activity.door_api',
  admin: 'activity.door_admin',
  oauth: 'activity.door_oauth',
  cli: 'activity.door_cli',
  plugin: 'activity.door_plugin',
  system: 'activity.door_system',
}

/** A door in words; a door that only another release has stays as it is written. */
export const doorWord = (t: Words, door: string): string => {
  const key = Object.hasOwn(doorWords, door) ? doorWords[door as Door] : undefined
  return key === undefined ? door : t(key)
}

/** The author: the person, or the token or app, with its person if that is not the visitor, and with who accepted it. */
export function authorOf(
  { session, t }: SignedIn,
  { by, account, token_name: token, accepted_by: accepted }: Pick<ActivityItem, 'by' | 'account' | 'token_name' | 'accepted_by'>,
): string {
  const isOwn = token === null || token === by || account === session.account.id
  return acceptedWords(t, isOwn ? (token ?? makerWord(t, by)) : t('activity.token_for', { token, by }), accepted)
}

/** The names that changes without an account have (`nameOf` in `identity/caller.ts`). */
const makers: Readonly<Record<string, MessageKey>> = {
  'command line': 'activity.by_command_line',
  anonymous: 'activity.by_nobody',
}

/** The name of who made a change. */
export const makerWord = (t: Words, by: string): string => {
  const key = Object.hasOwn(makers, by) ? makers[by] : undefined
  return key === undefined ? by : t(key)
}

/** The author with the person who accepted the change, such as “Draft helper, accepted by Anna”. */
export const acceptedWords = (t: Words, author: string, accepted: string | null): string =>
  accepted === null || accepted === author ? author : t('activity.accepted_for', { author, by: accepted })

/** The titles of the objects that a record changed; nothing if it changed none. */
export function titlesOf(visit: SignedIn, { objects }: Pick<ActivityItem, 'objects'>): HtmlValue {
  if (objects.length === 0) return undefined
  // A proposal that replaces another has its title.
  const isNew = ({ kind, title }: (typeof objects)[number], place: number): boolean =>
    kind !== 'proposal' || objects.findIndex((one) => one.kind === kind && one.title === title) === place
  return objects.filter(isNew).map((object, place) => {
    const title = object.kind === 'proposal' && object.title !== null ? proposalTitle(visit, object.title) : object.title
    return html`${place > 0 ? ', ' : ''}${objectLink(visit.request, { ...object, title }, visit.t)}`
  })
}

/** Calls whose sentence is about the last object that they change. The one before is the theme that was active until then. */
const aboutTheLast: ReadonlySet<string> = new Set(['SVC_Themes.activate'])

/** The sentence that says what was done to which objects. */
export function whatOf(visit: SignedIn, item: ActivityItem): Html {
  const objects = aboutTheLast.has(item.call) ? item.objects.slice(-1) : item.objects
  return html`<span class="what">${aboutLinked(doneWord(visit, item), titlesOf(visit, { objects }))}</span>`
}

/** The page of one record, with its differences. */
export const recordPath = ({ request }: SignedIn, id: string): string =>
  `${linkTo(request, adminPaths.activity)}?id=${encodeURIComponent(id)}`

/** The page that shows what an undo would change. */
export const undoPath = ({ request }: SignedIn, ids: readonly string[]): string =>
  `${linkTo(request, adminPaths.undo)}?ids=${ids.map(encodeURIComponent).join(',')}`

/** Returns true if a record is an undo. Undoing it is a redo. */
export const isUndo = ({ call }: Pick<ActivityItem, 'call'>): boolean => call === `${activity.undo.class}.${activity.undo.name}`
