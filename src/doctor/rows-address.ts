// Rows of the doctor: do scheme, host, path and the client's address arrive as they were sent?

import { setTimeout } from 'node:timers/promises'
import { isLoopbackName } from '../http/origin.ts'
import { isPublicAddress } from '../outbound/public-address.ts'
import { type DoctorAnswer, type Doctor, hrefOf, nameOf, type Question, twinOf } from './doctor.ts'
import { broken, firstOf, type Row, type Verdict, warning } from './finding.ts'
import type { Fix } from './front-fix.ts'
import { proxyFile, siteFile, slugOf, upstreamFile } from './front-lines.ts'
import { isDown, isForeign, objectOf, postApi, postMcp, resource, describe } from './questions.ts'
import { isStripped, subdirectoryRow } from './rows-subdirectory.ts'

async function advertisedAddress(doctor: Doctor): Promise<URL | undefined> {
  const address = objectOf(await doctor.ask(resource))?.['resource']
  return typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
}

const scheme: Row = {
  id: 'scheme',
  source: '`resource` says http: where https was asked',
  async run(doctor) {
    const address = await advertisedAddress(doctor)
    if (doctor.base.scheme === 'http' || address?.protocol !== 'http:') return []
    const { seen } = await doctor.ask(resource)
    const message = `Asked over https, the site gives clients the address ${address.href}: `
    const setting = `POSTERN_BASE_URL=${hrefOf(doctor)}   in /etc/postern/postern.env; then: systemctl restart postern`
    if (seen?.headers.includes('x-forwarded-proto')) {
      const why = 'X-Forwarded-Proto arrives, but POSTERN_BASE_URL says http, or the sender is not a trusted proxy.'
      return [broken(message + why, setting, address.href)]
    }
    const fix = {
      nginx: 'proxy_set_header X-Forwarded-Proto $scheme;',
      file: proxyFile,
      apache: 'RequestHeader set X-Forwarded-Proto "https"',
      caddy: 'Leave "header_up X-Forwarded-Proto" out of reverse_proxy',
    }
    const orSet = seen ? '' : ` If the web server already passes X-Forwarded-Proto: ${setting}.`
    return [broken(`${message}it doesn't learn that the client used https.${orSet}`, fix, address.href)]
  },
}

/** True if only the web server uses this name for the service, such as `postern` or a private address. */
const isInnerName = (name: string): boolean =>
  !name.includes('.') || name === 'localhost' || (/^[\d.]+$|^\[/.test(name) && !isPublicAddress(name.replace(/^\[|\]$/g, '')))

const lostHost = (name: string, asked: string): Verdict =>
  broken(
    `Asked as ${asked}, the site believes that it is ${name}: the web server does not pass on the Host header.`,
    {
      nginx: 'proxy_set_header Host $host;',
      file: proxyFile,
      apache: 'ProxyPreserveHost On',
      caddy: 'Leave "header_up Host" out of reverse_proxy',
    },
    name,
  )

const lostPort = (took: string, asked: string): Verdict =>
  broken(
    `Asked as ${asked}, the site believes that it is ${took}: the port differs, and clients refuse an address other than the one they asked.`,
    {
      nginx: asked.includes(':') ? 'proxy_set_header Host $host:$server_port;' : 'proxy_set_header Host $host;',
      file: proxyFile,
      apache: 'ProxyPreserveHost On   and the same port in POSTERN_BASE_URL',
      caddy: 'Leave "header_up Host" out of reverse_proxy   and the same port in POSTERN_BASE_URL',
    },
    took,
  )

const host: Row = {
  id: 'host',
  source: '`resource` names 127.0.0.1, `postern`, another host or port: the Host was lost',
  async run(doctor) {
    const took = (await advertisedAddress(doctor))?.host ?? refusedHost(await doctor.ask(resource))
    const { host: own } = doctor.base
    if (took === undefined || took === own) return []
    if (nameOf(took) === nameOf(own)) return [lostPort(took, own)]
    return isInnerName(nameOf(took)) ? [lostHost(nameOf(took), nameOf(own))] : []
  },
}

/** The host, with its port, in Postern's 421. */
const refusedHost = ({ status, text }: DoctorAnswer): string | undefined =>
  status === 421 ? /not serve the host ([^\s"]+?)\.?(?=["\s]|$)/.exec(text)?.[1] : undefined

const canonical: Row = {
  id: 'canonical',
  source: '`resource` is on another host than the site’s, or the host is refused with 421',
  async run(doctor) {
    const { base } = doctor
    const asked = await doctor.ask(resource)
    const own = nameOf(base.host)
    const fix = `POSTERN_BASE_URL=${hrefOf(doctor)}   in /etc/postern/postern.env; more names in POSTERN_ALLOWED_HOSTS`
    if (asked.status === 421) {
      const refused = refusedHost(asked)
      // The row `host` reports this.
      if (refused !== undefined && refused !== base.host && (nameOf(refused) === own || isInnerName(nameOf(refused)))) return []
      return [
        broken(`The host ${own} is refused with 421: the site does not know that this name is its own.`, fix, describe(asked)),
      ]
    }
    const address = await advertisedAddress(doctor)
    if (!address || [own, nameOf(twinOf(base.host))].includes(address.hostname) || isInnerName(address.hostname)) return []
    return [
      broken(
        `Asked as ${own}, the site gives clients the address ${address.href}, and they refuse an address other than the one they asked.`,
        fix,
      ),
    ]
  },
}

/** Paths that proxies tend to normalise. */
const oddPaths = ['/mcp/doctor%2Fasks//for', '/doctor%2Fasks//for']

const asItWasSent: Fix = {
  nginx: 'proxy_pass http://postern;   without a slash or a path behind the name',
  file: proxyFile,
  apache: 'ProxyPass / http://127.0.0.1:8080/ nocanon   with AllowEncodedSlashes NoDecode',
  caddy: 'handle instead of handle_path',
}

const refusedPath = (asked: DoctorAnswer): Verdict =>
  broken(`${asked.what} came back with ${describe(asked)}: the web server itself refuses such paths.`, {
    ...asItWasSent,
    apache: 'AllowEncodedSlashes NoDecode',
  })

const target: Row = {
  id: 'target',
  source: 'the target arrives without its slug, or with %2F or // changed, or not at all',
  needs: 'seen',
  async run(doctor) {
    const asked = await doctor.askAll([postMcp, ...oddPaths.map((path): Question => ({ path }))])
    const [call, odd] = asked
    // The row `subdirectory` reports this. The same mistake also changes other paths.
    if (call && isStripped(doctor, call)) return []
    return firstOf(asked, (one) => {
      if (call?.seen && one === odd && isForeign(one) && !one.kept && [400, 403, 404].includes(one.status))
        return refusedPath(one)
      if (!one.seen || one.seen.target === one.target) return undefined
      return broken(
        `${one.target} was requested, and ${one.seen.target} arrived: the web server rewrites paths.`,
        asItWasSent,
        one.seen.target,
      )
    })
  },
}

const insertedDocuments: Row = {
  id: 'inserted-documents',
  source: 'below a slug: the documents at the host’s root, with the path behind the name, are missing',
  async run(doctor) {
    const { path } = doctor.base
    if (path === '') return []
    const below = await doctor.ask(resource)
    const inserted = await Promise.all(
      [`oauth-protected-resource${path}/mcp/`, `oauth-authorization-server${path}`].map((name) =>
        doctor.ask({ path: `//.well-known/${name}` }),
      ),
    )
    const missing = inserted.find((one) => !objectOf(one)?.['resource'] && !objectOf(one)?.['issuer'])
    if (!objectOf(below)?.['resource'] || !missing) return []
    const slug = slugOf(doctor.base)
    const documents = 'oauth-authorization-server|oauth-protected-resource|openid-configuration|api-catalog'
    return [
      warning(`${missing.what} came back with ${describe(missing)}. Clients that look at the host's root don't find the site.`, {
        nginx: `location ~* ^/\\.well-known/(?:${documents})${slug}(?:/|$) { include snippets/postern-door.conf; }`,
        file: siteFile(doctor.base),
        apache: `ProxyPassMatch "^(/\\.well-known/(?:${documents})${slug}(?:/.*)?)$" "http://127.0.0.1:8080$1"`,
        caddy: `@site path_regexp ^(?:/\\.well-known/(?:${documents}))?${slug}(?:/|$)   before "reverse_proxy @site …"`,
      }),
    ]
  },
}

const forged = '192.0.2.77'

const forgedAddress: Row = {
  id: 'forged-address',
  source: 'the client’s address that arrives is one that the client made up',
  needs: 'seen',
  async run(doctor) {
    const headers = { 'x-forwarded-for': forged, 'x-real-ip': forged, forwarded: `for=${forged}` }
    const asked = await doctor.askAll([resource, postMcp].map((one) => ({ ...one, headers })))
    if (!asked.some(({ seen }) => seen?.client === forged)) return []
    // On loopback without a web server, the doctor connects from the address that a web server would have, so it is trusted as a
    // proxy.
    if (
      isLoopbackName(nameOf(doctor.base.host)) &&
      asked.every(({ headers: { server, via } }) => server === undefined && via === undefined)
    )
      return []
    return [
      broken(
        `A request that claimed to come from ${forged} was believed, so clients can evade rate limits and falsify the log.`,
        {
          nginx: 'proxy_set_header X-Forwarded-For $remote_addr;',
          file: proxyFile,
          apache: 'ProxyAddHeaders Off   and: RequestHeader set X-Forwarded-For "expr=%{REMOTE_ADDR}"',
          caddy: 'Leave "header_up X-Forwarded-For" out of reverse_proxy, and trusted_proxies empty',
        },
      ),
    ]
  },
}

const upstreamDown: Row = {
  id: 'upstream-down',
  source: '502, 503 or 504: the service does not run, or on another port, or is closed',
  first: true,
  async run(doctor) {
    const asked = await doctor.askAll([resource, postMcp, postApi])
    const down = asked.find(isDown)
    if (!down) return firstOf(asked, closedFault)
    const message = `${down.what} came back with ${describe(down)}: the web server can't reach Postern.`
    return [
      broken(message, 'systemctl status postern   (and the same port in POSTERN_PORT and in the upstream of the web server)'),
    ]
  },
}

/** The fault behind Postern's own 503. */
function closedFault(asked: DoctorAnswer): Verdict | undefined {
  const error = objectOf(asked)?.['error'] as { message?: unknown } | undefined
  if (asked.status !== 503 || typeof error?.message !== 'string') return undefined
  return warning(
    `${asked.what} came back with 503, and Postern says: ${error.message}`,
    'scripts/postern maintenance off   (or, if /readyz answers 503 too: df -h, and systemctl status postern)',
  )
}

const raceTries = 6
/** Other rows also repeat questions, with smaller numbers. */
const raceRound = 10
/** About the 5 s after which many servers, including Node by default, close an idle connection. */
const gapMs = 5000

const keepAliveRace: Row = {
  id: 'keep-alive-race',
  source: '502, 503 or 504 now and then, on connections that were idle for some seconds',
  slow: true,
  async run(doctor) {
    const { gapsMs = gapMs, signal } = doctor.options
    let failed = 0
    for (let tries = 0; tries < raceTries; tries++) {
      if (tries > 0) await setTimeout(gapsMs, undefined, { signal })
      if (isDown(await doctor.ask({ ...resource, round: raceRound + tries }))) failed++
    }
    if (failed === 0 || failed === raceTries) return []
    return [
      warning(`${failed} of ${raceTries} requests failed: the service closes idle connections that the web server still uses.`, {
        nginx: 'keepalive_timeout 60s;   and POSTERN_KEEP_ALIVE_SECONDS unset (75 s)',
        file: upstreamFile,
        apache: 'ProxyPass / http://127.0.0.1:8080/ nocanon ttl=60   and POSTERN_KEEP_ALIVE_SECONDS unset (75 s)',
        caddy: 'keepalive 60s   in transport http, and POSTERN_KEEP_ALIVE_SECONDS unset (75 s)',
      }),
    ]
  },
}

export const addressRows: readonly Row[] = [
  upstreamDown,
  keepAliveRace,
  scheme,
  host,
  canonical,
  subdirectoryRow,
  target,
  insertedDocuments,
  forgedAddress,
]
