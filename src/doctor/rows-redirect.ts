// Rows of the doctor: redirects. A door must answer where it is asked, since a redirect loses the call or its token.

import { type Asked, type Doctor, nameOf, type Question, twinOf } from './doctor.ts'
import { broken, firstOf, type Row, type Verdict, warning } from './finding.ts'
import { front, isRedirect, postApi, postBare, postMcp, postUpper, resource, told } from './questions.ts'

/** Where a redirect leads; undefined for none. */
function leadsTo(asked: Asked): URL | undefined {
  const { location } = asked.headers
  const from = asked.what.split(' ')[1] ?? ''
  return isRedirect(asked) && location !== undefined && URL.canParse(location, from) ? new URL(location, from) : undefined
}

const fromOf = ({ what }: Asked): URL => new URL(what.split(' ')[1] ?? '')
const isOurs = ({ headers }: Asked): boolean => headers['x-redirect-by'] === 'Postern'

const slashRedirect: Row = {
  id: 'slash-redirect',
  source: 'POST /mcp is redirected by the web server itself, and the POST is lost',
  needs: 'outside',
  async run(doctor) {
    const asked = await Promise.all([postBare, postMcp, postUpper, postApi].map((one) => doctor.ask(one)))
    return firstOf(asked.map((one) => slashFault(doctor, one)))
  },
}

function slashFault({ base }: Doctor, asked: Asked): Verdict | undefined {
  const to = leadsTo(asked)
  if (!to || isOurs(asked) || asked.seen || to.host !== fromOf(asked).host || to.protocol !== fromOf(asked).protocol)
    return undefined
  if (to.pathname === fromOf(asked).pathname) return undefined
  const slug = base.path.replace(/[.~]/g, '\\$&')
  return broken(
    `${asked.what} came back with ${told(asked)}: its own redirect, on which a client repeats the call as an empty GET.`,
    {
      nginx: `location ~* ^${slug}/(?:mcp|api|oauth|\\.well-known)(?:/|$) { include snippets/postern-door.conf; }   instead of "location ${base.path}/mcp/"`,
      apache: 'DirectorySlash Off',
      caddy: 'handle, without redir, for /mcp and /mcp/*',
    },
  )
}

const oldRelease: Row = {
  id: 'old-release',
  source: 'POST /mcp is redirected by Postern, or /MCP is not found: an old release profile',
  needs: 'outside',
  async run(doctor) {
    const asked = await Promise.all([postBare, postUpper].map((one) => doctor.ask(one)))
    return firstOf(
      asked.map((one) =>
        isOurs(one)
          ? warning(
              `${one.what} came back with ${told(one)}: the site shows the behaviour of an old release.`,
              'Unset POSTERN_COMPAT in /etc/postern/postern.env and restart: systemctl restart postern',
            )
          : undefined,
      ),
    )
  },
}

const doorRedirect: Row = {
  id: 'door-redirect',
  source: 'a door redirects to another host or scheme, or POST over plain http is redirected',
  needs: 'outside',
  async run(doctor) {
    const ask = async (question: Question) => {
      const asked = await doctor.ask(question)
      const to = leadsTo(asked)
      const from = fromOf(asked)
      return to && (to.host !== from.host || to.protocol !== from.protocol) ? { asked, to } : undefined
    }
    const { base } = doctor
    const questions: Question[] = [resource, postMcp, { ...resource, twin: true }, { ...postMcp, twin: true }]
    if (base.scheme === 'https') questions.push({ ...postMcp, plain: true })
    const found = (await Promise.all(questions.map(ask))).find((one) => one !== undefined)
    if (!found) return []
    const { asked, to } = found
    const isOwn = fromOf(asked).host === base.host && fromOf(asked).protocol === `${base.scheme}:`
    const message = `${asked.what} is redirected to ${to.protocol}//${to.host}: clients drop their token on the way, or lose the POST.`
    return [
      (isOwn ? broken : warning)(
        message,
        {
          nginx:
            'return 308 https://$host$request_uri;   for pages only; the doors answer on each name (postern nginx writes it). Give clients the final address',
          apache:
            'RewriteCond %{REQUEST_URI} !^/(mcp|api|oauth|\\.well-known)(/|$) [NC]   before the RewriteRule of the redirect',
          edge: 'Exempt /mcp, /api, /oauth and /.well-known from the redirect rule, and give clients the final address',
        },
        told(asked),
      ),
    ]
  },
}

const maxHops = 5

const redirectLoop: Row = {
  id: 'redirect-loop',
  source: 'the same Location twice, or more than five redirects',
  needs: 'outside',
  async run(doctor) {
    for (const start of [front, postMcp]) {
      const path = await follow(doctor, start)
      if (path === undefined) continue
      const message = `${path[0]} is redirected in a circle: ${path.slice(0, 4).join(' → ')}. The edge speaks http to the server, which sends to https again.`
      const fix = {
        nginx: 'Edge: TLS mode "Full (strict)"; and proxy_set_header X-Forwarded-Proto $scheme;',
        apache: 'RequestHeader set X-Forwarded-Proto "https"',
      }
      return [broken(message, fix)]
    }
    return []
  },
}

/** The stations of a circle; undefined where the redirects come to an end, or leave the site. */
async function follow(doctor: Doctor, start: Question): Promise<readonly string[] | undefined> {
  const { base } = doctor
  const stations: string[] = []
  let question = start
  for (let hops = 0; hops <= maxHops; hops++) {
    const asked = await doctor.ask(question)
    const to = leadsTo(asked)
    stations.push(fromOf(asked).href)
    if (!to) return undefined
    if (stations.includes(to.href)) return [...stations, to.href]
    const isTwin = to.hostname === nameOf(twinOf(base.host))
    const isPlain = to.protocol === 'http:' && base.scheme === 'https'
    if (!isTwin && to.hostname !== nameOf(base.host)) return undefined
    question = { path: `/${to.pathname}${to.search}`, twin: isTwin, plain: isPlain }
  }
  return stations
}

export const redirectRows: readonly Row[] = [slashRedirect, oldRelease, doorRedirect, redirectLoop]
