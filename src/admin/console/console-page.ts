// The actions console: a list of every action that the visitor may run, and one action with a form made from its schema. An action
// that changes something starts as a dry run. The page shows the same call for curl and for MCP next to the answer, so that people
// can learn to write scripts.

import { randomBytes } from 'node:crypto'
import { type Action, callName } from '../../actions/call/action.ts'
import { tokens } from '../../actions/tokens/index.ts'
import type { Call, Outcome } from '../../actions/call/call.ts'
import { dispatch } from '../../actions/call/dispatch.ts'
import type { CallOptions } from '../../actions/call/options.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { baseOf } from '../../doors/shared/paths.ts'
import type { Failure } from '../../base/failure.ts'
import { isUnproven } from '../../identity/check-limits.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain } from '../access/confirm-password.ts'
import { needsProofInConsole } from '../access/step-up.ts'
import { wordOf } from '../action-words.ts'
import { csrfField, type Fields, partsOf } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { notYours } from '../page.ts'
import { checkField, textField } from '../parts/fields.ts'
import { faultsOf, formTaker, type Work } from '../parts/post-form.ts'
import { linkButton, pageHead, searchField } from '../parts/table.ts'
import { withCode } from '../parts/with-code.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { curlLine, toolCall } from './call-lines.ts'
import { argumentsFrom, exampleValue, schemaFields } from './schema-form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'

/** GET; `action` chooses one, `search` narrows the list. */
export async function showConsole(visit: SignedIn): Promise<Reply> {
  const name = visit.request.query.get('action')
  if (name !== null) return actionReply(visit, actionNamed(visit, name))
  return listReply(visit)
}

function actionNamed(visit: SignedIn, name: string): Action {
  const { site, caller } = visit
  const action = site.registry.visibleTo(caller).find((one) => callName(one) === name)
  if (action) return action
  throw notYours(visit)
}

/** The badge for the effect of an action on the site. */
const effectBadges: Readonly<Record<Action['effect'], readonly [className: string, MessageKey]>> = {
  read: ['badge', 'console.effect_read'],
  write: ['badge good', 'console.effect_write'],
  act: ['badge warn', 'console.effect_act'],
  destroy: ['badge warn', 'console.effect_destroy'],
}

function effectBadge({ effect }: Action, t: Words): Html {
  const [name, key] = effectBadges[effect]
  return html`<span class="${name}">${t(key)}</span>`
}

function listReply(visit: SignedIn): Reply {
  const { request, site, caller, t } = visit
  const words = (request.query.get('search') ?? '').trim().toLowerCase().slice(0, 200)
  const found = site.registry
    .visibleTo(caller)
    .filter((action) => `${callName(action)} ${wordOf(t, action, 'summary')}`.toLowerCase().includes(words))
  const classes = byClass(found)
  const path = linkTo(request, adminPaths.console)
  const body = html`${pageHead(t('console.title'), t('console.lead'))} ${searchField(t, path, words, t('console.search'))}
  ${found.length === 0 && html`<p class="quiet">${t('console.none')}</p>`}
  ${[...classes].map(
    ([name, actions]) =>
      html`<section aria-labelledby="c-${name}">
        <h2 id="c-${name}">${name}</h2>
        <ul class="lines panel">
          ${actions.map(
            (action) =>
              html`<li>
                <span
                  ><a href="${path}?action=${callName(action)}">${action.name}</a> ${withCode(wordOf(t, action, 'summary'))}</span
                >
                ${effectBadge(action, t)}
              </li>`,
          )}
        </ul>
      </section>`,
  )}`
  return framedReply(visit, { title: t('console.title'), body })
}

function byClass(actions: readonly Action[]): ReadonlyMap<string, readonly Action[]> {
  const classes = new Map<string, Action[]>()
  for (const action of actions) classes.set(action.class, [...(classes.get(action.class) ?? []), action])
  return classes
}

/** The state after a form was sent: the values that were filled in, and the result. */
interface View extends Refused {
  readonly call?: Call
  readonly outcome?: Outcome
}

function actionReply(visit: SignedIn, action: Action, view: View = {}): Reply {
  const { t } = visit
  const name = callName(action)
  const failure = view.failure ?? (view.outcome?.ok === false ? view.outcome.failure : undefined)
  const body = html`${pageHead(
    name,
    withCode(wordOf(t, action, 'summary')),
    linkButton(visit, adminPaths.console, 'console.all'),
  )}
  ${answerOf(visit, view)} ${!view.fields && examplesOf(visit, action)} ${formOf(visit, action, view, failure)}
  ${sameCall(visit, view.call ?? (view.fields ? undefined : exampleCall(visit, action)))}`
  return framedReply(visit, { title: name, body, script: copyScript }, { ...view, failure })
}

function formOf(visit: SignedIn, action: Action, { fields, passwordFault, outcome }: View, failure: Failure | undefined): Html {
  const { request, t } = visit
  const example = chosenExample(visit, action) ?? {}
  const value = (name: string) =>
    fields ? (fields.has(name) ? fields.get(name) : undefined) : exampleValue(action.input, example, name)
  const field = failure?.detail.field
  const faults = faultsOf(t, failure, ['if_revision', 'select'])
  const writes = action.effect !== 'read'
  // Some calls only show when they run that they need the proof.
  const isAsked = passwordFault !== undefined || (failure !== undefined && isUnproven(failure))
  const asksForProof = isAsked || needsProofInConsole(visit.site.registry, callName(action))
  // After a successful dry run, the next click runs the action.
  const tries = fields ? fields.has('dry_run') && outcome?.ok !== true : true
  return html`<section class="panel">
    <form method="post" action="${linkTo(request, adminPaths.console)}?action=${callName(action)}" data-save>
      ${csrfField(visit, 'console')}
      ${schemaFields(t, action.input, value, failure && field !== undefined ? { field, message: t.said(failure.message) } : undefined)}
      ${
        writes &&
        html`<input type="hidden" name="key" value="${randomBytes(15).toString('base64url')}" />
          ${checkField({ name: 'dry_run', label: t('console.dry_run'), value: tries ? 'yes' : '', help: t('console.dry_run_help') })}`
      }
      ${takesRevision(action) && textField({ name: 'if_revision', label: 'if_revision', value: value('if_revision'), type: 'number', help: t('console.if_revision_help'), fault: faults.at('if_revision') })}
      ${textField({ name: 'select', label: 'select', value: value('select'), help: t('console.select_help'), fault: faults.at('select') })}
      ${asksForProof && passwordAgain(visit, passwordFault)}
      <p class="actions">
        <button class="${action.effect === 'destroy' ? 'danger' : 'primary'}">
          ${t('console.run', { action: callName(action) })}
        </button>
      </p>
    </form>
  </section>`
}

/** Returns the example that a link on the page chose. */
function chosenExample({ request }: SignedIn, action: Action): Readonly<Record<string, unknown>> | undefined {
  const place = Number(/^\d$/.exec(request.query.get('example') ?? '')?.[0] ?? -1)
  return action.examples[place]?.input
}

const examplesOf = ({ request, t }: SignedIn, action: Action): HtmlValue =>
  action.examples.length > 0 &&
  html`<section aria-labelledby="examples">
    <h2 id="examples">${t('console.examples')}</h2>
    <ul class="lines panel">
      ${action.examples.map(
        ({ title }, place) =>
          html`<li>
            <a href="${linkTo(request, adminPaths.console)}?action=${callName(action)}&amp;example=${place}">${title}</a>
          </li>`,
      )}
    </ul>
  </section>`

function answerOf({ t }: SignedIn, { call, outcome }: View): HtmlValue {
  if (!call || !outcome?.ok) return undefined
  const { dryRun = false } = call.options
  return html`<section class="panel" aria-labelledby="answer">
    <h2 id="answer">${t(dryRun ? 'console.would_happen' : 'console.answer')}</h2>
    ${dryRun && html`<p role="status">${t('console.nothing_done')}</p>`}
    <pre tabindex="0" role="region" aria-labelledby="answer">${JSON.stringify(outcome.data.parse(), undefined, 2)}</pre>
  </section>`
}

/** The same call for a shell and for MCP: the call that was sent, or the example that the form shows. */
function sameCall(visit: SignedIn, call: Call | undefined): HtmlValue {
  const { request, t } = visit
  if (!call) return undefined
  const token = mayRun(visit, tokens.list) && html`<a href="${linkTo(request, adminPaths.tokens)}">${t('console.a_token')}</a>`
  return html`<section class="panel" aria-labelledby="same">
    <h2 id="same">${t('console.same_call')}</h2>
    <p class="quiet">
      ${t.rich('console.in_shell', { token: token || t('console.a_token'), variable: html`<code>TOKEN</code>` })}
    </p>
    <p class="address">${copyable(t('console.shell_line'), curlLine(baseOf(request), call))}</p>
    <p class="quiet">${t('console.over_mcp')}</p>
    <p class="address">${copyable(t('console.mcp_call'), toolCall(call))}</p>
  </section>`
}

/** The call of an example, as a dry run. */
function exampleCall(visit: SignedIn, action: Action): Call | undefined {
  const input = chosenExample(visit, action)
  const options: CallOptions = action.effect === 'read' ? {} : { dryRun: true }
  return input && { name: callName(action), input, options }
}

/** Returns the action in the address. */
const askedAction = (visit: SignedIn): Action => actionNamed(visit, visit.request.query.get('action') ?? '')

const runAction: Work = async (visit, fields) => {
  const { request, site, caller } = visit
  const action = askedAction(visit)
  const input = argumentsFrom(visit.t, action.input, fields)
  const call: Call = { name: callName(action), input, options: optionsFrom(action, fields) }
  const proves = fields.get('password') !== '' || fields.get('code') !== ''
  const asks = call.options.dryRun !== true && (proves || needsProofInConsole(site.registry, call.name, call.input))
  const refused = asks ? await confirmPassword(visit, fields) : undefined
  if (refused) return actionReply(visit, action, { fields, ...refused })
  const outcome = await dispatch(site, caller, call, { origin: baseOf(request), signal: request.signal })
  // The key prevents a form that is sent twice from running twice. It has no use for a person who copies the call.
  const { idempotencyKey: _, ...options } = call.options
  return actionReply(visit, action, { fields, call: { ...call, options }, outcome })
}

export const runInConsole = formTaker('console', runAction, (visit, refused) => actionReply(visit, askedAction(visit), refused))

const takesRevision = (action: Action): boolean => action.effect !== 'read' && action.revisioned === true

function optionsFrom(action: Action, fields: Fields): CallOptions {
  const { effect } = action
  const select = partsOf(fields.get('select'), ',')
  const revision = fields.get('if_revision').trim()
  const dryRun = fields.has('dry_run')
  const key = fields.get('key')
  return {
    ...(select.length > 0 ? { select } : {}),
    ...(effect !== 'read' && dryRun ? { dryRun } : {}),
    ...(effect !== 'read' && !dryRun && key !== '' ? { idempotencyKey: key } : {}),
    ...(takesRevision(action) && revision !== '' ? { ifRevision: Number(revision) } : {}),
  }
}
