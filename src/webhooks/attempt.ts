// One try of a delivery: a POST that is signed for the time of the try, and its outcome. Only 2xx is success.

import { cutText } from '../base/cut-text.ts'
import { Failure } from '../base/failure.ts'
import type { SiteKey } from '../identity/site-key.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../store/core/schema.ts'
import { secretsOf } from './endpoint-store.ts'
import { readRetryAfter } from './schedule.ts'
import { signatureOf } from './signature.ts'

const timeoutMs = 20_000
/** A longer answer counts as none. */
const maxAnswerBytes = 64 * 1024
/** The characters of an answer that are kept. */
const keptChars = 4096

export interface DeliveryAttempt {
  /** Null without an answer. */
  readonly status: number | null
  readonly answer: string | null
  readonly error: string | null
  readonly retryAfterMs: number | undefined
}

/** True if the receiver has taken the event. */
export const isTaken = ({ status }: Pick<DeliveryAttempt, 'status'>): boolean => status !== null && status >= 200 && status < 300

interface Parts {
  readonly key: SiteKey
  readonly outbound: Pick<Outbound, 'fetch'>
}

/** Sends a delivery once. It never throws: a failure is an outcome. */
export async function attempt(
  { key, outbound }: Parts,
  endpoint: WebhookRow,
  { id, body }: Pick<WebhookDeliveryRow, 'id' | 'body'>,
  now: number,
  signal?: AbortSignal,
): Promise<DeliveryAttempt> {
  const secrets = secretsOf(key, endpoint, now)
  if (secrets.length === 0) return failed('The secret was sealed with another key of the site. Rotate it: SVC_Webhooks.update')
  const timestamp = Math.floor(now / 1000)
  try {
    const answer = await outbound.fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Postern-Webhooks',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf(secrets, { id, timestamp, body }),
      },
      body,
      maxHops: 0,
      timeoutMs,
      maxBytes: maxAnswerBytes,
      ...(signal && { signal }),
    })
    return {
      status: answer.status,
      answer: cutText(new TextDecoder().decode(answer.body), keptChars),
      error: null,
      retryAfterMs: readRetryAfter(answer.headers['retry-after']?.toString(), now),
    }
  } catch (error) {
    if (error instanceof Failure) return failed(error.message)
    throw error
  }
}

const failed = (error: string): DeliveryAttempt => ({ status: null, answer: null, error, retryAfterMs: undefined })

/** The outcome in words, for people. */
export function outcomeOf({ status, error }: Pick<DeliveryAttempt, 'status' | 'error'>): string {
  if (status === null) return error ?? 'There was no answer.'
  if (isTaken({ status })) return `The receiver answered ${status}.`
  const redirect = status >= 300 && status < 400 ? ' A redirect counts as a failure: give the address that it leads to.' : ''
  return `The receiver answered ${status}.${redirect}`
}
