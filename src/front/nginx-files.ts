// Turns the templates of nginx/ into the files for one site, for /etc/nginx.

import { certificateValues, conditionsOf, fill, type Replacements } from './fill.ts'
import {
  doorNames,
  escapeExpression,
  type FrontFile,
  type FrontOptions,
  type Listen,
  parseUpstream,
  portSuffix,
  rootDocuments,
  type Templates,
} from './front-options.ts'

const snippets = ['door', 'log', 'media', 'page', 'password', 'proxy', 'send', 'server', 'upload']
const confPath = (name: string): string => `conf.d/${name}.conf`
const snippetPath = (name: string): string => `snippets/postern-${name}.conf`

/** The paths of all files that any site may have. */
export const nginxPaths: readonly string[] = [
  ...['postern-http', 'postern-nodes', 'postern', 'postern-unknown-hosts'].map(confPath),
  ...[...snippets, 'site', 'subdirectory', 'tls', 'redirect'].map(snippetPath),
]

/** @returns the files. Each has a template in `nginx/`. */
export function nginxFiles(options: FrontOptions, templates: Templates): readonly FrontFile[] {
  const conditions = conditionsOf(options)
  const values = valuesOf(options)
  const file = (path: string, template: string): FrontFile => ({ path, text: fill(templates(template), values, conditions) })
  const snippet = (name: string) => file(snippetPath(name), snippetPath(name))
  const conf = (name: string) => file(confPath(name), `${name}.conf`)
  return [
    conf('postern-http'),
    ...(options.upstreams.length > 1 ? [conf('postern-nodes')] : []),
    conf('postern'),
    // A host with a site in a subdirectory also has other sites, and one of them is already the default server.
    ...(options.basePath === '' ? [conf('postern-unknown-hosts')] : []),
    snippet(options.basePath === '' ? 'site' : 'subdirectory'),
    ...snippets.map(snippet),
    ...(options.tls ? [snippet('tls'), snippet('redirect')] : []),
  ]
}

function valuesOf(options: FrontOptions): ReadonlyMap<string, string> {
  const { names, tls, upstreams, home, acme, logs, basicAuth } = options
  const suffix = portSuffix(options)
  const scheme = tls ? 'https' : 'http'
  return new Map([
    ['server_name example.org www.example.org;', `server_name ${names.join(' ')};`],
    ['https://example.org$request_uri', `${scheme}://${names[0]}${suffix}$request_uri`],
    ['example\\.org$', `${escapeExpression(names[0])}$`],
    ['https://$host$request_uri', `https://$host${suffix}$request_uri`],
    ['Host $host;   ', suffix === '' ? 'Host $host;   ' : 'Host $host:$server_port;   '],
    ['server 127.0.0.1:8080 ', `server ${upstreams[0]} `],
    [exampleNodes.map(nodeLine).join(''), upstreams.map(nodeLine).join('')],
    ['root /var/lib/postern/site;', `root ${home};`],
    ['root /var/www/acme;', `root ${acme};`],
    ['/var/log/nginx/', `${logs}/`],
    ...listenValues(options),
    ...(tls ? certificateValues(tls) : [['  include snippets/postern-tls.conf;\n', ''] as const]),
    ...(basicAuth === undefined
      ? []
      : ([
          ['# auth_basic "Private";', 'auth_basic "Private";'],
          ['# auth_basic_user_file /etc/nginx/postern.htpasswd;', `auth_basic_user_file ${basicAuth};`],
        ] as const)),
    ...(options.basePath === '' ? [] : subdirectoryValues(options.basePath)),
  ])
}

/** The nodes in the template. */
const exampleNodes = ['192.0.2.11:8080', '192.0.2.12:8080']
const nodeLine = (upstream: string): string => `  server ${upstream} max_fails=2 fail_timeout=10s;\n`

/** The file with the nodes, below nginx's folder. */
export const nodesPath = confPath('postern-nodes')

/** The nodes in the text of that file. */
export const parseNodes = (text: string): readonly string[] =>
  [...text.matchAll(/^ {0,8}server ([\w.:[\]-]+)/gm)].flatMap(([, node = '']) => parseUpstream(node) ?? [])

/** The `listen` lines, by the lines of the templates, which listen on every address. */
function listenValues({ listen, plainListen, tls }: FrontOptions): Replacements {
  const tlsWords = tls ? ' ssl http2' : ''
  const lines = (on: Listen, words: string): string =>
    (on.address === undefined ? [`${on.port}`, `[::]:${on.port}`] : [`${on.address}:${on.port}`])
      .map((where) => `  listen ${where}${words};\n`)
      .join('')
  return [
    [lines({ address: undefined, port: 443 }, ' ssl http2'), lines(listen, tlsWords)],
    [lines({ address: undefined, port: 80 }, ''), lines(plainListen, '')],
    [lines({ address: undefined, port: 443 }, ' ssl http2 default_server'), lines(listen, `${tlsWords} default_server`)],
    [lines({ address: undefined, port: 80 }, ' default_server'), tls ? lines(plainListen, ' default_server') : ''],
  ]
}

function subdirectoryValues(basePath: string): Replacements {
  const slug = escapeExpression(basePath)
  return [
    ['~*^/', `~*^${slug}/`],
    ['^/blog', `^${slug}`],
    [`${rootDocuments}/blog`, `${rootDocuments}${slug}`],
    [`location ~* ^/${doorNames}(?:/|$) {\n`, `location ~* ^(?:${slug}/${doorNames}|${rootDocuments}${slug})(?:/|$) {\n`],
    [
      '  include snippets/postern-site.conf;\n',
      '  include snippets/postern-subdirectory.conf;\n  location / { return 404; }   # whatever else this host serves\n',
    ],
  ]
}
