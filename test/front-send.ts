// A request whose target goes over the wire as the test wrote it, by HTTP/1.1 or 2, with or without TLS.

import { once } from 'node:events'
import { type IncomingHttpHeaders, request as requestPlain } from 'node:http'
import { connect as connect2, type IncomingHttpHeaders as Headers2 } from 'node:http2'
import { request as requestTls } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { Answer } from './site.ts'

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** `localhost` and the port unless given. */
  readonly host?: string
  readonly version?: '1.1' | '2'
  /** The address that it comes from; HTTP/1.1 only. */
  readonly from?: string
  /** To the port of plain http. */
  readonly plain?: boolean
}

interface Where {
  readonly port: number
  /** Trusted instead of all others; undefined for plain http. */
  readonly certificate: string | undefined
}

/** Sends one request to loopback and reads its answer. */
export function sendOver(where: Where, target: string, sent: Sent): Promise<Answer> {
  return sent.version === '2' ? sendBy2(where, target, sent) : sendBy1(where, target, sent)
}

/** The name that TLS is asked for. */
const serverName = (host: string): string => host.replace(/:\d+$/, '')

async function sendBy1({ port, certificate }: Where, target: string, sent: Sent): Promise<Answer> {
  const { method = 'GET', headers = {}, body, host = `localhost:${port}` } = sent
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const common = {
    host: '127.0.0.1',
    ...(sent.from === undefined ? {} : { localAddress: sent.from }),
    port,
    path: target,
    method,
    headers: { host, ...length, ...headers },
    agent: false as const,
  }
  const request =
    certificate === undefined
      ? requestPlain(common)
      : requestTls({ ...common, ca: certificate, servername: serverName(host), checkServerIdentity: () => undefined })
  request.end(body)
  const [response] = await once(request, 'response')
  const bytes = await buffer(response)
  return answerOf(response.statusCode ?? 0, response.headers, bytes.toString('utf8'))
}

async function sendBy2({ port, certificate }: Where, target: string, sent: Sent): Promise<Answer> {
  const { method = 'GET', headers = {}, body, host = `localhost:${port}` } = sent
  if (certificate === undefined) throw new Error('HTTP/2 is spoken over TLS.')
  const tls = { ca: certificate, servername: serverName(host), checkServerIdentity: () => undefined }
  const session = connect2(`https://127.0.0.1:${port}`, tls)
  try {
    const stream = session.request({ ':path': target, ':method': method, ':authority': host, ...headers })
    stream.end(body)
    const [answered] = (await once(stream, 'response')) as [Headers2]
    const bytes = await buffer(stream)
    return answerOf(Number(answered[':status']), answered, bytes.toString('utf8'))
  } finally {
    session.close()
  }
}

function answerOf(status: number, raw: IncomingHttpHeaders | Headers2, text: string): Answer {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw)) {
    if (!name.startsWith(':')) for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  return {
    status,
    headers,
    text,
    get json() {
      return JSON.parse(text)
    },
  }
}

/** Paths with a secret, of which no log may have any (attack 160). */
export const hidden = (secret: string): readonly string[] => [
  `/in/psp_${secret}${secret}`,
  `/in/password=${secret}`,
  `/in/token%3D${secret}`,
  `/in/eyJ${secret}${secret}.${secret}`,
]
