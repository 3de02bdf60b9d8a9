// The form in which the admin says no: a page in plain words, and for each code of an action's failure a status.

import type { Services } from '../actions/services.ts'
import type { Code, Failure } from '../failure.ts'
import { html } from '../doors/html.ts'
import type { HttpFailure } from '../http/failure.ts'
import { html as htmlReply, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import { basePathOf } from '../config.ts'
import { brand, document } from './layout.ts'
import { adminPaths } from './paths.ts'
import { adminHeaders } from './reply.ts'
import { copyable, copyScript } from './script.ts'

/** The status of a form that an action refused. */
export const formStatus: Readonly<Record<Code, number>> = {
  malformed: 400,
  invalid: 422,
  unknown_action: 403,
  not_found: 404,
  conflict: 409,
  exists: 409,
  in_use: 409,
  key_reused: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  refused: 422,
  unreachable: 422,
  rate_limited: 429,
  failed: 500,
  unavailable: 503,
}

/** A failure's sentence, with what to do where that helps, and what finds its line in the log. */
export function sentenceOf({ message, detail }: Failure): string {
  const { hint, reference } = detail
  const log = reference === undefined || message.includes(reference) ? undefined : `The log has it as ${reference}.`
  return [message, hint, log].filter((part) => part !== undefined).join(' ')
}

const titles: Readonly<Record<number, string>> = {
  400: 'That form makes no sense',
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Not that way',
  429: 'Too many attempts',
}

/** What the admin says of a failure below it. */
export function adminFailure(
  { config, settings }: Services,
  { status, message, headers, copy }: HttpFailure,
  request: Request | undefined,
): Reply {
  const title = titles[status] ?? 'That did not work'
  const base = request?.basePath ?? basePathOf(config)
  const text = document({
    base,
    title,
    kind: 'narrow',
    header: brand(settings.values.site_title),
    script: copy === undefined ? undefined : copyScript,
    body: html`<section class="card">
      <h1>${title}</h1>
      <p>${message}</p>
      ${copy !== undefined && html`<p class="address">${copyable('the line', copy)}</p>`}
      <p><a href="${base + adminPaths.home}">To the admin</a></p>
    </section>`,
  })
  return htmlReply(status, text, { ...adminHeaders(request?.scheme ?? 'http'), ...headers })
}
