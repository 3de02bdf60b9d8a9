// Rows of the doctor: whether calls get to Postern at all, by each of the site's names. What has a row of its own (redirects, passwords, challenges,
// a service that is down) is left to it.

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
  told,
} from './questions.ts'

/** A call, and what no answer of Postern's to it is without: by that it is known where nobody tells what arrived. */
interface Door {
  readonly call: Question
  readonly member: string
  /** `request-filter` looks at it. */
  readonly filtered?: true
}

const doors: readonly Door[] = [
  { call: postMcp, member: 'jsonrpc' },
  { call: postBare, member: 'jsonrpc' },
  { call: postApi, member: 'success', filtered: true },
  { call: register, member: 'error', filtered: true },
  { call: exchange, member: 'error' },
]

/** @param tells whether the site tells what it sees: an answer that it doesn't own is then another's */
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
  source: 'a door is answered by somebody else, or not at all',
  needs: 'outside',
  async run(doctor) {
    const [{ seen }, replaced] = await Promise.all([doctor.ask(resource), findReplaced(doctor)])
    const known = { tells: seen !== undefined, isReplaced: replaced !== undefined }
    const asked = await doctor.askAll(doors.map(({ call }) => call))
    return firstOf(asked, (one, index) => passedFault(doctor, doors[index] as Door, one, known))
  },
}

interface Known {
  readonly tells: boolean
  /** What Postern refuses may look like another's refusal. */
  readonly isReplaced: boolean
}

function passedFault({ base }: Doctor, door: Door, asked: DoctorAnswer, { tells, isReplaced }: Known): Verdict | undefined {
  if (hasOwnRow(asked, door)) return undefined
  const fix = { nginx: doorLocation(base), file: siteFile(base), ...allPassed(base) }
  if (asked.fault)
    return broken(`${asked.what} is not answered, while other requests are: ${told(asked)}.`, {
      ...fix,
      nginx: `${fix.nginx}   and no rule before it that drops the call`,
      edge: 'A rule that lets calls of /mcp, /api and /oauth pass',
    })
  if (!isAnothers(asked, door.member, tells) || (isReplaced && asked.status >= 400)) return undefined
  return broken(`${asked.what} came back with ${told(asked)}: the call does not get to Postern.`, fix)
}

const twin: Row = {
  id: 'twin',
  source: 'by the name with www., or without it, somebody else answers, or the site refuses it',
  needs: 'outside',
  async run(doctor) {
    const other = twinOf(doctor.base.host)
    if (other === doctor.base.host) return []
    const { seen } = await doctor.ask(resource)
    const looks = [
      { call: resource, member: 'resource' },
      { call: postMcp, member: 'jsonrpc' },
    ].map(async (door) => {
      const [own, asked] = await Promise.all([doctor.ask(door.call), doctor.ask({ ...door.call, twin: true })])
      // What is wrong by both names is told of the site's own.
      const isSame = own.fault !== undefined || own.status === 421 || isAnothers(own, door.member, seen !== undefined)
      return isSame ? undefined : twinFault(doctor, door, asked, seen !== undefined)
    })
    return firstOf(await Promise.all(looks), (fault) => fault)
  },
}

/** That there must be such a name nobody says; and a web server that has no site by it and says so is right. */
function twinFault({ base }: Doctor, door: Door, asked: DoctorAnswer, tells: boolean): Verdict | undefined {
  const [own, other] = [nameOf(base.host), nameOf(twinOf(base.host))]
  if (asked.fault || hasOwnRow(asked, door)) return undefined
  if (asked.status === 421) {
    if (!objectOf(asked)) return undefined
    const message = `${asked.what} is refused with 421: the site does not know this name for its own.`
    return warning(message, `POSTERN_ALLOWED_HOSTS=${own},${other}   in /etc/postern/postern.env`, told(asked))
  }
  if (!isAnothers(asked, door.member, tells)) return undefined
  return warning(`${asked.what} came back with ${told(asked)}: by the name ${other} the call does not get to Postern.`, {
    nginx: `server_name ${own} ${other};   or no DNS record for ${other}`,
    file: hostFile,
    apache: `ServerAlias ${other}   or no DNS record for ${other}`,
    caddy: `${own}, ${other} {   or no DNS record for ${other}`,
  })
}

export const passedRows: readonly Row[] = [passed, twin]
