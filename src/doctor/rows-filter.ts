// Rows of the doctor: does a host or CDN block AI clients, by bot challenges, by user agent or by request filters?

import type { DoctorAnswer, Doctor, Question } from './doctor.ts'
import { broken, firstOf, type Row } from './finding.ts'
import { siteFile } from './front-lines.ts'
import { isBlockPage, isChallenge, isForeign, isRedirect, postApi, postMcp, register, resource, describe } from './questions.ts'

const botChallenge: Row = {
  id: 'bot-challenge',
  source: 'a door answers with a captcha or a challenge',
  async run(doctor) {
    const asked = await doctor.askAll([resource, postMcp, postApi, register])
    return firstOf(asked, (one) =>
      isChallenge(one)
        ? broken(
            `${one.what} came back with a challenge for a browser: ${describe(one)}. No AI client can solve it.`,
            'At the CDN or host: add a rule that skips bot protection for /mcp, /api, /oauth and /.well-known',
          )
        : undefined,
    )
  },
}

/** User agents of common clients. */
export const agents = ['Claude-User', 'ChatGPT-User', 'python-httpx/0.28.1', 'node', 'curl/8.5.0'] as const

const aiAgents: Row = {
  id: 'ai-agents',
  source: 'only some user agents are refused',
  async run(doctor) {
    const plain = await doctor.ask(postMcp)
    const refused = (await Promise.all(agents.map((agent) => askAs(doctor, agent)))).filter((one) => one !== undefined)
    if (plain.fault || isBlock(plain) || isChallenge(plain) || refused.length === 0) return []
    const [first] = refused
    const names = refused.map(({ agent }) => agent).join(', ')
    const message = `Clients that call themselves ${names} are refused, others are not: ${first ? describe(first.asked) : ''}. Often the sign-in works and the calls then fail.`
    const fix = {
      nginx: 'Remove the rule on $http_user_agent for /mcp, /api, /oauth and /.well-known',
      file: siteFile(doctor.base),
      apache: 'Remove the rule on %{HTTP_USER_AGENT} for /mcp, /api, /oauth and /.well-known',
      caddy: 'Remove the matcher on header User-Agent for /mcp, /api, /oauth and /.well-known',
      edge: 'Allow these agents in "Block AI bots" and in "AI Crawl Control"',
    }
    return [broken(message, fix, first?.asked.text.slice(0, 80))]
  },
}

/** True if only this user agent is redirected, such as to a page that refuses it. */
const isRedirected = (asked: DoctorAnswer, plain: DoctorAnswer | undefined): boolean =>
  isForeign(asked) && isRedirect(asked) && plain !== undefined && !isRedirect(plain)

const isBlock = (asked: DoctorAnswer): boolean =>
  asked.fault?.kind === 'broken' ||
  asked.fault?.kind === 'silent' ||
  (isForeign(asked) && [403, 406, 418, 429, 444, 503].includes(asked.status) && !asked.text.startsWith('{'))

async function askAs(doctor: Doctor, agent: string): Promise<{ agent: string; asked: DoctorAnswer } | undefined> {
  const questions: readonly Question[] = [postMcp, resource]
  const asked = await doctor.askAll(questions.map((one) => ({ ...one, agent })))
  const plain = await doctor.askAll(questions)
  const blocked = asked.find((one, index) => isBlock(one) || isChallenge(one) || isRedirected(one, plain[index]))
  return blocked && { agent, asked: blocked }
}

const requestFilter: Row = {
  id: 'request-filter',
  source: '/api/ or /oauth/register is 403 or 406 with the host’s own page',
  async run(doctor) {
    const asked = await doctor.askAll([postApi, register])
    return firstOf(asked, (one) =>
      isBlockPage(one)
        ? broken(`${one.what} came back with ${describe(one)}: a request filter of the host stops it.`, {
            nginx: 'Exempt /api and /oauth/register from the filter, or ask the host to',
            file: siteFile(doctor.base),
            apache: '<LocationMatch "(?i)^/(?:mcp|api|oauth)(?:/|$)"> SecRuleEngine Off </LocationMatch>',
            caddy: 'Exempt /api and /oauth/register from the filter, or ask the host to',
            edge: 'WAF: add an exception for /api and /oauth/register',
          })
        : undefined,
    )
  },
}

export const filterRows: readonly Row[] = [botChallenge, aiAgents, requestFilter]
