// `postern doctor`: asks the site through its public address as clients do, examines the machine if it runs on the server, and
// prints each fault with the line that fixes it. It creates a token and a key for the examination, and removes them at the end.

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { type Finding, needsWork } from '../doctor/finding.ts'
import { twinOf, nameOf } from '../doctor/doctor.ts'
import { nodeRows } from '../doctor/rows-nodes.ts'
import { errorMessage } from '../base/error-message.ts'
import { parseUpstream } from '../front/front-options.ts'
import { nodesPath, parseNodes } from '../front/nginx-files.ts'
import { type Command, flag, type Io, readFlags, UsageError } from './command.ts'
import { examineRemotely, examineHere, type Examination } from './doctor-run.ts'
import { exit } from './exit.ts'
import { readOption } from './nginx.ts'
import { configOf, hasSite } from './open-site.ts'

/** The exit codes of the doctor differ from those of the other commands. */
const exitOf = (findings: readonly Finding[]): number =>
  findings.some(({ state }) => state === 'broken') ? 2 : findings.some(needsWork) ? 1 : exit.ok

const options = {
  url: { type: 'string' },
  token: { type: 'string' },
  node: { type: 'string', multiple: true },
  nginx: { type: 'string', default: '/etc/nginx' },
  json: flag,
  only: { type: 'string' },
  slow: flag,
  verbose: flag,
  resolve: { type: 'string', multiple: true },
  dns: { type: 'string' },
  cacert: { type: 'string' },
  'plain-port': { type: 'string', default: '80' },
} as const

export const doctor: Command = {
  usage:
    'doctor [--url URL] [--token TOKEN] [--node HOST:PORT …] [--only ID,…] [--slow] [--verbose] [--resolve NAME:ADDRESS] [--dns SERVER] [--cacert FILE] [--json]',
  summary: 'Finds out why clients cannot connect: asks the site as they do, and says how to fix what is wrong.',
  details: [
    '--url URL         The address of the site. The default is POSTERN_BASE_URL.',
    '--token TOKEN     On another machine: a token of scope admin, to learn which parts of a request arrive.',
    '--node HOST:PORT  A node of a site on several machines. Given once per node; the default is the nodes that nginx on this machine knows.',
    '--nginx DIR       Where nginx has its files. The default is /etc/nginx.',
    '--only ID,…       Checks only these rows. The document cannot-connect lists them.',
    '--slow            Also checks what takes two minutes.',
    '--verbose         Also prints the rows that are well.',
    '--resolve N:A,…   Uses the address A for the name N, whatever DNS says.',
    '--dns SERVER      Asks this DNS server.',
    '--cacert FILE     Trusts the certificates in this file too.',
    '--plain-port P    The port of plain http. The default is 80.',
    'Exit code: 0 all is well, 1 warnings, 2 something is broken.',
  ],
  async run(args, io) {
    const values = readFlags(args, options)
    const stopped = new AbortController()
    const stop = () => stopped.abort()
    // On the first signal it ends its requests and revokes its token. A second signal ends the process.
    process.once('SIGINT', stop).once('SIGTERM', stop)
    try {
      const examination: Examination = {
        url: values.url,
        only: values.only?.split(',').map((id) => id.trim()),
        slow: values.slow,
        names: { instead: insteadOf(values.resolve ?? []), server: values.dns },
        trust: values.cacert === undefined ? [] : [readCertificates(values.cacert)],
        plainPort: portOf(values['plain-port']),
        nodes: values.node?.map((text) => readOption('--node', text, parseUpstream, aNode)) ?? nodesIn(values.nginx),
        signal: stopped.signal,
      }
      checkNodesNamed(examination)
      const findings = await (values.token !== undefined || !(await hasSite(configOf(io)))
        ? examineRemotely(io, examination, values.token)
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

const aNode = 'a host and a port such as 10.0.0.2:8080'

/** Checks that nodes are known if a row about nodes is requested. @throws UsageError */
function checkNodesNamed({ only = [], nodes = [] }: Examination): void {
  const row = nodeRows.find(({ id }) => only.includes(id))
  if (row && nodes.length === 0)
    throw new UsageError(
      `The row ${row.id} asks the nodes of a site on several machines. Which are they?`,
      'postern doctor --node 10.0.0.2:8080',
    )
}

/** The nodes in the file that `postern nginx` writes for several; empty if there is no such file. */
function nodesIn(folder: string): readonly string[] {
  try {
    return parseNodes(readFileSync(join(folder, nodesPath), 'utf8'))
  } catch {
    return []
  }
}

const marks: Readonly<Record<Finding['state'], string>> = { ok: '✓', warning: '!', broken: '✗', unknown: '?' }

function tell(io: Io, findings: readonly Finding[], { json, verbose }: { json: boolean; verbose: boolean }): void {
  if (json) return io.out(`${JSON.stringify({ findings })}\n`)
  const shown = findings.filter((finding) => verbose || needsWork(finding) || isTelling(finding))
  for (const { id, state, message, fix } of shown) {
    io.out(`${marks[state]} ${id}: ${message}\n`)
    if (fix !== null) io.out(`    fix: ${fix}\n`)
  }
  const count = (...states: string[]) => findings.filter(({ state }) => states.includes(state)).length
  io.out(`${count('ok')} rows are well, ${count('unknown')} unknown, ${count('warning')} warnings, ${count('broken')} broken.\n`)
  if (count('unknown') > 0 && !verbose) io.err('--verbose says what is unknown and why.\n')
}

const isTelling = ({ state, message }: Finding): boolean => state === 'ok' && message.includes('second password')

/** Parses `NAME:ADDRESS,ADDRESS`. The `www.` twin of a name gets the same addresses, unless it has its own. */
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
    throw new UsageError(`--cacert ${path} can't be read: ${errorMessage(error)}`)
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError(`--plain-port ${text} is not a port.`)
  return port
}
