// What is planted for the rows that look at the way to the site: its name, its certificate, its redirects, and whether calls get through.

import { atBlog, atRoot, noAnswer, pageOfFront, type RowFault } from './canned.ts'

const redirect = (status: number, location: string) => () => pageOfFront(status, '<html>Moved', { location })

export const reachFaults: Readonly<Record<string, readonly RowFault[]>> = {
  name: [
    {
      planted: 'an address of a private network',
      base: { ...atRoot, host: '10.8.0.5' },
      state: 'warning',
      says: /10\.8\.0\.5, which is not on the public internet/,
      fix: /A record with the server's public IPv4 address/,
    },
  ],
  ipv6: [
    {
      planted: 'IPv6 addresses only',
      base: { ...atRoot, host: '[2606:4700::1]' },
      state: 'warning',
      says: /has only IPv6 addresses/,
      fix: /A record too/,
    },
    {
      planted: 'nothing listens there',
      options: { names: { instead: new Map([['localhost', ['127.0.0.1', '::1']]]) } },
      answers: [[/./, (_, { family }) => (family === 6 ? noAnswer('refused', 'connect ECONNREFUSED') : undefined)]],
      says: /nothing answers there: connect ECONNREFUSED/,
      fix: /^listen \[::\]:443 ssl http2;/,
    },
    {
      planted: 'another site listens there',
      options: { names: { instead: new Map([['localhost', ['127.0.0.1', '::1']]]) } },
      answers: [[/./, (_, { family }) => (family === 6 ? pageOfFront(404, '<html>') : undefined)]],
      says: /another site over IPv6 than over IPv4: .*404/,
      fix: /^listen \[::\]:443/,
    },
  ],
  reachable: [
    {
      planted: 'the connection is refused',
      answers: [[/./, () => noAnswer('refused', 'connect ECONNREFUSED')]],
      says: /Nothing accepts connections at localhost on port 443/,
      fix: /^sudo ufw allow 443\/tcp/,
    },
    {
      planted: 'no answer on an open connection',
      answers: [[/./, () => noAnswer('silent', 'no answer in 1 s')]],
      says: /accepts connections, but then there is no answer in 1 s/,
      fix: /^systemctl restart postern/,
    },
    {
      planted: 'packets are dropped',
      answers: [[/./, () => noAnswer('timeout', 'no connection in 1 s')]],
      says: /does not answer: no connection in 1 s\. .*--url https:\/\/localhost/,
      fix: /ufw allow/,
    },
  ],
  certificate: [
    {
      planted: 'it has expired',
      answers: [[/https:\/\/localhost/, () => noAnswer('certificate', 'certificate has expired')]],
      says: /^The certificate of localhost has expired/,
      fix: /fullchain\.pem; .*in \/etc\/nginx\/snippets\/postern-tls\.conf {3}from: certbot certonly -d localhost -d www\.localhost/,
    },
    {
      planted: 'the www. name is not in it',
      answers: [[/www\./, () => noAnswer('certificate', "Hostname/IP does not match certificate's altnames")]],
      state: 'warning',
      says: /^The certificate of www\.localhost is not for www\.localhost/,
      fix: /fullchain\.pem/,
    },
    {
      planted: 'there is none',
      base: { scheme: 'http', host: 'site.example', path: '' },
      state: 'warning',
      says: /^site\.example is served over plain http/,
      fix: /^certbot certonly -d site\.example/,
    },
  ],
  clock: [
    {
      planted: 'the server is a minute behind',
      answers: [[/./, ({ headers }) => ({ headers: { ...headers, date: new Date(Date.now() - 60_000).toUTCString() } })]],
      state: 'warning',
      says: /are (?:59|6\d) s apart/,
      fix: /set-ntp true/,
    },
  ],
  'slash-redirect': [
    {
      planted: 'location /mcp/',
      answers: [[/POST \S+\/mcp$/, redirect(301, '/mcp/')]],
      says: /^POST https:\/\/localhost\/mcp came back with 301.*repeat the call as a GET/,
      fix: /^location ~\* \^\/\(\?:mcp\|.*postern-site\.conf/,
    },
    {
      planted: 'by the www. name alone, below a slug',
      base: atBlog,
      answers: [[/POST \S+www\.\S+\/mcp$/, redirect(301, '/blog/mcp/')]],
      says: /www\.localhost\/blog\/mcp came back with 301/,
      fix: /^location ~\* \^\/blog\/.*postern-subdirectory\.conf/,
    },
  ],
  'old-release': [
    {
      planted: 'Postern itself redirects',
      answers: [
        [/POST \S+\/mcp$/, () => ({ status: 302, text: '', headers: { location: '/mcp/', 'x-redirect-by': 'Postern' } })],
      ],
      state: 'warning',
      says: /\/mcp came back with 302, an empty body.*old release/,
      fix: /^Unset POSTERN_COMPAT/,
    },
  ],
  'door-redirect': [
    {
      planted: 'to another host',
      answers: [[/POST \S+\/api\/$/, redirect(301, 'https://api.example.org/')]],
      says: /\/api\/ is redirected to https:\/\/api\.example\.org\. .*drop their token/,
      fix: /^return 308/,
    },
    {
      planted: 'a POST over plain http',
      answers: [[/POST http:/, redirect(301, 'https://localhost/mcp/')]],
      state: 'warning',
      says: /^POST http:\/\/localhost\/mcp\/ is redirected to https:/,
      fix: /^return 308 .*postern-redirect\.conf/,
    },
  ],
  'redirect-loop': [
    {
      planted: 'https is led to https',
      answers: [[/GET https:\/\/localhost\/$/, redirect(301, 'https://localhost/')]],
      says: /is redirected in a circle: https:\/\/localhost\/ → https:\/\/localhost\//,
      fix: /^CDN: TLS mode "Full \(strict\)"/,
    },
    {
      planted: 'the two names lead to each other',
      answers: [
        [/GET https:\/\/localhost\/$/, redirect(301, 'https://www.localhost/')],
        [/GET https:\/\/www\.localhost\/$/, redirect(301, 'https://localhost/')],
      ],
      says: /in a circle: .*www\.localhost/,
      fix: /X-Forwarded-Proto \$scheme;/,
    },
  ],
  passed: [
    {
      planted: 'nobody sends /mcp on',
      answers: [[/POST \S+\/mcp\/?$/, () => pageOfFront(404, '<html>Not Found')]],
      says: /\/mcp\/ came back with 404, \d+ bytes of text\/html, answered by nginx: the call does not reach Postern/,
      fix: /^location ~\* /,
    },
    {
      planted: 'the page of another program, as far as a stranger can tell',
      answers: [[/POST \S+\/mcp\/?$/, () => pageOfFront(200, '<!doctype html>')]],
      options: { key: undefined, token: undefined },
      says: /\/mcp\/ came back with 200, .*does not reach Postern/,
      fix: /^location/,
    },
    {
      planted: 'the connection is closed without a word',
      answers: [[/POST \S+\/oauth\/token$/, () => noAnswer('broken', 'socket hang up')]],
      says: /\/oauth\/token gets no answer, while other requests do: socket hang up/,
      fix: /drops the call/,
    },
  ],
  twin: [
    {
      planted: 'another site by the www. name',
      answers: [[/www\./, () => pageOfFront(404, '<html>')]],
      state: 'warning',
      says: /under the name www\.localhost the call does not reach Postern/,
      fix: /^server_name localhost www\.localhost; {3}in \/etc\/nginx\/conf\.d\/postern\.conf/,
    },
    {
      planted: 'the site does not know the www. name',
      answers: [[/www\./, () => ({ status: 421, text: '{"error":{}}' })]],
      state: 'warning',
      says: /www\.localhost\S* is refused with 421/,
      fix: /^POSTERN_ALLOWED_HOSTS=localhost,www\.localhost/,
    },
  ],
}
