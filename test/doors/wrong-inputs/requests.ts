// Requests that don't fit the door: addresses, methods, tokens and bodies as other interfaces have them.

import { api, mcp, type Request, type WrongInput } from './wrong-input.ts'

const call = '{"action": "SVC_Content.get", "id": "/about"}'
const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}): Request => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  body,
})
const about = /"path":"\/about"/

export const wrongRequests: readonly WrongInput[] = [
  {
    what: 'bad JSON',
    send: post('/api/', '{"action": "SVC_Content.get", "id": }'),
    says: [/JSON/, /position|line|character|\b3\d\b/],
  },
  {
    what: 'single quotes',
    send: post('/api/', "{'action': 'SVC_API.welcome'}"),
    says: [/JSON/, /position|line|character|quote/],
  },
  { what: 'an empty body', send: post('/api/', ''), says: [/JSON|body|empty/, /action/] },
  { what: 'a list of calls', send: post('/api/', `[${call}]`), says: [/object/, /SVC_API\.batch|action/] },
  {
    what: 'a form',
    send: {
      path: '/api/',
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'action=SVC_Content.get&id=/about',
    },
    says: [/JSON/],
    taken: about,
  },
  { what: 'XML', send: post('/api/', '<call/>', { 'content-type': 'application/xml' }), says: [/JSON/] },
  { what: 'a write by GET', send: { path: '/api/?action=SVC_Content.delete&ids=/about' }, says: [/POST/] },
  {
    what: 'a path for the action',
    send: post('/api/SVC_Content/get', '{"id": "/about"}'),
    says: [/\/api\//, /action/],
    taken: about,
  },
  { what: 'a path with a version', send: { path: '/api/v1/posts' }, says: [/\/api\//, /action|POST/] },
  { what: 'no slash at the end', send: post('/api', call), says: [/\/api\//], taken: about },
  {
    what: 'a token that there is none',
    send: { ...api({ action: 'SVC_Content.create', type: 'page', title: 'x' }), as: 'stranger' },
    says: [/token/i],
  },
  {
    what: 'no token',
    send: { ...api({ action: 'SVC_Content.create', type: 'page', title: 'x' }), as: 'nobody' },
    says: [/token/i],
  },
  {
    what: 'a token in a field of the body',
    send: { ...api({ action: 'SVC_Content.list', token: 'pst_x' }), as: 'nobody' },
    says: [/token/, /Authorization|Bearer|header/],
  },
  {
    what: 'a reader who writes',
    send: { ...mcp('SVC_Content.update', { id: '/about', title: 'x' }), as: 'reader' },
    says: [/scope|(?:this|your|the) token/i],
  },
  {
    what: 'a drafter who publishes',
    send: { ...mcp('SVC_Content.publish', { id: '/team' }), as: 'drafter' },
    says: [/drafts/, /SVC_Proposals\.create|propose/i],
  },
  { what: 'GET of the endpoint of MCP', send: { path: '/mcp/' }, says: [/POST/] },
  { what: 'bad JSON over MCP', send: post('/mcp/', '{"jsonrpc": "2.0", '), says: [/JSON|Parse error/i] },
  { what: 'a message without its version', send: post('/mcp/', '{"id": 1, "method": "tools/list"}'), says: [/jsonrpc/] },
  { what: 'a call of /api/ sent to /mcp/', send: post('/mcp/', call), says: [/jsonrpc|JSON-RPC|\/api\//] },
]
