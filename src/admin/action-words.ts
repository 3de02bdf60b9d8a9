// The words of actions in the language of a page. Their English stands in their declarations, and other languages have a message for each under the
// action's own key, such as `content.update.did`.

import { type Action, clauseOf } from '../actions/action.ts'
import { html, Html, type HtmlValue } from '../doors/html.ts'
import { filled } from '../message-form.ts'
import { withCode } from './parts/with-code.ts'
import type { Visit } from './visit.ts'
import { isMessage, type Words } from './words.ts'

/** The words of an action that are told in every language. `did` is only of actions that write. */
export const actionParts = ['title', 'summary', 'did'] as const
export type ActionPart = (typeof actionParts)[number]

/** `content.update.did`. Actions of plugins have their whole class, and no messages. */
export const actionKey = ({ class: ofClass, name }: Pick<Action, 'class' | 'name'>, part?: ActionPart): string =>
  [ofClass.startsWith('SVC_') ? ofClass.slice(4).toLowerCase() : ofClass, name, ...(part ? [part] : [])].join('.')

/** A text of an action with its placeholder. */
export function wordOf(t: Words, action: Action, part: ActionPart): string {
  const english = part !== 'did' ? action[part] : action.effect === 'read' ? clauseOf(action.summary) : action.did
  return t.twin(actionKey(action, part)) ?? english
}

/** The text for a known object, or for none: `[{title}|an entry]` has both. */
function formFor(text: string, isKnown: boolean): string {
  if (!text.includes('{title}')) return text
  const chosen = text.replace(/\[([^[\]|]*)(?:\|([^[\]|]*))?\]/g, isKnown ? '$1' : '$2')
  return isKnown ? chosen : chosen.replace('{title}', '').replace(/ {2,}/g, ' ').trim()
}

/** A text about an object, whose name is put into it; an object that the text has no place for stands before it. */
export function about(text: string, title?: string): string {
  const form = capitalised(formFor(text, title !== undefined))
  if (title === undefined) return form
  return form.includes('{title}') ? filled(form, (name) => (name === 'title' ? title : undefined)) : `${form}: ${title}`
}

/** The same as markup. @param title undefined or false for no object */
export function aboutLinked(text: string, title: HtmlValue): Html {
  const isKnown = title !== undefined && title !== false
  const form = withCode(capitalised(formFor(text, isKnown))).toString()
  if (!isKnown || form.includes('{title}'))
    return new Html(filled(form, (name) => (name === 'title' ? html`${title}`.toString() : undefined)))
  return html`${new Html(form)}: ${title}`
}

/** A text as the beginning of a sentence. */
const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The message for a record without an action of its summary: `recorded.changes_a_password`. */
export const recordedKey = (summary: string): string =>
  `recorded.${summary
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_$/, '')}`

/**
 * What a record did. A record with another summary than its action, such as that of a connection that was ended because its code was used twice, says
 * what its summary says.
 */
export function doneWord(
  { site, t }: Pick<Visit, 'site' | 't'>,
  record: { readonly call: string; readonly summary: string },
): string {
  const action = site.registry.find(record.call)
  if (action?.summary === record.summary) return wordOf(t, action, 'did')
  const key = recordedKey(record.summary)
  return isMessage(key) ? t(key) : clauseOf(record.summary)
}
