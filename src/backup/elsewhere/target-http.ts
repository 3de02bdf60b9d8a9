// Requests to a target by HTTP: retries after failures that may pass, and the sentence of the server for the others. No redirect is
// followed, because the next address was never agreed to and would get the bytes.

import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../base/error-message.ts'
import { Failure } from '../../base/failure.ts'
import type { OutboundAnswer } from '../../outbound/outbound.ts'
import type { SentBytes, TargetParts } from './target.ts'

export interface TargetRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** A part of the sent bytes as the body. */
  readonly part?: { readonly of: SentBytes; readonly start: number; readonly end: number }
  readonly sink?: (part: Uint8Array) => Promise<void>
  readonly signal: AbortSignal
  /** The statuses that are no failure. */
  readonly accept: readonly number[]
}

/** Sends a request, in several attempts where that helps. @throws Failure `unreachable` */
export type AskTarget = (request: TargetRequest) => Promise<OutboundAnswer>

/** The pauses before further attempts. */
const pausesMs = [1000, 4000]
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/** The time without progress after which a request ends. */
const quietMs = 60_000
/** The time after the last byte of a large body, in which a server may still write it to its disks. */
const quietBodyMs = 300_000

/**
 * @param readSentence reads the sentence in an answer of this kind of server
 * @param headersFor the headers that are made anew for each attempt
 */
export function createAskTarget(
  { outbound, settings, secret }: TargetParts,
  readSentence: (text: string) => string,
  headersFor: (request: TargetRequest) => Promise<Readonly<Record<string, string>>>,
): AskTarget {
  const hide = hiderOf(secret, settings.user)
  const ask = async (request: TargetRequest, isTouched: () => boolean): Promise<OutboundAnswer | Failure> => {
    const { method, url, headers, body, part, signal, sink } = request
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
    try {
      return await outbound.fetch(url.href, {
        method,
        headers: { ...headers, ...(await headersFor(request)) },
        ...(body === undefined ? {} : { body }),
        ...(part && { stream: { bytes: part.end - part.start, parts: part.of.read(part.start, part.end) } }),
        ...(sink ? { sink, maxBytes: Number.MAX_SAFE_INTEGER } : {}),
        maxHops: 0,
        ports: [port],
        perPart: true,
        timeoutMs: part || sink ? quietBodyMs : quietMs,
        privateNetwork: settings.private_network,
        signal,
      })
    } catch (error) {
      signal.throwIfAborted()
      const reason = hide(reasonOf(error instanceof Failure && error.cause !== undefined ? error.cause : error))
      const failure = noAnswer(url, reason, error)
      // Another attempt can't continue a body, and the check of addresses will not change its mind.
      if (isTouched() || privateHint(reason) !== '') throw failure
      return failure
    }
  }

  return async (request) => {
    let sunk = false
    const { sink, signal, url, accept } = request
    const counted = sink && { ...request, sink: async (part: Uint8Array) => ((sunk = true), sink(part)) }
    for (const pauseMs of [...pausesMs, undefined]) {
      const answer = await ask(counted ?? request, () => sunk)
      if (!(answer instanceof Failure) && accept.includes(answer.status)) return answer
      const mayPass = answer instanceof Failure || passing.has(answer.status)
      if (pauseMs === undefined || !mayPass || sunk)
        throw answer instanceof Failure
          ? answer
          : refusedBy(url, answer, hide(readSentence(Buffer.from(answer.body).toString('utf8'))))
      await sleep(pauseMs, undefined, { signal })
    }
    throw new Error('unreachable: the last attempt returns or throws')
  }
}

/** A function that removes the secrets of a target from a text, because a server may repeat what it was sent. */
function hiderOf(secret: string, user: string): (text: string) => string {
  const secrets = secret === '' ? [] : [secret, Buffer.from(`${user}:${secret}`).toString('base64')]
  return (text) => shortened(secrets.reduce((shown, one) => shown.replaceAll(one, '…'), text))
}

/** The meanings of the usual refusals of a server that says nothing more. */
const meanings: Readonly<Record<number, string>> = {
  401: 'the user or the password is wrong',
  403: 'this is not allowed',
  404: 'there is no such place',
  405: 'this is not supported at this address',
  409: 'the folder above does not exist',
  413: 'the file is too large for this server',
  507: 'there is no room left',
}

/** A sentence of a server on one line, without control characters, and not too long. */
export const shortened = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)

function refusedBy({ host }: URL, { status, headers }: OutboundAnswer, sentence: string): Failure {
  const location = headers['location']
  if (status >= 300 && status < 400 && typeof location === 'string') {
    const to = URL.canParse(location) ? new URL(location).origin : shortened(location)
    return new Failure(
      'unreachable',
      `${host} answered ${status} and referred to ${to}. Redirects are not followed: name that address.`,
    )
  }
  const said = sentence === '' ? (meanings[status] ?? 'the request failed') : sentence
  return new Failure('unreachable', `${host} answered ${status}: ${said.replace(/\.$/, '')}.`)
}

const noAnswer = ({ host }: URL, reason: string, cause: unknown): Failure =>
  new Failure('unreachable', `${host} gave no answer: ${reason.replace(/\.$/, '')}.${privateHint(reason)}`, {}, { cause })

/** The next step after a refusal by the check of addresses. */
export const privateHint = (reason: string): string =>
  reason.includes('not a public address') ? ' Allow private networks for this target, if it is meant.' : ''

const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  const { cause } = error as { cause?: unknown }
  const own = errorMessage(error)
  return cause instanceof Error && cause.message !== own ? `${own} (${cause.message})` : own
}
