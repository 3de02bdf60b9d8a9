// The token and key for `postern doctor`. On the server, the site itself issues them; elsewhere, calls with the caller's token
// do. The token is always revoked at the end, even after an error.

import type { JsonObject } from '../base/json.ts'
import { dirname, join } from 'node:path'
import type { AnswerOf } from '../actions/call/call-action.ts'
import { tokens } from '../actions/tokens/index.ts'
import { keyPath } from '../backup/manifest.ts'
import type { Site } from '../app/compose.ts'
import type { BaseUrl, Config } from '../base/config.ts'
import { Failure } from '../base/failure.ts'
import { checkNames, checkSource, plantedNames } from '../actions/health/health.ts'
import { doctorKeyMs, doctorKeyOf, parseDoctorKey } from '../doctor/doctor-key.ts'
import { createDoctor, type DoctorOptions } from '../doctor/doctor.ts'
import { broken, type Finding, findingOf, ok, unknown, type Verdict } from '../doctor/finding.ts'
import { objectOf } from '../doctor/questions.ts'
import { doctorRows, runDoctor, takesToken } from '../doctor/run-doctor.ts'
import { findOldestAdmin, callerOfAccount } from '../identity/account-store.ts'
import { findSiteKey } from '../identity/site-key.ts'
import { findDriverFault } from '../store/core/driver.ts'
import { type Io, UsageError } from './command.ts'
import { callAs, configOf, operator, withSite } from './open-site.ts'

/** The request of the command line. */
export interface Examination extends Pick<DoctorOptions, 'names' | 'trust' | 'plainPort' | 'signal' | 'nodes'> {
  readonly url: string | undefined
  readonly only: readonly string[] | undefined
  readonly slow: boolean
}

/** The time limit of one request. Caddy waits up to ten seconds for a service that restarts; its answer must still arrive. */
const timeoutMs = 15_000
const tokenName = 'postern doctor'

/** The row about the database driver. It needs no open site. */
export const driverRow = 'sqlite-module'
/** The row of the site's health that reports an unusable database. */
const databaseRow = 'database'

/** Examines the site on its server: asks from outside, and checks the machine. @throws Failure, UsageError */
export async function examineHere(io: Io, examination: Examination): Promise<readonly Finding[]> {
  const base = baseOf(io, examination)
  const fault = await findDriverFault()
  if (!fault) return examineOpened(io, base, examination)
  const isAlone = examination.only?.every((id) => id === driverRow) ?? false
  const others = isAlone ? [] : await runDoctor({ ...examination, base, timeoutMs }, examination)
  return [
    driverFinding(
      broken(
        `The module sqlite3, which reads the database, does not load: ${fault.message.split('\n')[0]}`,
        'npm rebuild sqlite3   in the folder of the program (npm 11 must be allowed to run its install script)',
      ),
    ),
    ...others,
  ]
}

/** Examines the site. If it can't be opened, for example because its database is unreachable, it still has an address and nodes. */
async function examineOpened(io: Io, base: BaseUrl, examination: Examination): Promise<readonly Finding[]> {
  let isOpen = false
  try {
    return await withSite(io, (site) => ((isOpen = true), examineSite(site, base, examination)))
  } catch (error) {
    if (isOpen || !(error instanceof Failure)) throw error
    return examineClosed(configOf(io), base, examination, error)
  }
}

/** Asks from outside, with the site's key but without a token, because only an open site can issue one. */
async function examineClosed(
  { POSTERN_HOME: home, POSTERN_DATABASE_URL: url }: Config,
  base: BaseUrl,
  examination: Examination,
  { message, detail }: Failure,
): Promise<readonly Finding[]> {
  checkKnown(examination.only, [...new Set([...doctorRows.map(({ id }) => id), ...checkNames, driverRow])])
  const siteKey = await findSiteKey(join(home, dirname(keyPath))).catch(() => undefined)
  const key = siteKey && doctorKeyOf(siteKey, Date.now() + doctorKeyMs)
  const outside = await runDoctor({ ...examination, base, key, timeoutMs }, examination)
  const fix = detail.hint ?? (url === undefined ? null : 'postern database check')
  const closed = findingOf({ id: databaseRow, source: checkSource }, broken(`The site can't be opened: ${message}`, fix))
  const skipped = unknown('This row needs the site, which can’t be opened: see the row database.')
  const inside = (examination.only ?? []).filter((id) => id !== databaseRow && !doctorRows.some((row) => row.id === id))
  return [
    closed,
    ...outside.map((finding) => (finding.message === takesToken ? findingOf(finding, skipped) : finding)),
    ...inside.map((id) => findingOf({ id, source: checkSource }, skipped)),
  ]
}

async function examineSite(site: Site, base: BaseUrl, examination: Examination): Promise<readonly Finding[]> {
  const own = site.health.names.filter((name) => !doctorRows.some(({ id, planted }) => id === name && planted !== true))
  checkKnown(examination.only, [...doctorRows.map(({ id }) => id), ...own, driverRow])
  const isWanted = (name: string) => examination.only?.includes(name) ?? true
  const minted = await mintToken(site)
  try {
    const key = doctorKeyOf(site.key, site.clock.now() + doctorKeyMs)
    const options = { ...examination, base, key, token: minted?.token, timeoutMs }
    const outside = await runDoctor(options, { ...examination, planted: false })
    const only = own.filter(isWanted)
    const inside = only.length === 0 ? [] : await site.health.check(site, { only }, examination.signal)
    return [...outside, ...(isWanted(driverRow) ? [driverFinding(ok('As it should be.'))] : []), ...inside]
  } finally {
    if (minted) await minted.revoke()
  }
}

const driverFinding = (verdict: Verdict): Finding => findingOf({ id: driverRow, source: checkSource }, verdict)

/** The source of the checks that the service runs itself, when it is asked from another machine with a token of scope `admin`. */
const byService = 'the service itself, by files that it planted and asked for'

function baseOf(io: Io, { url }: Examination): BaseUrl {
  const base = url === undefined ? configOf(io).POSTERN_BASE_URL : addressOf(url)
  if (base) return base
  throw new UsageError(
    'What is the address of the site? POSTERN_BASE_URL is not set.',
    'postern doctor --url https://example.org',
  )
}

/** Creates a token of scope read for ten minutes; undefined while the site has no account. */
async function mintToken(site: Site): Promise<{ readonly token: string; revoke(): Promise<unknown> } | undefined> {
  const account = await findOldestAdmin(site.store.read)
  if (!account) return undefined
  const caller = account.role === 'admin' ? callerOfAccount(account, 'cli') : operator
  const input = { ...tokenInput(site.clock.now()), account: account.id }
  const { token, item } = await callAs(site, caller, tokens.create, input)
  return token === undefined
    ? undefined
    : { token, revoke: () => callAs(site, caller, tokens.revoke, { ids: [item.id], expect: 1 }) }
}

const tokenInput = (now: number) => ({ name: tokenName, scope: 'read', expires_at: new Date(now + doctorKeyMs).toISOString() })

/**
 * Examines a site from another machine. Rows that need a token are unknown if there is no token, or if it does not arrive.
 * @throws UsageError
 */
export async function examineRemotely(io: Io, examination: Examination, token: string | undefined): Promise<readonly Finding[]> {
  checkKnown(examination.only, [...doctorRows.map(({ id }) => id), ...plantedNames])
  const options = { ...examination, base: baseOf(io, examination), timeoutMs }
  const planted = plantedNames.filter((name) => examination.only?.includes(name) ?? true)
  if (token === undefined) return withPlanted(await runDoctor(options, examination), planted, undefined)
  const call = callerBy({ ...options, token })
  const keyAnswer = await call('SVC_Health.doctor-key')
  if (keyAnswer === 'refused')
    io.err('The token is unknown, has ended, or does not have the scope admin. The rows that need such a token stay unknown.\n')
  const key = typeof keyAnswer === 'object' && typeof keyAnswer['key'] === 'string' ? parseDoctorKey(keyAnswer['key']) : undefined
  const created = await call('SVC_Tokens.create', tokenInput(Date.now()))
  const minted = typeof created === 'object' ? (created as AnswerOf<typeof tokens.create.output>) : undefined
  try {
    const outside = await runDoctor({ ...options, key, token: minted?.token ?? token }, examination)
    const answer = planted.length === 0 ? undefined : await call('SVC_Health.check', { only: planted }, checkMs)
    const checked = typeof answer === 'object' ? (answer['items'] as readonly Checked[]) : undefined
    return withPlanted(outside, planted, checked)
  } finally {
    // These calls have a separate signal, so that the token is revoked even after a stop.
    const last = callerBy({ ...options, token, signal: AbortSignal.timeout(timeoutMs) })
    if (minted) await last('SVC_Tokens.revoke', { ids: [minted.item.id], expect: 1 })
  }
}

/** An item of `SVC_Health.check`. */
type Checked = Pick<Finding, 'state' | 'message' | 'fix'> & { readonly check: string }

/** The time limit of the service's own checks. Creating files and requesting them takes a while. An action may take 30 s. */
const checkMs = 40_000

/**
 * Replaces findings from outside by those of the service's own checks, which examine more. A finding from outside stays if the
 * service's result is unknown, or if it is the worse one.
 * @param checked undefined if the service was not asked
 */
function withPlanted(
  outside: readonly Finding[],
  planted: readonly string[],
  checked: readonly Checked[] | undefined,
): readonly Finding[] {
  const found = planted.flatMap((id): readonly Finding[] => {
    const seen = outside.filter((finding) => finding.id === id)
    const one = checked?.find(({ check }) => check === id)
    if (one && (one.state !== 'unknown' || seen.length === 0) && !seen.some(({ state }) => state === 'broken'))
      return [findingOf({ id, source: byService }, one)]
    return seen.length > 0 ? seen : [findingOf({ id, source: byService }, unknown(takesToken))]
  })
  return [...outside.filter(({ id }) => !planted.includes(id)), ...found]
}

/** Returns a function that calls actions over `/api/`. A failed call returns undefined; the rows find the reason. */
function callerBy(
  options: DoctorOptions,
): (action: string, input?: JsonObject, timeoutMs?: number) => Promise<JsonObject | 'refused' | undefined> {
  const { ask } = createDoctor(options)
  return async (action, input = {}, timeoutMs = options.timeoutMs) => {
    const body = JSON.stringify({ action, ...input })
    const asked = await ask({ path: '/api/', method: 'POST', token: 'own', body, timeoutMs })
    const answer = objectOf(asked)
    if (answer?.['success'] === false && asked.status < 500) return 'refused'
    return answer?.['success'] === true ? (answer['data'] as JsonObject) : undefined
  }
}

function addressOf(url: string): BaseUrl {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new UsageError(`--url ${JSON.stringify(url)} is no address.`, '--url https://example.org')
  return {
    scheme: parsed.protocol === 'https:' ? 'https' : 'http',
    host: parsed.host,
    path: parsed.pathname.replace(/\/(?:mcp\/?)?$/, ''),
  }
}

function checkKnown(only: readonly string[] | undefined, known: readonly string[]): void {
  const wrong = only?.find((id) => !known.includes(id))
  if (wrong !== undefined && [...checkNames, driverRow].includes(wrong))
    throw new Failure('invalid', `The row ${wrong} can only be checked on the server: run postern doctor there.`, {
      field: 'only',
    })
  if (wrong !== undefined)
    throw new Failure('invalid', `There is no row ${wrong}; there are: ${known.join(', ')}.`, { field: 'only' })
}
