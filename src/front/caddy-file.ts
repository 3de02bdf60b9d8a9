// Turns nginx/instead/caddy.conf into the file for one site, for /etc/caddy/Caddyfile.

import { certificateValues, conditionsOf, fill } from './fill.ts'
import { escapeExpression, type FrontFile, type FrontOptions, rootDocuments, type Templates } from './front-options.ts'

/** @returns the one file for a site behind Caddy. Caddy can't read htpasswd files. */
export function caddyFiles(options: FrontOptions, templates: Templates): readonly FrontFile[] {
  const conditions = { ...conditionsOf(options), 'with basic auth': false }
  return [{ path: 'Caddyfile', text: fill(templates('instead/caddy.conf'), valuesOf(options), conditions) }]
}

function valuesOf({ names, listen, tls, upstreams: [upstream], logs, basePath }: FrontOptions): ReadonlyMap<string, string> {
  const slug = escapeExpression(basePath)
  // Without a certificate, Caddy gets one itself if it listens on port 443, and uses plain http on any other port.
  const scheme = tls || listen.port === 443 ? '' : 'http://'
  const port = listen.port === 443 || (listen.port === 80 && !tls) ? '' : `:${listen.port}`
  const bind = listen.address === undefined ? '' : `  bind ${listen.address.replace(/^\[|\]$/g, '')}\n`
  const values: (readonly [string, string])[] = [
    ['example.org, www.example.org {\n', `${names.map((name) => scheme + name + port).join(', ')} {\n${bind}`],
    ['127.0.0.1:8080', upstream],
    ['/var/log/caddy/', `${logs}/`],
  ]
  if (tls) values.push(...certificateValues(tls))
  if (basePath !== '') {
    values.push(['^/+user-content/', `^/+${slug.slice(1).replaceAll('/', '/+')}/+user-content/`])
    values.push([
      '    reverse_proxy 127.0.0.1:8080',
      `    @site path_regexp ^(?:${rootDocuments})?${slug}(?:/|$)\n    reverse_proxy @site ${upstream}`,
    ])
  }
  return new Map(values)
}
