// The real HTTP server over a site in this process, so that a test reads what comes out of both.

import { ownHostsOf } from '../../src/base/config.ts'
import type { Site } from '../../src/app/compose.ts'
import { doorFailure, doorRouter } from '../../src/app/routes.ts'
import { defaultLimits } from '../../src/http/limits.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { type PlainRequest, sendPlain } from '../plain-send.ts'

export interface OwnServer extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly base: string
  get(path: string): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>
  /** Sends a form. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): ReturnType<OwnServer['get']>
}

export async function serveSite(site: Site): Promise<OwnServer> {
  const { config, log, release } = site
  const { POSTERN_BASE_URL: baseUrl } = config
  const server = createHttpServer({
    router: doorRouter(site),
    basePath: '',
    limits: defaultLimits,
    hosts: {
      ownHosts: ownHostsOf(config),
      trustedProxies: config.POSTERN_TRUSTED_PROXIES ?? [],
      forwardedProto: release.forwardedProto,
      forwardedFor: release.forwardedFor,
      listening: '127.0.0.1',
      ...(baseUrl ? { baseUrl } : {}),
    },
    log,
    onFailure: doorFailure(site),
    serverHeaders: {},
  })
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${port}`
  const send = (path: string, sent: PlainRequest = {}) => sendPlain(base + path, sent)
  return {
    base,
    get: (path) => send(path),
    post: (path, fields, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    [Symbol.asyncDispose]: () => server.close(0),
  }
}
