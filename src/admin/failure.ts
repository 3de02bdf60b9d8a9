// Failures in the admin: a page in plain words, and an HTTP status for each failure code of an action.

import type { ProgramServices, SettingsServices } from '../actions/call/services.ts'
import { failureStatus } from '../doors/shared/failure-status.ts'
import type { Code, Failure } from '../base/failure.ts'
import { html } from '../doors/shared/html.ts'
import type { HttpFailure } from '../http/failure.ts'
import type { AddressKind } from '../http/fetch-metadata.ts'
import { html as htmlReply, json, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import { basePathOf } from '../base/config.ts'
import { brand, document } from './layout.ts'
import { faultBox } from './parts/fields.ts'
import { adminPaths } from './paths.ts'
import { adminHeaders } from './reply.ts'
import { copyable, copyScript } from './script.ts'
import { type MessageKey, type Words, wordsOf } from './words.ts'

/** The status of a form that an action refused. An invalid form can be corrected (422), and a hidden action is forbidden (403). */
export const formStatus: Readonly<Record<Code, number>> = { ...failureStatus, invalid: 422, unknown_action: 403 }

/**
 * The message of a failure in the language of the page, with its hint and the reference of its log line. A hint that names an
 * action or an argument is for programs.
 */
export function sentenceOf({ message, detail }: Failure, t: Words): string {
  const { hint, reference } = detail
  const log = reference === undefined || message.includes(reference) ? undefined : t('shell.logged_as', { reference })
  const said = hint === undefined ? undefined : t.said(hint)
  return [t.said(message), said !== undefined && !/SVC_|`/.test(said) ? said : undefined, log]
    .filter((part) => part !== undefined)
    .join(' ')
}

const titles: Readonly<Record<number, MessageKey>> = {
  400: 'shell.failure_400',
  403: 'shell.failure_403',
  404: 'shell.failure_404',
  405: 'shell.failure_405',
  429: 'shell.failure_429',
}

/** The answer to a failure that no page of the admin has handled: a page, or JSON for a script. */
export function adminFailure(
  { config, settings }: ProgramServices & SettingsServices,
  { status, message, headers, copy }: HttpFailure,
  request: Request | undefined,
  kind?: AddressKind,
): Reply {
  const head = { ...adminHeaders(request?.scheme ?? 'http'), ...headers }
  const t = wordsOf(request)
  const sentence = t.said(message)
  if (kind === 'script') return json(status, { message: sentence }, head)
  const title = t(titles[status] ?? 'shell.failure_other')
  const base = request?.basePath ?? basePathOf(config)
  const text = document({
    t,
    base,
    title,
    kind: 'narrow',
    header: brand(settings.values.site_title),
    scripts: copy === undefined ? [] : [copyScript],
    body: html`<section class="card">
      <h1>${title}</h1>
      ${request?.method === 'POST' ? faultBox(sentence) : html`<p>${sentence}</p>`}
      ${copy !== undefined && html`<p class="address">${copyable(t('shell.the_line'), copy)}</p>`}
      <p><a href="${base + adminPaths.home}">${t('shell.go_to_admin')}</a></p>
    </section>`,
  })
  return htmlReply(status, text, head)
}
