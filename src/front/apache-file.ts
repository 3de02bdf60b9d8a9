// Turns nginx/instead/apache.conf into the file for one site, for /etc/apache2/sites-available.

import { certificateValues, conditionsOf, fill, type Replacements } from './fill.ts'
import {
  doorNames,
  escapeExpression,
  type FrontFile,
  type FrontOptions,
  type Listen,
  portSuffix,
  type Templates,
} from './front-options.ts'

/** @returns the one file for a site behind Apache */
export function apacheFiles(options: FrontOptions, templates: Templates): readonly FrontFile[] {
  const text = fill(templates('instead/apache.conf'), valuesOf(options), conditionsOf(options))
  return [{ path: 'sites-available/postern.conf', text: listenLines(options) + text }]
}

/** The `Listen` lines for unusual ports. Debian's ports.conf listens on the two usual ones. */
function listenLines({ listen, plainListen, tls }: FrontOptions): string {
  const usual = (on: Listen, port: number) => on.address === undefined && on.port === port
  const unusual = [...(usual(listen, tls ? 443 : 80) ? [] : [listen]), ...(!tls || usual(plainListen, 80) ? [] : [plainListen])]
  return unusual.map((on) => `Listen ${on.address === undefined ? '' : `${on.address}:`}${on.port}\n`).join('')
}

function valuesOf(options: FrontOptions): ReadonlyMap<string, string> {
  const { names, listen, plainListen, tls, basicAuth, acme, logs, basePath } = options
  const [first, ...others] = names
  const [upstream] = options.upstreams
  const on = ({ address = '*', port }: Listen) => `<VirtualHost ${address}:${port}>`
  return new Map([
    ['<VirtualHost *:443>', on(listen)],
    ['<VirtualHost *:80>', on(plainListen)],
    ['  ServerName example.org\n', `  ServerName ${first}\n`],
    ['  ServerAlias www.example.org\n', others.length === 0 ? '' : `  ServerAlias ${others.join(' ')}\n`],
    ['https://example.org$1', `https://${first}${portSuffix(options)}$1`],
    ['127.0.0.1:8080', upstream],
    ['/var/www/acme/', `${acme}/`],
    ['/var/log/apache2/', `${logs}/`],
    ...(tls ? certificateValues(tls) : [['Protocols h2 http/1.1', 'Protocols http/1.1'] as const]),
    ...(basicAuth === undefined ? [] : [['/etc/apache2/postern.htpasswd', basicAuth] as const]),
    ...(basePath === '' ? [] : subdirectoryValues(basePath, upstream)),
  ])
}

function subdirectoryValues(basePath: string, upstream: string): Replacements {
  const slug = escapeExpression(basePath)
  return [
    ['^/+user-content/', `^/+${slug.slice(1).replaceAll('/', '/+')}/+user-content/`],
    [`^/(?!${doorNames}(?:/|$))`, `^${slug}(?:$|/(?!${doorNames}(?:/|$)))`],
    ['^/(?:mcp|api|oauth|admin|', `^${slug}/(?:mcp|api|oauth|admin|`],
    ['^/(?!\\.well-known/acme-challenge/)(?:mcp|', `^${slug}/(?:mcp|`],
    ['/blog(?:/.*)?)$', `${slug}(?:/.*)?)$`],
    ['ProxyPass / http://127.0.0.1:8080/ ', `ProxyPass ${basePath} http://${upstream}${basePath} `],
  ]
}
