// Rows of the doctor: do calls reach Postern under each of the site's names? Faults with a row of their own (redirects,
// passwords, challenges, a service that is down) are left to that row.

import { type DoctorAnswer, type Doctor, nameOf, type Question, twinOf } from './doctor.ts'
import { broken, firstOf, type Row, type Verdict, warning } from './finding.ts'
import { allPassed, doorLocation, hostFile, siteFile } from './front-lines.ts'
import {
  exchange,
  findReplaced,
  isBasic,
  isBlockPage,
  isChallenge,
  isDown,
  isForeign,
  isOurChallenge,
  isRedirect,
  objectOf,
  postApi,
  postBare,
  postMcp,
  register,
  resource,
  describe,
} from './questions.ts'

/**
 * A call, and a member of every answer that Postern gives to it. The member identifies Postern if the service does not report
 * what arrived.
 */
interface Door {
  readonly call: Question
  readonly member: string
  /** True if the row `request-filter` looks at it. */
  readonly filtered?: true
}

const doors: readonly Door[] = [
  { call: postMcp, member: 'jsonrpc' },
  { call: postBare, member: 'jsonrpc' },
  { call: postApi, member: 'success', filtered: true },
  { call: register, member: 'error', filtered: true },
  { call: exchange, member: 'error' },
]

/** @param tells true if the site reports what it sees; then an answer without a report is another program's */
const isAnothers = (asked: DoctorAnswer, member: string, tells: boolean): boolean =>
  isForeign(asked) && !asked.kept && (tells || objectOf(asked)?.[member] === undefined)

const hasOwnRow = (asked: DoctorAnswer, { filtered }: Door): boolean =>
  isRedirect(asked) ||
  isBasic(asked) ||
  isChallenge(asked) ||
  isDown(asked) ||
  isOurChallenge(asked) ||
  (filtered === true && isBlockPage(asked))

const passed: Row = {
  id: 'passed',
  source: 'another program answers at a door, or nothing does',
  async run(doctor) {
    const [{ seen }, replaced] = await Promise.all([doctor.ask(resource), findReplaced(doctor)])
    const known = { tells: seen !== undefined, isReplaced: replaced !== undefined }
    const asked = await doctor.askAll(doors.map(({ call }) => call))
    return firstOf(asked, (one, index) => passedFault(doctor, doors[index] as Door, one, known))
  },
}

interface Known {
  readonly tells: boolean
  /** True if the web server replaces Postern's errors. A refusal may then be Postern's even if it looks like another program's. */
  readonly isReplaced: boolean
}

function passedFault({ base }: Doctor, door: Door, asked: DoctorAnswer, { tells, isReplaced }: Known): Verdict | undefined {
  if (hasOwnRow(asked, door)) return undefined
  const fix = { nginx: doorLocation(base), file: siteFile(base), ...allPassed(base) }
  if (asked.fault)
    return broken(`${asked.what} gets no answer, while other requests do: ${describe(asked)}.`, {
      ...fix,
      nginx: `${fix.nginx}   and no rule before it that drops the call`,
      edge: 'Add a rule that lets requests to /mcp, /api and /oauth pass',
    })
  if (!isAnothers(asked, door.member, tells) || (isReplaced && asked.status >= 400)) return undefined
  return broken(`${asked.what} came back with ${describe(asked)}: the call does not reach Postern.`, fix)
}

const twin: Row = {
  id: 'twin',
  source: 'another site answers at the name with www., or without it, or the site refuses that name',
  async run(doctor) {
    const other = twinOf(doctor.base.host)
    if (other === doctor.base.host) return []
    const { seen } = await doctor.ask(resource)
    const looks = [
      { call: resource, member: 'resource' },
      { call: postMcp, member: 'jsonrpc' },
    ].map(async (door) => {
      const [own, asked] = await Promise.all([doctor.ask(door.call), doctor.ask({ ...door.call, twin: true })])
      // A fault under both names is reported for the site's own name.
      const isSame = own.fault !== undefined || own.status === 421 || isAnothers(own, door.member, seen !== undefined)
      return isSame ? undefined : twinFault(doctor, door, asked, seen !== undefined)
    })
    return firstOf(await Promise.all(looks), (fault) => fault)
  },
}

/** Finds the fault of the twin, which need not exist. A web server that says it has no site of that name is right. */
function twinFault({ base }: Doctor, door: Door, asked: DoctorAnswer, tells: boolean): Verdict | undefined {
  const [own, other] = [nameOf(base.host), nameOf(twinOf(base.host))]
  if (asked.fault || hasOwnRow(asked, door)) return undefined
  if (asked.status === 421) {
    if (!objectOf(asked)) return undefined
    const message = `${asked.what} is refused with 421: the site does not know that this name is its own.`
    return warning(message, `POSTERN_ALLOWED_HOSTS=${own},${other}   in /etc/postern/postern.env`, describe(asked))
  }
  if (!isAnothers(asked, door.member, tells)) return undefined
  return warning(`${asked.what} came back with ${describe(asked)}: under the name ${other} the call does not reach Postern.`, {
    nginx: `server_name ${own} ${other};   or no DNS record for ${other}`,
    file: hostFile,
    apache: `ServerAlias ${other}   or no DNS record for ${other}`,
    caddy: `${own}, ${other} {   or no DNS record for ${other}`,
  })
}

export const passedRows: readonly Row[] = [passed, twin]
