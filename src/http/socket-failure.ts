// Errors of Node's parser before there is a request: the failure for each, and if it may still be answered.

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { HttpFailure } from './failure.ts'
import type { HttpCode } from './failure.ts'

const known: Readonly<Record<string, readonly [HttpCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The request line and headers are too large. Send fewer or shorter headers, such as cookies.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['too_large', 'The chunk extensions are too large. Send chunks without extensions.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['timeout', 'The request did not arrive in time.'],
}

/**
 * The failure for an error of the parser or the socket, with the raw target if the packet still shows it. Undefined if there is
 * no client or no request, and while an answer is being written: the client would read a second answer as the answer to its next
 * request.
 */
export function failureOfSocket(error: Error, socket: Socket): { failure: HttpFailure; path: string | undefined } | undefined {
  const { code = '', rawPacket } = error as Error & { code?: string; rawPacket?: Buffer }
  if (!socket.writable || code === 'ECONNRESET' || socket.bytesRead === 0 || !mayAnswer(socket)) return undefined
  const [kind, message] = known[code] ?? (['malformed', 'The request is not well-formed HTTP/1.1.'] as const)
  return { failure: new HttpFailure(kind, message), path: targetIn(rawPacket) ?? currentAnswer(socket)?.req.url }
}

/** The current answer on a socket, which Node stores under this name. */
export const currentAnswer = (socket: Socket): ServerResponse | undefined =>
  // oxlint-disable-next-line no-underscore-dangle
  (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined

/**
 * True if the socket is idle, or busy only with the request whose body has just failed. The parser reads one request after the
 * other.
 */
function mayAnswer(socket: Socket): boolean {
  const answer = currentAnswer(socket)
  return answer === undefined || (!answer.headersSent && !answer.req.complete)
}

/** The target of the request line at the start of a packet. In a packet with several requests it may belong to another one. */
function targetIn(packet: Buffer | undefined): string | undefined {
  return packet && /^[A-Z]{1,20} (\S{1,8192})(?: |\r|\n)/.exec(packet.toString('latin1', 0, 8300))?.[1]
}
