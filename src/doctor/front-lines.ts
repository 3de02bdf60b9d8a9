// Parts of a web server's configuration that several rows of the doctor name: nginx's files, and the location of the doors.

import type { BaseUrl } from '../base/config.ts'
import type { FrontFix } from './front-fix.ts'

type Place = Pick<BaseUrl, 'path'>

/** The files that `postern nginx` writes, below `/etc/nginx`. */
export const proxyFile = 'snippets/postern-proxy.conf'
export const doorFile = 'snippets/postern-door.conf'
export const hostFile = 'conf.d/postern.conf'
export const upstreamFile = 'conf.d/postern-http.conf'
export const siteFile = ({ path }: Place): string => `snippets/postern-${path === '' ? 'site' : 'subdirectory'}.conf`

/** A regular expression that matches only the base path. */
export const slugOf = ({ path }: Place): string => path.replace(/[.~]/g, '\\$&')

/** The location with which nginx passes on the doors of AI clients and scripts. */
export const doorLocation = (base: BaseUrl): string =>
  `location ~* ^${slugOf(base)}/(?:mcp|api|oauth|\\.well-known)(?:/|$) { include ${doorFile}; }`

/** The same for Apache and Caddy, which pass on everything unless they are configured otherwise. */
export const allPassed = ({ path }: BaseUrl) =>
  ({
    apache: `ProxyPass ${path === '' ? '/ http://127.0.0.1:8080/' : `${path} http://127.0.0.1:8080${path}`} nocanon   and no rule before it that answers`,
    caddy: 'reverse_proxy 127.0.0.1:8080   and no handle, respond or file_server before it that answers',
  }) as const

/**
 * The lines that deny the protected folders. Postern itself is equally strict; the lines are for a web server that reads from
 * disk.
 */
export function denyFix(base: Place): FrontFix {
  const basePath = slugOf(base)
  const folded = `(?i)^${basePath.replaceAll('/', '/+')}/+user-content/+(?:logs|skills|uploads/+protected)(?:[^a-z0-9_-]|$)`
  return {
    nginx: `location ~* ^${basePath}/user-content/(?:logs|skills|uploads/protected)(?:[^a-z0-9_-]|$) { return 403; }   before any rule for uploads`,
    file: siteFile(base),
    apache: `<LocationMatch "${folded}"> Require all denied </LocationMatch>   on three lines`,
    caddy: `@protected path_regexp ${folded}   and: respond @protected 403, first in route`,
  }
}
