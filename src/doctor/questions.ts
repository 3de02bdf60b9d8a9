// Requests that several rows share, so that each is sent once, and a description of an answer for people.

import { type JsonObject, parseObject } from '../base/json.ts'
import type { DoctorAnswer, Doctor, Question } from './doctor.ts'
import { basePathIn } from './mark.ts'

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
const welcome = '{"action":"SVC_API.welcome"}'

export const resource: Question = { path: '/.well-known/oauth-protected-resource' }
export const issuer: Question = { path: '/.well-known/oauth-authorization-server' }
/** A document that no site has. */
const noDocument: Question = { path: '/.well-known/postern-doctor-asks-for-none' }
export const postMcp: Question = { path: '/mcp/', method: 'POST', body: ping }
export const postBare: Question = { ...postMcp, path: '/mcp' }
export const postUpper: Question = { ...postMcp, path: '/MCP' }
export const postApi: Question = { path: '/api/', method: 'POST', body: welcome }
/** A call that no client makes. Its answer is 400. */
export const exchange: Question = { path: '/oauth/token', method: 'POST', body: '{}' }
export const register: Question = { path: '/oauth/register', method: 'POST', body: '{}' }
export const front: Question = { path: '/', headers: { accept: 'text/html' } }
export const mcpWithToken: Question = { ...postMcp, token: 'own' }
export const apiWithToken: Question = { ...postApi, token: 'own' }

export const isHtml = ({ headers, text }: DoctorAnswer): boolean =>
  /html/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html|head|body|center)/i.test(text)

export const isRedirect = ({ status }: DoctorAnswer): boolean => [301, 302, 303, 307, 308].includes(status)

/** The body as a JSON object; undefined for anything else. */
export const objectOf = ({ text }: DoctorAnswer): JsonObject | undefined => parseObject(text)

/** True if something in front of Postern answered, or may have answered. */
export const isForeign = ({ seen, status, headers }: DoctorAnswer): boolean =>
  seen === undefined && status !== 0 && headers['x-redirect-by'] !== 'Postern' && basePathIn(headers) === undefined

const challengeWords = /captcha|just a moment|cf-chl|challenge-platform|verify you are (?:a )?human|checking your browser/i

/** True for a page that asks a browser to prove that a person uses it. */
export const isChallenge = (asked: DoctorAnswer): boolean =>
  isForeign(asked) && (asked.headers['cf-mitigated'] === 'challenge' || (!objectOf(asked) && challengeWords.test(asked.text)))

/** True for a filter's own page. */
export const isBlockPage = (asked: DoctorAnswer): boolean =>
  [403, 406].includes(asked.status) && isForeign(asked) && asked.text !== '' && !objectOf(asked) && !isChallenge(asked)

/** True if the web server says that nothing answers behind it. Postern's own 503 is JSON, except for people. */
export const isDown = (asked: DoctorAnswer): boolean =>
  isForeign(asked) &&
  ([502, 504].includes(asked.status) || (asked.status === 503 && (!objectOf(asked) || /restarting/.test(asked.text))))

/** True for the 401 of `/mcp/`. */
export const isOurChallenge = ({ status, headers }: DoctorAnswer): boolean =>
  status === 401 && /^bearer\b/i.test(headers['www-authenticate'] ?? '')

/** True for a 401 that asks for HTTP basic authentication. */
export const isBasic = ({ status, headers }: DoctorAnswer): boolean =>
  status === 401 && /^basic\b/i.test(headers['www-authenticate'] ?? '')

/** Describes an answer: `301, 178 bytes of text/html, answered by nginx`. */
export function describe(asked: DoctorAnswer): string {
  const { status, headers, text, seen, fault } = asked
  if (fault) return fault.message
  const type = headers['content-type']?.split(';')[0]
  const body = text === '' ? 'an empty body' : `${Buffer.byteLength(text)} bytes${type === undefined ? '' : ` of ${type}`}`
  const location = headers['location'] === undefined ? '' : `, Location ${headers['location']}`
  return `${status}, ${body}${location}, answered by ${seen || basePathIn(headers) !== undefined ? 'Postern' : (headers['server'] ?? 'somebody in front, or Postern')}`
}

/** Finds an error of Postern's that another server's page replaced; undefined if there is none. */
export async function findReplaced(doctor: Doctor): Promise<DoctorAnswer | undefined> {
  const [known, missing, call] = await Promise.all([doctor.ask(resource), doctor.ask(noDocument), doctor.ask(postMcp)])
  // A replaced answer has lost its headers, so nothing shows that it was Postern's. Only those of a 401 are left.
  const refused = [...(known.status === 200 && missing.status >= 400 ? [missing] : []), ...(isOurChallenge(call) ? [call] : [])]
  return refused.find((one) => !objectOf(one))
}
