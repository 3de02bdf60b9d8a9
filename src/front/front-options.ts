// The options of a web server's configuration, and their parsers. A value that passes its parser can't break out of a
// configuration: it has no space, quote, semicolon, brace, dollar sign or line end.

import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { trimEndOf } from '../base/trim-text.ts'

/** The address on which a server listens: a port on every address, or on one. */
export interface Listen {
  /** An IPv6 address has brackets. */
  readonly address: string | undefined
  readonly port: number
}

/** The certificate with its chain, and its key: two files. */
export interface Tls {
  readonly certificate: string
  readonly key: string
}

/** The facts about a site that a web server must know. Paths are absolute. */
export interface FrontOptions {
  /** The host names. The first is the one in the addresses of pages. */
  readonly names: readonly [string, ...string[]]
  /** `''` or `/blog`. */
  readonly basePath: string
  readonly listen: Listen
  /** The address for plain http, which redirects pages to https. */
  readonly plainListen: Listen
  readonly tls: Tls | undefined
  /** `HOST:PORT` of the service, or of each node if the site is on several machines. Only nginx accepts several. */
  readonly upstreams: readonly [string, ...string[]]
  /** The path of an htpasswd file. */
  readonly basicAuth: string | undefined
  /** The site's home, from which uploads are served. */
  readonly home: string
  /** The folder of the challenges that renew certificates. */
  readonly acme: string
  /** Folder of the logs. */
  readonly logs: string
}

/** A file of a configuration; the path is relative to the web server's own folder, such as `/etc/nginx`. */
export interface FrontFile {
  readonly path: string
  readonly text: string
}

/** Returns the text of a template by its path below `nginx/`. */
export type Templates = (name: string) => string

const hostName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * Parses a host name or IPv4 address in lower case; a name with other letters than ASCII gets the form that DNS uses (RFC 5891).
 */
export function parseHostName(text: string): string | undefined {
  const isAscii = /^[\x20-\x7e]*$/.test(text)
  const name = isAscii ? text.toLowerCase() : domainToASCII(text)
  return hostName.test(name) ? name : undefined
}

/** Parses a slug such as `/blog` or `/a/b`, without a slash at its end; `''` for the root. */
export function parseBasePath(text: string): string | undefined {
  const path = trimEndOf(text, '/')
  return /^(?:\/[A-Za-z0-9][A-Za-z0-9._~-]*)*$/.test(path) ? path : undefined
}

/** Parses an absolute path of a file or folder, of letters, digits and `. _ - + @ =`. */
export function parseFilePath(text: string): string | undefined {
  const path = text.length > 1 ? trimEndOf(text, '/') : text
  return /^(?:\/[A-Za-z0-9._+@=-]+)+$/.test(path) && !/\/\.\.?(?:\/|$)/.test(path) ? path : undefined
}

/** Parses `443`, `127.0.0.1:8443` or `[::1]:8443`. */
export function parseListen(text: string): Listen | undefined {
  const [, address, digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (port < 1 || port > 65_535) return undefined
  return address === undefined || isListenAddress(address) ? { address, port } : undefined
}

const isListenAddress = (text: string): boolean =>
  text.startsWith('[') && text.endsWith(']') ? isIP(text.slice(1, -1)) === 6 && !text.includes('%') : isIP(text) === 4

/** Parses `HOST:PORT` with a name, an IPv4 address, or an IPv6 address in brackets. */
export function parseUpstream(text: string): string | undefined {
  const [, host = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  const good = isListenAddress(host) || parseHostName(host) !== undefined
  return good && port >= 1 && port <= 65_535 ? `${host.toLowerCase()}:${port}` : undefined
}

/** True if two servers would listen on the same port of the same address. */
export const isSameListen = (one: Listen, other: Listen): boolean =>
  one.port === other.port && (one.address === undefined || other.address === undefined || one.address === other.address)

/** The port of an address with its colon, such as `:8443`; `''` for the scheme's default port. */
export function portSuffix({ listen, tls }: Pick<FrontOptions, 'listen' | 'tls'>): string {
  return listen.port === (tls ? 443 : 80) ? '' : `:${listen.port}`
}

/** A regular expression that matches exactly this text. */
export const escapeExpression = (text: string): string => text.replaceAll('.', '\\.')

/** A regular expression for the first segments of the paths that AI clients and scripts use. */
export const doorNames = '(?:mcp|api|oauth|\\.well-known)'

/** The documents that clients may request at the host's root, followed by the slug (RFC 8414 §3.1, RFC 9728 §3.1). */
export const rootDocuments =
  '/\\.well-known/(?:oauth-authorization-server|oauth-protected-resource|openid-configuration|api-catalog)'
