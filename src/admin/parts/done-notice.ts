// The confirmation after a form, for all pages. The parameter `done` of the address names an action, which has its own words, or a
// message that says more. The layout shows the notice.

import type { Action } from '../../actions/call/action.ts'
import { html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { about, actionKey, wordOf } from '../action-words.ts'
import { adminPaths, linkTo, withParameter } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { Visit } from '../visit.ts'
import { isMessage, type MessageKey } from '../words.ts'
import { doneBox } from './fields.ts'

/** An action that has run, or a message whose key begins with `done_`. */
export type Done = Action | Extract<MessageKey, `${string}.done_${string}`>

/** The value of `done` in an address. @param count the number of objects, for a message with a plural */
export const doneValue = (what: Done, count?: number): string =>
  (typeof what === 'string' ? what : actionKey(what)) + (count === undefined ? '' : `-${count}`)

/** Returns the path of a page with the confirmation. */
export function donePath(path: string, what: Done, count?: number): string {
  const [page = '', place] = path.split('#', 2)
  return withParameter(page, 'done', doneValue(what, count)) + (place === undefined ? '' : `#${place}`)
}

/** Redirects to a page with the confirmation. */
export const goDone = (visit: Visit, path: string, what: Done, count?: number): Reply => goTo(visit, donePath(path, what, count))

/** Redirects to the page that shows the job, or the confirmation if there was no job. */
export const goAfter = (visit: Visit, path: string, job: string | undefined, what: Done): Reply =>
  job === undefined ? goDone(visit, path, what) : goTo(visit, withParameter(path, 'job', job))

/** The notice; nothing if the address names nothing, and after a refused form. */
export function doneNotice({ site, request, t }: Visit): HtmlValue {
  if (request.method !== 'GET') return undefined
  const [, key = '', count] = /^([a-z._-]+?)(?:-(\d{1,3}))?$/.exec(request.query.get('done') ?? '') ?? []
  if (/\.done_/.test(key) && isMessage(key)) return doneBox(t(key, { count: Number(count) }))
  const action = site.registry.all.find((one) => one.effect !== 'read' && actionKey(one) === key)
  if (!action) return undefined
  const what = about(wordOf(t, action, 'did'))
  const activity = html`<a href="${linkTo(request, adminPaths.activity)}">${t('shell.activity')}</a>`
  return doneBox(action.effect === 'write' ? t.rich('parts.undoable', { what, activity }) : `${what}.`)
}
