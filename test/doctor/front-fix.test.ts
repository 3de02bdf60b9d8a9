// The line of a fix, by the web server that answered.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fix, lineOf } from '../../src/doctor/front-fix.ts'

const fix: Fix = {
  nginx: 'gzip off;   on doors',
  file: 'snippets/x.conf',
  apache: 'SetEnv no-gzip',
  caddy: 'no encode',
  edge: 'a rule',
}
const { edge: _, ...ofServers } = fix

const rows: readonly (readonly [fix: Fix, server: string | undefined, line: string])[] = [
  [fix, 'nginx/1.22.1', 'gzip off;   in /etc/nginx/snippets/x.conf   on doors'],
  [fix, undefined, 'gzip off;   in /etc/nginx/snippets/x.conf   on doors'],
  [fix, 'Apache/2.4.62 (Debian)', 'SetEnv no-gzip   in /etc/apache2/sites-available/postern.conf'],
  [fix, 'Caddy', 'no encode   in /etc/caddy/Caddyfile'],
  [fix, 'cloudflare', 'a rule'],
  [ofServers, 'cloudflare', 'gzip off;   in /etc/nginx/snippets/x.conf   on doors'],
  ['systemctl restart postern', 'Apache', 'systemctl restart postern'],
]
for (const [given, server, line] of rows) {
  test(`${typeof given === 'string' ? 'a command' : 'a line'} where ${server ?? 'nobody we know'} answered${'edge' in Object(given) ? ', which may be an edge' : ''}`, () => {
    assert.equal(lineOf(given, server), line)
  })
}
