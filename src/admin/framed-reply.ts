// The reply with a page in the layout. A refused form decides the status of the page, and its fault stands in the banner.

import { html } from '../doors/shared/html.ts'
import type { Failure } from '../base/failure.ts'
import type { Reply } from '../http/reply.ts'
import { formStatus, sentenceOf } from './failure.ts'
import type { Fields } from './form.ts'
import { type AdminPageParts, framed } from './layout.ts'
import { faultBox } from './parts/fields.ts'
import { pageReply, type ReplyOptions } from './reply.ts'
import type { Visit } from './visit.ts'

/** The state of a page after a refused form; empty for a page that is only shown. */
export interface Refused {
  /** The values that were filled in. */
  readonly fields?: Fields | undefined
  readonly failure?: Failure | undefined
  /** A fault that is not a failure, and that no field shows. */
  readonly fault?: string | undefined
  /** The fault of a password or a code. */
  readonly passwordFault?: string | undefined
  /** The hidden `id` of the form with that fault, which names its object. */
  readonly proofOf?: string | undefined
  /** The status of a page without a failure; by default 200. */
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Shows a page. The banner has the faults that the page itself shows, and otherwise the failure. */
export function framedReply(visit: Visit, page: AdminPageParts, refused: Refused = {}, options: ReplyOptions = {}): Reply {
  const { failure, fault, passwordFault, status = failure ? formStatus[failure.code] : 200, headers = {} } = refused
  const isTold = page.body.refusals.length > 0
  const sentence = fault ?? (isTold ? undefined : (passwordFault ?? (failure && sentenceOf(failure, visit.t))))
  const document = framed(visit, { ...page, body: html`${faultBox(sentence)}${page.body}` })
  return pageReply(visit, status, document, { ...options, headers })
}
