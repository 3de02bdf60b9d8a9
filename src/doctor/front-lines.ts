// Parts of the configuration of a web server that several rows of the doctor name: nginx's files, and the location of the doors.

import type { Address } from './doctor.ts'
import type { FrontFix } from './front-fix.ts'

type Place = Pick<Address, 'path'>

/** As `postern nginx` writes them, below `/etc/nginx`. */
export const proxyFile = 'snippets/postern-proxy.conf'
export const doorFile = 'snippets/postern-door.conf'
export const hostFile = 'conf.d/postern.conf'
export const upstreamFile = 'conf.d/postern-http.conf'
export const siteFile = ({ path }: Place): string => `snippets/postern-${path === '' ? 'site' : 'subdirectory'}.conf`

/** A slug as an expression that matches it alone. */
export const slugOf = ({ path }: Place): string => path.replace(/[.~]/g, '\\$&')

/** The doors of AI clients and scripts, as nginx sends them on. */
export const doorLocation = (base: Address): string =>
  `location ~* ^${slugOf(base)}/(?:mcp|api|oauth|\\.well-known)(?:/|$) { include ${doorFile}; }`

/** The same for Apache and Caddy: they pass on everything unless told otherwise. */
export const allPassed = ({ path }: Address) =>
  ({
    apache: `ProxyPass ${path === '' ? '/ http://127.0.0.1:8080/' : `${path} http://127.0.0.1:8080${path}`} nocanon   and no rule before it that answers`,
    caddy: 'reverse_proxy 127.0.0.1:8080   and no handle, respond or file_server before it that answers',
  }) as const

/** Postern is as strict as this by itself; the line is for a front that reads from disk. */
export function denyFix(base: Place): FrontFix {
  const slug = slugOf(base)
  const folded = `(?i)^${slug.replaceAll('/', '/+')}/+user-content/+(?:logs|skills|uploads/+protected)(?:[^a-z0-9_-]|$)`
  return {
    nginx: `location ~* ^${slug}/user-content/(?:logs|skills|uploads/protected)(?:[^a-z0-9_-]|$) { return 403; }   before any rule for uploads`,
    file: siteFile(base),
    apache: `<LocationMatch "${folded}"> Require all denied </LocationMatch>   on three lines`,
    caddy: `@protected path_regexp ${folded}   and: respond @protected 403, first in route`,
  }
}
