// The words of actions in the language of a page. Declarations have the English words. The other languages have one message for
// each, under the action's own key, such as `content.update.did`.

import { type Action, clauseOf } from '../actions/call/action.ts'
import { html, Html, type HtmlValue } from '../doors/shared/html.ts'
import { filled } from '../base/message-form.ts'
import { withCode } from './parts/with-code.ts'
import type { Visit } from './visit.ts'
import { isMessage, type Words } from './words.ts'

/** The words of an action that exist in every language. Only actions that write have `did`. */
export const actionParts = ['title', 'summary', 'did'] as const
export type ActionPart = (typeof actionParts)[number]

/** Returns a key such as `content.update.did`. Actions of plugins keep their full class name, and have no messages. */
export const actionKey = ({ class: ofClass, name }: Pick<Action, 'class' | 'name'>, part?: ActionPart): string =>
  [ofClass.startsWith('SVC_') ? ofClass.slice(4).toLowerCase() : ofClass, name, ...(part ? [part] : [])].join('.')

export function wordOf(t: Words, action: Action, part: ActionPart): string {
  const english = part !== 'did' ? action[part] : action.effect === 'read' ? clauseOf(action.summary) : action.did
  return t.twin(actionKey(action, part)) ?? english
}

/**
 * Chooses between the two forms of a text: `[{title}
 * an entry]` has one for a known object and one for an unknown object.
 */
function formFor(text: string, isKnown: boolean): string {
  if (!text.includes('{title}')) return text
  const chosen = text.replace(/\[([^[\]|]*)(?:\|([^[\]|]*))?\]/g, isKnown ? '$1' : '$2')
  return isKnown ? chosen : chosen.replace('{title}', '').replace(/ {2,}/g, ' ').trim()
}

/**
 * Returns a text about an object with the name of the object in it. If the text has no place for the name, the name comes first.
 */
export function about(text: string, title?: string): string {
  const form = capitalised(formFor(text, title !== undefined))
  if (title === undefined) return form
  return form.includes('{title}') ? filled(form, (name) => (name === 'title' ? title : undefined)) : `${form}: ${title}`
}

/** The title of an action without an object, as plain text. */
export const titleWord = (t: Words, action: Action): string => about(wordOf(t, action, 'title')).replaceAll('`', '')

/** The title of the action of a call. An action that is gone, such as a plugin's, has only its name. */
export function callWord({ site, t }: Pick<Visit, 'site' | 't'>, call: string): string {
  const action = site.registry.find(call)
  return action ? titleWord(t, action) : call
}

/** Returns the same as markup. @param title undefined or false for no object */
export function aboutLinked(text: string, title: HtmlValue): Html {
  const isKnown = title !== undefined && title !== false
  const form = withCode(capitalised(formFor(text, isKnown))).toString()
  if (!isKnown || form.includes('{title}'))
    return new Html(filled(form, (name) => (name === 'title' ? html`${title}`.toString() : undefined)))
  return html`${new Html(form)}: ${title}`
}

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The message key of a record that has a summary and no action: `recorded.changes_a_password`. */
export const recordedKey = (summary: string): string =>
  `recorded.${summary
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_$/, '')}`

/**
 * Says what a record did. The summary of a record comes first if it differs from its action's. One example is a connection that was
 * ended because its code was used twice. An accepted change stands under the name of its proposer, who accepted nothing.
 */
export function doneWord(
  { site, t }: Pick<Visit, 'site' | 't'>,
  record: { readonly call: string; readonly summary: string; readonly accepted_by?: string | null },
): string {
  if (record.accepted_by) return t('activity.as_proposed')
  const action = site.registry.find(record.call)
  if (action?.summary === record.summary) return wordOf(t, action, 'did')
  const key = recordedKey(record.summary)
  return isMessage(key) ? t(key) : clauseOf(record.summary)
}
