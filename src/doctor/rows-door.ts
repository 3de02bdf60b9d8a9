// Rows of the doctor: does a call arrive complete at the doors, with its Authorization header and its body, over HTTP/1.1 and
// HTTP/2?

import type { DoctorAnswer } from './doctor.ts'
import { broken, firstOf, ok, type Row, type Verdict, warning } from './finding.ts'
import { doorFile, hostFile, proxyFile } from './front-lines.ts'
import {
  apiWithToken,
  findReplaced,
  isBasic,
  isForeign,
  isOurChallenge,
  mcpWithToken,
  objectOf,
  postApi,
  postBare,
  postMcp,
  register,
  resource,
  describe,
} from './questions.ts'

const stripped = (message: string, seen?: string): Verdict =>
  broken(
    message,
    {
      nginx: 'proxy_set_header Authorization $http_authorization;   and no other line for Authorization',
      file: proxyFile,
      apache:
        'Remove: RequestHeader unset Authorization   (CGI: CGIPassAuth On; FastCGI: SetEnvIf Authorization "(.*)" HTTP_AUTHORIZATION=$1)',
      caddy: 'Remove: header_up -Authorization',
    },
    seen,
  )

const authorization: Row = {
  id: 'authorization',
  source: 'a call arrives without its Authorization',
  async run(doctor) {
    const { token } = doctor.options
    const asked = await doctor.askAll(
      [postMcp, postApi].map((one) => ({ ...one, token: token === undefined ? 'useless' : 'own' })),
    )
    const lost = asked.find(({ seen }) => seen && seen.authorization !== 'bearer')
    if (lost)
      return [
        stripped(`${lost.what} was sent with an Authorization header and arrived without it.`, lost.seen?.headers.join(', ')),
      ]
    if (asked.some(({ seen }) => seen)) return []
    const blind = await doctor.ask({ ...postMcp, token: 'useless' })
    if (isOurChallenge(blind) && !/error="invalid_token"/.test(blind.headers['www-authenticate'] ?? ''))
      return [stripped(`${blind.what} was sent with an Authorization header and answered as if it had none.`, describe(blind))]
    const [mcp, api] = asked
    return mcp?.status === 200 && api && isStranger(api)
      ? [stripped(`${api.what} was sent with a token that /mcp/ accepts, and answered as if it had none.`, describe(api))]
      : []
  },
}

/** True if `SVC_API.welcome` answered as if the call had no token. */
function isStranger(api: DoctorAnswer): boolean {
  const data = objectOf(api)?.['data'] as { you?: { token?: unknown } } | undefined
  return data?.you?.token === null
}

const basicAuth: Row = {
  id: 'basic-auth',
  source: 'a door asks for HTTP basic auth',
  async run(doctor) {
    const doors = await doctor.askAll([postMcp, postBare, resource, postApi, register])
    const closed = doors.find(isBasic)
    const slug = doctor.base.path
    if (closed) {
      return [
        broken(
          `${closed.what} asks for HTTP basic auth. AI clients can't send it, because their Authorization header carries their token.`,
          {
            nginx: 'auth_basic off;',
            file: doorFile,
            apache: `<LocationMatch "(?i)^${slug}/(?!(?:mcp|api|oauth|\\.well-known)(?:/|$))">   around AuthType and Require`,
            caddy: `basicauth @pages { … }   with @pages not path ${slug}/mcp* ${slug}/api* ${slug}/oauth/* ${slug}/.well-known/*`,
          },
          describe(closed),
        ),
      ]
    }
    const admin = await doctor.ask({ path: '/admin/' })
    return isBasic(admin)
      ? [
          ok(
            'The admin asks for HTTP basic auth before the sign-in, so people who connect an app have to type a second password.',
          ),
        ]
      : []
  },
}

/** Postern's own 401 has the same code. */
const bridgeSays = 'Invalid or missing API key.'

const legacyBridge: Row = {
  id: 'legacy-bridge',
  source: 'a good token is refused with -32001 “Invalid or missing API key.” as text/html',
  needs: 'token',
  async run(doctor) {
    const asked = await doctor.ask(mcpWithToken)
    const error = objectOf(asked)?.['error'] as { code?: unknown; message?: unknown } | undefined
    if (asked.status !== 401 || error?.code !== -32001 || error.message !== bridgeSays) return []
    const message = `${asked.what} with a good token came back with -32001: the plugin legacy-bridge accepts only its own keys.`
    return [
      broken(
        message,
        'scripts/postern plugin deactivate legacy-bridge   (or unset POSTERN_COMPAT: from release 1 on both are accepted)',
        describe(asked),
      ),
    ]
  },
}

/** A body long enough for a lost part to be noticed. */
const padded = JSON.stringify({ action: 'SVC_API.welcome', padding: 'x'.repeat(2000) })

const body: Row = {
  id: 'body',
  source: '-32700 Empty request body, or fewer bytes arrive than were sent',
  async run(doctor) {
    const asked = await doctor.askAll([postMcp, { ...postApi, body: padded }])
    return firstOf(asked, (one) => {
      const arrived = one.seen?.bytes ?? undefined
      const error = objectOf(one)?.['error'] as { code?: unknown } | undefined
      if (error?.code !== -32700 && (arrived === undefined || arrived >= one.sentBytes)) return undefined
      return broken(
        `${one.what} was sent with a body of ${one.sentBytes} bytes, and ${arrived ?? 0} arrived.`,
        {
          nginx: 'Remove: proxy_pass_request_body off;   and any redirect or filter before it',
          file: proxyFile,
          apache: 'SecRuleRemoveById …   or SecRequestBodyAccess Off for the doors, and no redirect before them',
          caddy: 'Remove what redirects or filters before reverse_proxy',
          edge: 'WAF: add an exception for /mcp, /api and /oauth',
        },
        describe(one),
      )
    })
  },
}

const mib = 1024 ** 2

const bodySize: Row = {
  id: 'body-size',
  source: 'a body of 2, 16 or 60 MiB is refused or reset by the web server',
  async run(doctor) {
    const sizes = [2, 16, 60]
    const asked = await Promise.all(
      sizes.map((size) => doctor.ask({ path: '/api/', method: 'POST', announcedBytes: size * mib, timeoutMs: 5000 })),
    )
    // Postern's own refusal of such a call would look like the web server's.
    if (await findReplaced(doctor)) return []
    const knowsSeen = (await doctor.ask(postMcp)).seen !== undefined
    return firstOf(asked, (one, index) => sizeFault(one, sizes[index] ?? 0, knowsSeen))
  },
}

/** @param knowsSeen true if the site reports what it sees; then an answer without a report is another program's */
function sizeFault(asked: DoctorAnswer, size: number, knowsSeen: boolean): Verdict | undefined {
  const reset = asked.fault?.kind === 'broken'
  // Postern's own refusal of a body that is too large is JSON.
  const mayBeOurs = objectOf(asked) !== undefined && !knowsSeen
  if (!reset && (asked.status !== 413 || !isForeign(asked) || mayBeOurs)) return undefined
  return broken(
    `A body of ${size} MiB came back with ${describe(asked)}: uploads and large calls fail before Postern sees them.`,
    {
      nginx: 'client_max_body_size 65m;',
      file: proxyFile,
      apache: 'LimitRequestBody 68157440',
      caddy: 'Leave request_body max_size out: Postern has its own limit',
    },
  )
}

const http2: Row = {
  id: 'http2',
  source: 'HTTP/2 fails, or gives another answer than HTTP/1.1',
  async run(doctor) {
    if (doctor.base.scheme === 'http') return []
    const asked = [resource, postMcp].map((one) => Promise.all([doctor.ask(one), doctor.ask({ ...one, version: '2' })]))
    const pairs = await Promise.all(asked)
    return firstOf(pairs, ([one, two]) => {
      if (one.fault || two.fault?.message === 'HTTP/2 is not offered') return undefined
      if (!two.fault && two.status === one.status) return undefined
      return broken(`Over HTTP/2 ${two.what} came back with ${describe(two)}; over HTTP/1.1 with ${one.status}.`, {
        nginx: 'listen 443 ssl http2;   (from nginx 1.25.1 on: http2 on;), and no proxy_set_header Connection but ""',
        file: hostFile,
        apache: 'Protocols h2 http/1.1',
        caddy: 'Remove headers such as Connection from "header"',
      })
    })
  },
}

const emptyAnswer: Row = {
  id: 'empty-answer',
  source: 'a byte that is not UTF-8 gets 200 and an empty body: an old release profile',
  async run(doctor) {
    const bad = Buffer.concat([Buffer.from('{"action":"SVC_API.welcome","padding":"'), Buffer.from([0xff]), Buffer.from('"}')])
    const asked = await doctor.ask({ ...apiWithToken, body: bad })
    if (asked.status !== 200 || asked.text !== '') return []
    const message = `${asked.what} with a byte that is not UTF-8 came back with 200 and an empty body, as in old releases.`
    return [warning(message, 'Unset POSTERN_COMPAT in /etc/postern/postern.env and restart: systemctl restart postern')]
  },
}

export const doorRows: readonly Row[] = [authorization, basicAuth, legacyBridge, body, bodySize, http2, emptyAnswer]
