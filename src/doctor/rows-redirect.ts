// Rows of the doctor: redirects. A door must answer at the requested address: on a redirect, clients lose the call or its token.

import { type DoctorAnswer, type Doctor, nameOf, type Question, twinOf } from './doctor.ts'
import { broken, firstOf, type Row, type Verdict, warning } from './finding.ts'
import { doorLocation, proxyFile, siteFile } from './front-lines.ts'
import { front, isRedirect, postApi, postBare, postMcp, postUpper, register, resource, describe } from './questions.ts'

/** Returns the target of a redirect; undefined for any other answer. */
function leadsTo(asked: DoctorAnswer): URL | undefined {
  const { location } = asked.headers
  const from = asked.what.split(' ')[1] ?? ''
  return isRedirect(asked) && location !== undefined && URL.canParse(location, from) ? new URL(location, from) : undefined
}

const fromOf = ({ what }: DoctorAnswer): URL => new URL(what.split(' ')[1] ?? '')
const isOurs = ({ headers }: DoctorAnswer): boolean => headers['x-redirect-by'] === 'Postern'

const slashRedirect: Row = {
  id: 'slash-redirect',
  source: 'POST /mcp is redirected by the web server itself, and the POST is lost',
  async run(doctor) {
    const questions = [postBare, postMcp, postUpper, postApi, register, { ...postBare, twin: true }]
    const asked = await doctor.askAll(questions)
    return firstOf(asked, (one) => slashFault(doctor, one))
  },
}

/** True for a redirect to another path of the same host. A web server that adds a slash may also lose the port and the scheme. */
function isPathRedirect(asked: DoctorAnswer): boolean {
  const to = leadsTo(asked)
  const from = fromOf(asked)
  return to !== undefined && to.hostname === from.hostname && to.pathname !== from.pathname && !isOurs(asked) && !asked.seen
}

function slashFault({ base }: Doctor, asked: DoctorAnswer): Verdict | undefined {
  if (!isPathRedirect(asked)) return undefined
  return broken(
    `${asked.what} came back with ${describe(asked)}. The web server itself redirects, and clients then repeat the call as a GET without a body.`,
    {
      nginx: `${doorLocation(base)}   instead of "location ${base.path}/mcp/"`,
      file: siteFile(base),
      apache: 'DirectorySlash Off   and no Redirect or RewriteRule for the doors',
      caddy: 'handle, without redir, for /mcp and /mcp/*',
    },
  )
}

const oldRelease: Row = {
  id: 'old-release',
  source: 'POST /mcp is redirected by Postern, or /MCP is not found: an old release profile',
  async run(doctor) {
    const asked = await doctor.askAll([postBare, postUpper])
    return firstOf(asked, (one) =>
      isOurs(one)
        ? warning(
            `${one.what} came back with ${describe(one)}. The site runs with the behaviour of an old release.`,
            'Unset POSTERN_COMPAT in /etc/postern/postern.env and restart: systemctl restart postern',
          )
        : undefined,
    )
  },
}

const doorRedirect: Row = {
  id: 'door-redirect',
  source: 'a door redirects to another host or scheme, or POST over plain http is redirected',
  async run(doctor) {
    const ask = async (question: Question) => {
      const asked = await doctor.ask(question)
      const to = leadsTo(asked)
      const from = fromOf(asked)
      const isElsewhere = to && (to.host !== from.host || to.protocol !== from.protocol)
      return isElsewhere && (question.plain === true || !isPathRedirect(asked)) ? { asked, to } : undefined
    }
    const { base } = doctor
    const own = [resource, postMcp, postBare, postApi, register]
    const questions: Question[] = [...own, ...[resource, postMcp, postApi].map((one) => ({ ...one, twin: true }))]
    if (base.scheme === 'https') questions.push({ ...postMcp, plain: true })
    const found = (await Promise.all(questions.map(ask))).find((one) => one !== undefined)
    if (!found) return []
    const { asked, to } = found
    const isOwn = fromOf(asked).host === base.host && fromOf(asked).protocol === `${base.scheme}:`
    const message = `${asked.what} is redirected to ${to.protocol}//${to.host}. Clients then drop their token, or repeat the call as a GET.`
    return [
      (isOwn ? broken : warning)(
        message,
        {
          nginx:
            'return 308 https://$host$request_uri;   for pages only. The doors must answer at every name. Give clients the final address',
          file: asked.what.includes(' http:') && base.scheme === 'https' ? 'snippets/postern-redirect.conf' : siteFile(base),
          apache:
            'RewriteCond %{REQUEST_URI} !^/(mcp|api|oauth|\\.well-known)(/|$) [NC]   before the RewriteRule of the redirect',
          caddy: 'redir for pages only. The doors must answer at every name. Give clients the final address',
          edge: 'Exempt /mcp, /api, /oauth and /.well-known from the redirect rule, and give clients the final address',
        },
        describe(asked),
      ),
    ]
  },
}

const maxHops = 5

const redirectLoop: Row = {
  id: 'redirect-loop',
  source: 'the same Location twice, or more than five redirects',
  async run(doctor) {
    for (const start of [front, postMcp]) {
      const path = await follow(doctor, start)
      if (path === undefined) continue
      const message = `${path[0]} is redirected in a circle: ${path.slice(0, 4).join(' → ')}. Usually the CDN connects to the server over http, and the server redirects to https again.`
      const fix = {
        nginx: 'CDN: TLS mode "Full (strict)"; and proxy_set_header X-Forwarded-Proto $scheme;',
        file: proxyFile,
        apache: 'CDN: TLS mode "Full (strict)"; and RequestHeader set X-Forwarded-Proto "https"',
        caddy: 'CDN: TLS mode "Full (strict)"; and no redir of pages to https',
        edge: 'TLS mode "Full (strict)"',
      }
      return [broken(message, fix)]
    }
    return []
  },
}

/** The addresses of a redirect loop; undefined if the redirects end or leave the site. */
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
    // A server on another port is another server.
    if (!isPlain && to.host !== (isTwin ? twinOf(base.host) : base.host)) return undefined
    question = { path: `/${to.pathname}${to.search}`, twin: isTwin, plain: isPlain }
  }
  return stations
}

export const redirectRows: readonly Row[] = [slashRedirect, oldRelease, doorRedirect, redirectLoop]
