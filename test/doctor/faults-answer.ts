// What is planted for the rows that look at the doors, at the answers, at filters and at protected files.

import { atBlog, noAnswer, pageOfFront, reporting, type RowFault } from './canned.ts'

const stranger = { key: undefined, token: undefined }

export const answerFaults: Readonly<Record<string, readonly RowFault[]>> = {
  authorization: [
    {
      planted: 'it is emptied',
      answers: [[/POST \S+\/mcp\/$/, reporting({ authorization: null })]],
      says: /\/mcp\/ was sent with an Authorization header and arrived without it/,
      fix: /^proxy_set_header Authorization \$http_authorization;/,
    },
    {
      planted: 'it is emptied, as far as a stranger can tell',
      answers: [[/POST \S+\/mcp\/$/, ({ headers }) => ({ headers: { ...headers, 'www-authenticate': 'Bearer realm="x"' } })]],
      options: stranger,
      says: /was sent with an Authorization header and answered as if it had none/,
      fix: /^proxy_set_header Authorization/,
    },
    {
      planted: 'it is emptied at the door of scripts alone',
      answers: [[/POST \S+\/api\/$/, () => ({ text: '{"data":{"you":{"token":null}}}' })]],
      options: { key: undefined },
      says: /\/api\/ was sent with a token that \/mcp\/ accepts, and answered as if it had none/,
      fix: /^proxy_set_header Authorization/,
    },
  ],
  'basic-auth': [
    {
      planted: 'a password over the doors too',
      answers: [[/POST \S+\/api\/$/, () => pageOfFront(401, '<html>', { 'www-authenticate': 'Basic realm="x"' })]],
      says: /\/api\/ asks for HTTP basic auth\. AI clients can't send it/,
      fix: /^auth_basic off; .*postern-door\.conf/,
    },
  ],
  'legacy-bridge': [
    {
      planted: 'an active bridge',
      answers: [
        [/POST \S+\/mcp\/$/, () => ({ status: 401, text: '{"error":{"code":-32001,"message":"Invalid or missing API key."}}' })],
      ],
      says: /with a good token came back with -32001/,
      fix: /plugin deactivate legacy-bridge/,
    },
  ],
  body: [
    {
      planted: 'it is left out',
      answers: [[/POST \S+\/mcp\/$/, reporting({ bytes: 0 })]],
      says: /\/mcp\/ was sent with a body of \d+ bytes, and 0 arrived/,
      fix: /proxy_pass_request_body off/,
    },
    {
      planted: 'it is left out, as far as a stranger can tell',
      answers: [[/POST \S+\/mcp\/$/, () => ({ status: 400, text: '{"error":{"code":-32700}}' })]],
      options: stranger,
      says: /and 0 arrived/,
      fix: /proxy_pass_request_body off/,
    },
  ],
  'body-size': [
    {
      planted: 'a limit of 1 MiB',
      answers: [[/\/api\/$/, (_, { announcedBytes = 0 }) => (announcedBytes > 0 ? pageOfFront(413, '<html>') : undefined)]],
      says: /^A body of 2 MiB came back with 413/,
      fix: /^client_max_body_size 65m;/,
    },
    {
      planted: 'a connection that ends above 20 MiB',
      answers: [
        [/\/api\/$/, (_, { announcedBytes = 0 }) => (announcedBytes > 2e7 ? noAnswer('broken', 'socket hang up') : undefined)],
      ],
      says: /^A body of 60 MiB came back with socket hang up/,
      fix: /^client_max_body_size 65m;/,
    },
  ],
  http2: [
    {
      planted: 'it gets another answer',
      answers: [[/\/mcp\/$/, (_, { version }) => (version === '2' ? pageOfFront(500, '<html>') : undefined)]],
      says: /^Over HTTP\/2 POST \S+\/mcp\/ came back with 500, .*; over HTTP\/1\.1 with 401/,
      fix: /^listen 443 ssl http2;/,
    },
  ],
  'empty-answer': [
    {
      planted: 'an old release',
      answers: [[/\/api\/$/, (_, { body }) => (body instanceof Uint8Array ? { status: 200, text: '' } : undefined)]],
      state: 'warning',
      says: /not UTF-8 came back with 200 and an empty body/,
      fix: /^Unset POSTERN_COMPAT/,
    },
  ],
  discovery: [
    {
      planted: 'it is looked for on disk',
      answers: [[/oauth-protected-resource/, () => pageOfFront(404, '<html>')]],
      says: /oauth-protected-resource is looked for on disk/,
      fix: /^location ~\* /,
    },
    {
      planted: 'hidden files are refused',
      answers: [[/oauth-authorization-server/, () => pageOfFront(403, '<html>')]],
      says: /refused with 403 by a rule for hidden files/,
      fix: /\(\?!well-known\)/,
    },
    {
      planted: 'an old document lies on disk',
      answers: [
        [/oauth-protected-resource/, () => pageOfFront(200, '{"resource":"x"}', { 'content-type': 'application/octet-stream' })],
      ],
      says: /is a file on disk, .*application\/octet-stream/,
      fix: /^Delete the file, and: location/,
    },
    {
      planted: 'the page of another program',
      answers: [[/oauth-protected-resource/, () => pageOfFront(200, '<!doctype html>')]],
      says: /is answered by another program: 200/,
      fix: /^location/,
    },
  ],
  'discovery-cached': [
    {
      planted: 'a cache that says so',
      answers: [[/oauth-protected-resource/, ({ headers }) => ({ headers: { ...headers, age: '7', 'x-cache': 'HIT' } })]],
      state: 'warning',
      says: /comes from a cache: it has age, x-cache: HIT\./,
      fix: /^proxy_cache off;/,
    },
    {
      planted: 'the answer to an earlier request',
      answers: [[/oauth-protected-resource/, () => ({ kept: true, seen: undefined })]],
      state: 'warning',
      says: /the answer was made for an earlier request/,
      fix: /^proxy_cache off;/,
    },
    {
      planted: "a cache of the edge's",
      answers: [
        [
          /oauth-protected-resource/,
          ({ headers }) => ({ headers: { ...headers, server: 'cloudflare', 'cf-cache-status': 'HIT' } }),
        ],
      ],
      state: 'warning',
      says: /cf-cache-status: HIT/,
      fix: /^Cache rule: bypass \/\.well-known\/\*/,
    },
  ],
  'errors-replaced': [
    {
      planted: 'a page in the place of a 404',
      answers: [[/asks-for-none/, () => pageOfFront(404, '<html>Nothing here.')]],
      says: /came back with 404, .*replaces Postern's errors by its own page/,
      fix: /^proxy_intercept_errors off;/,
    },
    {
      planted: 'a page in the place of the challenge',
      answers: [[/POST \S+\/mcp\/$/, () => ({ text: '<html>Nothing here.' })]],
      says: /\/mcp\/ came back with 401, .*replaces Postern's errors/,
      fix: /^proxy_intercept_errors off;/,
    },
  ],
  'unclean-answer': [
    {
      planted: 'a plugin prints',
      answers: [[/POST \S+\/api\/$/, ({ text }) => ({ text: `Notice: x ${text}` })]],
      says: /\/api\/ came back with 200, .*answered by Postern, which is not JSON/,
      fix: /plugin deactivate ID/,
    },
  ],
  events: [
    {
      planted: 'a buffer',
      answers: [[/\/mcp\/$/, () => ({ arrivals: [0, 0, 1, 1, 2] })]],
      says: /200 ms apart arrived together/,
      fix: /^proxy_buffering off; gzip off; .*postern-door\.conf/,
    },
    {
      planted: 'streams are compressed',
      answers: [[/\/mcp\/$/, ({ headers }) => ({ headers: { ...headers, 'content-encoding': 'gzip' } })]],
      says: /compressed \(gzip\)/,
      fix: /gzip off;/,
    },
    {
      planted: "Apache's buffer",
      answers: [[/./, ({ headers }) => ({ arrivals: [0], headers: { ...headers, server: 'Apache/2.4.62' } })]],
      says: /arrived together/,
      fix: /^ProxyPass .*flushpackets=on {3}in \/etc\/apache2\//,
    },
  ],
  'stream-cut': [
    {
      planted: 'it ends after a minute',
      answers: [[/\/mcp\/$/, () => ({ cut: true, text: 'data: 1\n\n' })]],
      state: 'warning',
      says: /was cut off before its end/,
      fix: /^proxy_read_timeout 300s;/,
    },
  ],
  'bot-challenge': [
    {
      planted: 'a captcha with status 202',
      answers: [[/oauth-protected-resource/, () => pageOfFront(202, '<!doctype html><p>Solve the captcha.')]],
      says: /challenge for a browser: 202/,
      fix: /skips bot protection for \/mcp, \/api/,
    },
    {
      planted: 'a challenge of the edge with status 403',
      answers: [[/POST \S+\/mcp\/$/, () => pageOfFront(403, '', { 'cf-mitigated': 'challenge' })]],
      says: /\/mcp\/ came back with a challenge for a browser: 403/,
      fix: /bot protection/,
    },
  ],
  'ai-agents': [
    {
      planted: 'two agents are refused',
      answers: [
        [/\/mcp\/$/, (_, { agent = '' }) => (/(?:Claude|ChatGPT)-User/.test(agent) ? pageOfFront(403, 'Blocked.') : undefined)],
      ],
      says: /call themselves Claude-User, ChatGPT-User are refused, others are not: 403/,
      fix: /^Remove the rule on \$http_user_agent/,
    },
    {
      planted: 'one agent is led elsewhere',
      answers: [[/\/mcp\/$/, (_, { agent }) => (agent === 'node' ? pageOfFront(302, '', { location: '/blocked' }) : undefined)]],
      says: /call themselves node are refused/,
      fix: /user_agent/,
    },
  ],
  'request-filter': [
    {
      planted: 'a filter on registration',
      answers: [[/\/oauth\/register$/, () => pageOfFront(403, '<html>You do not have permission.')]],
      says: /\/oauth\/register came back with 403, .*a request filter/,
      fix: /^Exempt \/api and \/oauth\/register/,
    },
    {
      planted: 'in plain text',
      answers: [[/POST \S+\/api\/$/, () => pageOfFront(406, 'no permission', { 'content-type': 'text/plain' })]],
      says: /\/api\/ came back with 406, \d+ bytes of text\/plain/,
      fix: /^Exempt/,
    },
  ],
  'protected-folders': [
    {
      planted: 'the log lies open',
      answers: [[/logs\/postern-errors\.log$/, () => pageOfFront(200, 'An error.', { 'content-type': 'text/plain' })]],
      says: /^GET \S+\/user-content\/logs\/postern-errors\.log came back with 200, .*answered by nginx.*anyone can read/,
      fix: /^location ~\* \^\/user-content\/.* return 403; .*postern-site\.conf/,
    },
    {
      planted: 'a folder is listed, below a slug',
      base: atBlog,
      answers: [[/user-content\/skills\/$/, () => pageOfFront(200, '<html><title>Index of /</title>')]],
      says: /^GET \S+\/blog\/user-content\/skills\/ came back with 200/,
      fix: /^location ~\* \^\/blog\/user-content\/.* return 403; .*postern-subdirectory\.conf/,
    },
  ],
}
