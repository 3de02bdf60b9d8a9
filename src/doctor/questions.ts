// The questions that several rows share, so that each goes over the wire once; and how an answer is told to a person.

import type { Asked, Question } from './doctor.ts'

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
const welcome = '{"action":"SVC_API.welcome"}'

export const resource: Question = { path: '/.well-known/oauth-protected-resource' }
export const issuer: Question = { path: '/.well-known/oauth-authorization-server' }
/** A document that no site has. */
export const noDocument: Question = { path: '/.well-known/postern-doctor-asks-for-none' }
export const postMcp: Question = { path: '/mcp/', method: 'POST', body: ping }
export const postBare: Question = { ...postMcp, path: '/mcp' }
export const postUpper: Question = { ...postMcp, path: '/MCP' }
export const postApi: Question = { path: '/api/', method: 'POST', body: welcome }
export const register: Question = { path: '/oauth/register', method: 'POST', body: '{}' }
export const front: Question = { path: '/', headers: { accept: 'text/html' } }
export const mcpWithToken: Question = { ...postMcp, token: 'own' }
export const apiWithToken: Question = { ...postApi, token: 'own' }

export const isHtml = ({ headers, text }: Asked): boolean =>
  /html/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html|head|body|center)/i.test(text)

export const isRedirect = ({ status }: Asked): boolean => [301, 302, 303, 307, 308].includes(status)

/** The body as a JSON object; undefined for anything else. */
export function objectOf({ text }: Asked): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Whether somebody in front answered, or by all that can be known may have. */
export const isForeign = ({ seen, status, headers }: Asked): boolean =>
  seen === undefined && status !== 0 && headers['x-redirect-by'] !== 'Postern'

/** `301, 178 bytes of text/html, answered by nginx` */
export function told(asked: Asked): string {
  const { status, headers, text, seen, fault } = asked
  if (fault) return fault.message
  const type = headers['content-type']?.split(';')[0]
  const body = text === '' ? 'an empty body' : `${Buffer.byteLength(text)} bytes${type === undefined ? '' : ` of ${type}`}`
  const location = headers['location'] === undefined ? '' : `, Location ${headers['location']}`
  return `${status}, ${body}${location}, answered by ${seen ? 'Postern' : (headers['server'] ?? 'somebody in front, or Postern')}`
}
