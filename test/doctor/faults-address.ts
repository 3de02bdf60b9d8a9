// What is planted for the rows that look at scheme, host, path and the client's address.

import { atBlog, atRoot, pageOfFront, type Planted, reporting, type RowFault } from './canned.ts'

const document = /GET \S+\/\.well-known\/oauth-protected-resource$/
/** The document of a site that takes itself to be elsewhere. */
const resourceAt = (address: string): Planted => [document, () => ({ text: JSON.stringify({ resource: `${address}/mcp/` }) })]

export const addressFaults: Readonly<Record<string, readonly RowFault[]>> = {
  'upstream-down': [
    {
      planted: 'nobody answers behind the web server',
      answers: [[/POST \S+\/mcp\/$/, () => pageOfFront(502, '<html>Bad Gateway')]],
      says: /\/mcp\/ came back with 502.*can't reach Postern/,
      fix: /^systemctl status postern/,
    },
    {
      planted: 'the site is closed',
      answers: [[/./, () => ({ status: 503, text: '{"error":{"message":"Back at noon."}}' })]],
      state: 'warning',
      says: /came back with 503, and Postern says: Back at noon\./,
      fix: /maintenance off/,
    },
  ],
  'keep-alive-race': [
    {
      planted: 'two of six requests',
      answers: [[document, (_, { round = 0 }) => (round % 3 === 0 ? pageOfFront(502, '<html>') : undefined)]],
      state: 'warning',
      says: /^2 of 6 requests failed/,
      fix: /^keepalive_timeout 60s; .*postern-http\.conf/,
    },
  ],
  scheme: [
    {
      planted: 'X-Forwarded-Proto is not passed',
      answers: [
        [
          document,
          (healthy, question) => ({
            ...reporting({ headers: ['host'] })(healthy, question),
            text: '{"resource":"http://localhost/mcp/"}',
          }),
        ],
      ],
      says: /gives clients the address http:\/\/localhost\/mcp\/: it doesn't learn that the client used https\.$/,
      fix: /^proxy_set_header X-Forwarded-Proto \$scheme;/,
    },
    {
      planted: 'POSTERN_BASE_URL says http',
      answers: [resourceAt('http://localhost')],
      says: /X-Forwarded-Proto arrives, but POSTERN_BASE_URL says http/,
      fix: /^POSTERN_BASE_URL=https:\/\/localhost {3}in \/etc\/postern\/postern\.env/,
    },
  ],
  host: [
    {
      planted: 'Host is not passed',
      answers: [resourceAt('https://postern')],
      says: /^Asked as localhost, the site believes that it is postern/,
      fix: /^proxy_set_header Host \$host;/,
    },
    {
      planted: 'the site refuses the Host that comes',
      answers: [[document, () => ({ status: 421, text: '{"error":"This server does not serve the host postern."}' })]],
      says: /believes that it is postern/,
      fix: /^proxy_set_header Host \$host;/,
    },
    {
      planted: 'the port is lost',
      base: { ...atRoot, host: 'localhost:8443' },
      answers: [resourceAt('https://localhost')],
      says: /^Asked as localhost:8443, the site believes that it is localhost: the port differs/,
      fix: /^proxy_set_header Host \$host:\$server_port;/,
    },
  ],
  canonical: [
    {
      planted: 'the address of another host',
      answers: [resourceAt('https://old.example')],
      says: /gives clients the address https:\/\/old\.example\/mcp\//,
      fix: /^POSTERN_BASE_URL=https:\/\/localhost /,
    },
    {
      planted: 'the host is refused',
      answers: [[document, () => ({ status: 421, text: '{}' })]],
      says: /^The host localhost is refused with 421/,
      fix: /POSTERN_ALLOWED_HOSTS/,
    },
  ],
  subdirectory: [
    {
      planted: 'proxy_pass with a slash behind the port',
      base: atBlog,
      answers: [[/POST \S+\/mcp\/$/, reporting({ target: '/mcp/' })]],
      says: /^POST \S+\/blog\/mcp\/ arrives at Postern without \/blog: .*remove that slash\.$/,
      fix: /^proxy_pass http:\/\/127\.0\.0\.1:8080; .*postern-subdirectory\.conf {3}without the slash/,
    },
    {
      planted: 'the site has its host to itself',
      base: atBlog,
      answers: [[/./, () => ({ status: 404, headers: { 'x-answered-by': 'Postern at /' }, seen: undefined })]],
      says: /answered by Postern with 404: it is set up for the host's root/,
      fix: /^POSTERN_BASE_URL=https:\/\/localhost\/blog /,
    },
  ],
  target: [
    {
      planted: 'the path is tidied',
      answers: [[/\/mcp\/doctor/, reporting({ target: '/mcp/doctor/asks/for' })]],
      says: /^\/mcp\/doctor%2Fasks\/\/for was requested, and \/mcp\/doctor\/asks\/for arrived/,
      fix: /^proxy_pass http:\/\/postern;/,
    },
    {
      planted: 'the web server refuses %2F',
      answers: [[/\/mcp\/doctor/, () => pageOfFront(404, '<html>', { server: 'Apache/2.4' })]],
      says: /came back with 404, .*the web server itself refuses such paths/,
      fix: /^proxy_pass/,
    },
  ],
  'inserted-documents': [
    {
      planted: 'they are looked for on disk',
      base: atBlog,
      answers: [[/GET https:\/\/localhost\/\.well-known\//, () => pageOfFront(404, '<html>')]],
      state: 'warning',
      says: /\/\.well-known\/oauth-protected-resource\/blog\/mcp\/ came back with 404/,
      fix: /^location ~\* \^\/\\\.well-known.*\/blog/,
    },
  ],
  'forged-address': [
    {
      planted: 'what the client says is passed on',
      answers: [[/POST \S+\/mcp\/$/, reporting({ client: '192.0.2.77' })]],
      says: /claimed to come from 192\.0\.2\.77 was believed/,
      fix: /^proxy_set_header X-Forwarded-For \$remote_addr;/,
    },
  ],
}
