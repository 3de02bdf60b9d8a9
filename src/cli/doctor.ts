// `postern doctor`: asks the site through its public address as clients would, looks at the machine where it runs on it, and tells what is wrong
// with the line that mends it. What it takes for that, a token that reads and a key, it has of its own and leaves nothing behind.

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Finding } from '../doctor/finding.ts'
import { twinOf, nameOf } from '../doctor/doctor.ts'
import { type Command, type Io, parseFlags, UsageError } from './command.ts'
import { examineFromAfar, examineHere, type Examination } from './doctor-run.ts'
import { exit } from './exit.ts'
import { hasSite } from './open-site.ts'

/** What the doctor answers a script with; apart from the other codes of the command line. */
const exitOf = (findings: readonly Finding[]): number =>
  findings.some(({ state }) => state === 'broken') ? 2 : findings.some(({ state }) => state === 'warning') ? 1 : exit.ok

const options = {
  url: { type: 'string' },
  token: { type: 'string' },
  json: { type: 'boolean', default: false },
  only: { type: 'string' },
  slow: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  resolve: { type: 'string', multiple: true },
  dns: { type: 'string' },
  cacert: { type: 'string' },
  'plain-port': { type: 'string', default: '80' },
} as const

export const doctor: Command = {
  usage:
    'doctor [--url URL] [--token TOKEN] [--only ID,…] [--slow] [--verbose] [--resolve NAME:ADDRESS] [--dns SERVER] [--cacert FILE] [--json]',
  summary: 'Finds out why clients can not connect: asks the site as they do, and says what mends it.',
  details: [
    '--url URL         The address of the site; POSTERN_BASE_URL unless given.',
    '--token TOKEN     On another machine: a token of scope admin, with which to ask what of a request arrives.',
    '--only ID,…       Only these rows; the document cannot-connect lists them.',
    '--slow            Also what takes two minutes.',
    '--verbose         Shows what is well, too.',
    '--resolve N:A,…   Asks the name N at the address A, whatever DNS says.',
    '--dns SERVER      Asks this DNS server for the names.',
    '--cacert FILE     Trusts the certificates of this file besides the usual ones.',
    '--plain-port P    Where plain http is, beside https; 80.',
    'Exit code: 0 all is well, 1 warnings, 2 something is broken.',
  ],
  async run(args, io) {
    const values = parseFlags(args, options)
    const stopped = new AbortController()
    const stop = () => stopped.abort()
    // Once told, it ends what it asks, and takes back its token before it goes.
    process.once('SIGINT', stop).once('SIGTERM', stop)
    try {
      const examination: Examination = {
        url: values.url,
        only: values.only?.split(',').map((id) => id.trim()),
        slow: values.slow,
        names: { instead: insteadOf(values.resolve ?? []), server: values.dns },
        trust: values.cacert === undefined ? [] : [readCertificates(values.cacert)],
        plainPort: portOf(values['plain-port']),
        signal: stopped.signal,
      }
      const findings = await (values.token !== undefined || !hasSite(io)
        ? examineFromAfar(io, examination, values.token)
        : examineHere(io, examination))
      tell(io, findings, values)
      return exitOf(findings)
    } catch (error) {
      if (!stopped.signal.aborted) throw error
      io.err('Stopped before the end.\n')
      return exit.unavailable
    } finally {
      process.off('SIGINT', stop).off('SIGTERM', stop)
    }
  },
}

const marks: Readonly<Record<Finding['state'], string>> = { ok: '✓', warning: '!', broken: '✗', unknown: '?' }

function tell(io: Io, findings: readonly Finding[], { json, verbose }: { json: boolean; verbose: boolean }): void {
  if (json) return io.out(`${JSON.stringify({ findings })}\n`)
  const shown = findings.filter(
    ({ state, message }) => verbose || state === 'warning' || state === 'broken' || isTelling(state, message),
  )
  for (const { id, state, message, fix } of shown) {
    io.out(`${marks[state]} ${id}: ${message}\n`)
    if (fix !== null) io.out(`    fix: ${fix}\n`)
  }
  const count = (...states: string[]) => findings.filter(({ state }) => states.includes(state)).length
  io.out(`${count('ok')} rows are well, ${count('unknown')} unknown, ${count('warning')} warnings, ${count('broken')} broken.\n`)
  if (count('unknown') > 0 && !verbose) io.err('--verbose says what is unknown, and why.\n')
}

const isTelling = (state: Finding['state'], message: string): boolean =>
  state === 'ok' && message !== 'As it should be.' && message.includes('second password')

/** `NAME:ADDRESS,ADDRESS`; the `www.` twin goes with its name unless it is named itself. */
function insteadOf(given: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const pairs = given.map((text) => {
    const [, name = '', list = ''] = /^([^:]+):(.+)$/.exec(text) ?? []
    const addresses = list.split(',').map((address) => address.replace(/^\[|\]$/g, ''))
    if (name === '' || addresses.some((address) => isIP(address) === 0))
      throw new UsageError(`--resolve ${JSON.stringify(text)} makes no sense.`, '--resolve example.org:192.0.2.1,[2001:db8::1]')
    return [nameOf(name), addresses] as const
  })
  return new Map([...pairs.map(([name, addresses]) => [twinOf(name), addresses] as const), ...pairs])
}

function readCertificates(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`--cacert ${path} can't be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError(`--plain-port ${text} is no port.`)
  return port
}
