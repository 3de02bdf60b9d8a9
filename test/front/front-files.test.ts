// What is written for a web server in front of a site: the files of nginx/, with this site's values and with nothing that breaks out.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fronts } from '../../src/front/front.ts'
import {
  type FrontOptions,
  parseBasePath,
  parseFilePath,
  parseHostName,
  parseListen,
  parseUpstream,
} from '../../src/front/front-options.ts'
import { openTemplates } from '../../src/front/templates.ts'
import { fc } from '../properties.ts'
import { root } from '../site.ts'

const read = (name: string): string => readFileSync(join(root, 'nginx', name), 'utf8')
const everywhere = (port: number) => ({ address: undefined, port })

/** The site that the files of nginx/ stand for. */
const example: FrontOptions = {
  names: ['example.org', 'www.example.org'],
  basePath: '',
  listen: everywhere(443),
  plainListen: everywhere(80),
  tls: {
    certificate: '/etc/letsencrypt/live/example.org/fullchain.pem',
    key: '/etc/letsencrypt/live/example.org/privkey.pem',
  },
  upstreams: ['127.0.0.1:8080'],
  basicAuth: undefined,
  home: '/var/lib/postern/site',
  acme: '/var/www/acme',
  logs: '/var/log/nginx',
}

/** A site that has nothing in common with it. */
const other: FrontOptions = {
  names: ['boats.test', 'www.boats.test', 'old.test'],
  basePath: '',
  listen: { address: '192.0.2.1', port: 8443 },
  plainListen: { address: '[2001:db8::1]', port: 8081 },
  tls: { certificate: '/srv/c.pem', key: '/srv/k.pem' },
  upstreams: ['[::1]:9000'],
  basicAuth: '/srv/passwords',
  home: '/srv/home',
  acme: '/srv/acme',
  logs: '/srv/logs',
}

const written = (kind: keyof typeof fronts, options: FrontOptions) => fronts[kind].files(options, openTemplates())
const withoutComments = (text: string): string => text.replace(/(?:^|\s)#.*$/gm, '')

/** Where the text of a written file stands in nginx/. */
const sourceOf = (path: string): string => path.replace(/^conf\.d\//, '')

test('what is written for example.org behind nginx is what stands in nginx/, byte for byte', () => {
  const files = written('nginx', example)
  assert.ok(files.length > 10)
  for (const { path, text } of files) assert.equal(text, read(sourceOf(path)), path)
})

test('each front says how the Authorization of a client is passed on, and why', () => {
  const nginx = written('nginx', other).find(({ path }) => path.endsWith('postern-proxy.conf'))?.text ?? ''
  assert.match(nginx, /^proxy_set_header Authorization \$http_authorization; +# the client's token; .+$/m)
  for (const kind of ['apache', 'caddy'] as const)
    assert.match(
      written(kind, other)[0]?.text ?? '',
      /# .*Authorization, the client's token, (?:needs\s+# no line|is passed on without a line)/,
    )
})

test('what is written for example.org/blog differs in the subdirectory alone', () => {
  for (const { path, text } of written('nginx', { ...example, basePath: '/blog' })) {
    if (path.endsWith('postern-http.conf')) assert.equal(text, read(sourceOf(path)).replaceAll('~*^/', '~*^/blog/'))
    else if (/redirect|conf\.d/.test(path)) assert.match(text, /blog|subdirectory/)
    else assert.equal(text, read(sourceOf(path)), path)
  }
})

test('what is written for example.org behind Apache and Caddy stands in nginx/instead/, but for what only a subdirectory needs', () => {
  const parts = (text: string) => text.split('\n').filter((line) => line.trim() !== '')
  const apache =
    written('apache', { ...example, logs: '/var/log/apache2', basicAuth: '/etc/apache2/postern.htpasswd' })[0]?.text ?? ''
  const missing = parts(read('instead/apache.conf')).filter((line) => !parts(apache).includes(line))
  assert.deepEqual(
    missing.map((line) => line.trim().split(' ')[0]),
    ['#', 'ProxyPassMatch'],
  )
  assert.equal(written('caddy', { ...example, logs: '/var/log/caddy' })[0]?.text, read('instead/caddy.conf'))
})

test('every file of nginx/ is written for some site, and those that nginx may be given are known', () => {
  const several = { ...example, upstreams: ['192.0.2.11:8080', '192.0.2.12:8080'] as const }
  const nginx = [...written('nginx', several), ...written('nginx', { ...example, basePath: '/blog' })]
  assert.deepEqual([...new Set(nginx.map(({ path }) => path))].sort(), [...fronts.nginx.paths].sort())
  const all = [...nginx, { path: 'instead/apache.conf' }, { path: 'instead/caddy.conf' }].map(({ path }) => sourceOf(path))
  const there = readdirSync(join(root, 'nginx'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.conf'))
  assert.deepEqual(
    there.filter((name) => !all.includes(name)),
    [],
  )
})

for (const kind of ['nginx', 'apache', 'caddy'] as const) {
  for (const basePath of ['', '/a.b/c']) {
    test(`${kind}${basePath}: nothing of example.org is left in what is written for another site`, () => {
      for (const { path, text } of written(kind, { ...other, basePath })) {
        const examples = /example\.org|127\.0\.0\.1:8080|\/var\/|\/etc\/(?!nginx\/postern)|letsencrypt|blog|[ :]443|[ :]80\b/
        assert.doesNotMatch(withoutComments(text), examples, path)
      }
      const all = written(kind, { ...other, basePath })
        .map(({ text }) => text)
        .join('')
      for (const value of ['boats.test', 'old.test', '/srv/c.pem', '/srv/k.pem', '[::1]:9000', '/srv/logs', '8443'])
        assert.ok(all.includes(value), value)
      if (basePath !== '') assert.ok(all.includes('/a\\.b/c'), 'the dot stands for itself')
    })
  }
}

test('several nodes have the upstream that stands in nginx/postern-nodes.conf, and a single one has that of postern-http.conf', () => {
  const nodes = written('nginx', { ...example, upstreams: ['192.0.2.11:8080', '192.0.2.12:8080'] })
  const textOf = (name: string) => nodes.find(({ path }) => path.endsWith(name))?.text ?? ''
  assert.equal(textOf('postern-nodes.conf'), read('postern-nodes.conf'))
  assert.doesNotMatch(textOf('postern-http.conf'), /^upstream|127\.0\.0\.1/m)
  const one = written('nginx', example)
  assert.equal(
    one.some(({ path }) => path.endsWith('postern-nodes.conf')),
    false,
  )
  const three = written('nginx', { ...other, upstreams: ['[::1]:9000', 'a.test:1', 'b.test:2'] })
  const lines = (three.find(({ path }) => path.endsWith('postern-nodes.conf'))?.text ?? '').match(/^ {2}server .*$/gm)
  assert.deepEqual(
    lines,
    ['[::1]:9000', 'a.test:1', 'b.test:2'].map((node) => `  server ${node} max_fails=2 fail_timeout=10s;`),
  )
})

test('without TLS nothing of TLS is written', () => {
  for (const kind of ['nginx', 'apache', 'caddy'] as const) {
    for (const { text } of written(kind, { ...example, tls: undefined, listen: everywhere(80) }))
      assert.doesNotMatch(withoutComments(text), /\bssl|443|pem\b|http2|\btls\b/i)
  }
})

test('a value that holds another example value is not looked at again', () => {
  const options = { ...other, names: ['a.example.org', 'www.example.org'] as const, upstreams: ['example.org:8080'] as const }
  const all = written('nginx', options)
    .map(({ text }) => text)
    .join('')
  assert.ok(all.includes('server_name a.example.org www.example.org;'))
  assert.ok(all.includes('server example.org:8080 '))
})

const parsers = { parseHostName, parseBasePath, parseFilePath, parseListen, parseUpstream }
const goodStarts = ['example.org', '/blog', '/etc/x.pem', '443', '127.0.0.1:8080', '[::1]:80', '']

for (const [name, parse] of Object.entries(parsers)) {
  test(`${name}: what passes can't break out of a configuration`, () => {
    const hostile = fc.constantFrom(...' \t\r\n;{}"\'$#\\<>()|*?!,`&^%', '\u2028', '\0', '..', '/', ':', 'é', '[', ']', 'a', '1')
    const text = fc
      .tuple(fc.constantFrom(...goodStarts), fc.array(hostile), fc.constantFrom(...goodStarts))
      .map(([start, middle, end]) => start + middle.join('') + end)
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (given) => {
        const value = parse(given)
        if (value === undefined) return
        const shown = typeof value === 'string' ? value : `${value.address ?? ''}:${value.port}`
        assert.match(shown, /^[A-Za-z0-9._+@=~/:[\]-]*$/)
        assert.doesNotMatch(shown, /\/\.\.?(?:\/|$)/)
      }),
    )
  })
}

const rows: readonly (readonly [parse: (text: string) => unknown, text: string, value: unknown])[] = [
  [parseHostName, 'Example.ORG', 'example.org'],
  [parseHostName, 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
  [parseHostName, '*.example.org', undefined],
  [parseHostName, 'example.org.', undefined],
  [parseHostName, 'bücher.example', 'xn--bcher-kva.example'],
  [parseHostName, '*.bücher.example', undefined],
  [parseHostName, '_', undefined],
  [parseBasePath, '/blog/', '/blog'],
  [parseBasePath, '/', ''],
  [parseBasePath, 'blog', undefined],
  [parseBasePath, '/a/../b', undefined],
  [parseBasePath, '/.well-known', undefined],
  [parseFilePath, '/etc/x y', undefined],
  [parseFilePath, 'relative', undefined],
  [parseFilePath, '/etc/../x', undefined],
  [parseFilePath, '/', undefined],
  [parseListen, '0', undefined],
  [parseListen, '65536', undefined],
  [parseListen, '127.0.0.1:8443', { address: '127.0.0.1', port: 8443 }],
  [parseListen, '[::1]:8443', { address: '[::1]', port: 8443 }],
  [parseListen, '::1:8443', undefined],
  [parseListen, 'localhost:8443', undefined],
  [parseUpstream, 'Node-1:8080', 'node-1:8080'],
  [parseUpstream, '8080', undefined],
  [parseUpstream, 'unix:/run/x.sock', undefined],
]
for (const [parse, text, value] of rows) {
  test(`${parse.name} ${JSON.stringify(text)}: ${value === undefined ? 'refused' : JSON.stringify(value)}`, () => {
    assert.deepEqual(parse(text), value)
  })
}
