// `postern nginx`: writes the configuration of a web server into a folder, and prints the commands that install it. It changes
// nothing else.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errorMessage } from '../base/error-message.ts'
import { Failure } from '../base/failure.ts'
import { fronts } from '../front/front.ts'
import {
  type FrontFile,
  type FrontOptions,
  isSameListen,
  parseBasePath,
  parseFilePath,
  parseHostName,
  parseListen,
  parseUpstream,
  type Tls,
} from '../front/front-options.ts'
import { openTemplates } from '../front/templates.ts'
import { type Command, flag, readWords, UsageError } from './command.ts'

export const nginx: Command = {
  usage:
    'nginx --server-name NAME… --out DIR [--tls CERT KEY] [--base-path /blog] [--listen PORT] [--upstream HOST:PORT …] [--basic-auth FILE] [--for nginx|apache|caddy] [--json]',
  summary: 'Writes the configuration of a web server in front of the site into a folder.',
  details: [
    '--server-name N   Host name. Pages redirect to the first of several.',
    '--out DIR         Folder for the files. It is created if it is missing.',
    '--tls CERT KEY    Files of the certificate with its chain, and of its key. Without them, the site has no https.',
    '--base-path /blog The path of the site, for an install in a subdirectory.',
    '--listen L        Port, or ADDRESS:PORT. The default is 443 with --tls and for Caddy, otherwise 80.',
    '--plain-listen L  With --tls: the port of plain http, which redirects pages to https. The default is 80.',
    '--upstream U      Where the service listens. The default is 127.0.0.1:8080. Given once per node, if the site is on several machines.',
    '--basic-auth F    An htpasswd file: asks for a password, except where AI clients and scripts connect.',
    '--home DIR        Home of the site, to serve uploads from disk. The default is POSTERN_HOME, or /var/lib/postern/site.',
    '--acme DIR        Folder of ACME challenges. The default is /var/www/acme.',
    '--logs DIR        Folder of the logs.',
    '--for S           nginx (default), apache or caddy.',
  ],
  async run(args, io) {
    const { values, positionals } = readWords(args, {
      'server-name': { type: 'string', multiple: true, default: [] },
      out: { type: 'string' },
      tls: { type: 'string' },
      'base-path': { type: 'string', default: '' },
      listen: { type: 'string' },
      'plain-listen': { type: 'string', default: '80' },
      upstream: { type: 'string', multiple: true, default: ['127.0.0.1:8080'] },
      'basic-auth': { type: 'string' },
      home: { type: 'string', default: io.env['POSTERN_HOME'] || '/var/lib/postern/site' },
      acme: { type: 'string', default: '/var/www/acme' },
      logs: { type: 'string' },
      for: { type: 'string', default: 'nginx' },
      json: flag,
    })
    const kind = readOption('--for', values.for, (name) => (isFront(name) ? name : undefined), 'nginx, apache or caddy')
    const { files, paths, install, logs, note } = fronts[kind]
    if (kind === 'caddy' && values['basic-auth'] !== undefined)
      throw new UsageError('Caddy reads no password file: leave --basic-auth out, and write basicauth into its file by hand.')
    if (values.out === undefined)
      throw new UsageError('Into which folder?', 'postern nginx --server-name example.org --out ./front')
    const tls = tlsOf(values.tls, positionals)
    const options: FrontOptions = {
      names: namesOf(values['server-name']),
      basePath: readOption('--base-path', values['base-path'], parseBasePath, 'a path such as /blog'),
      listen: readOption('--listen', values.listen ?? (tls || kind === 'caddy' ? '443' : '80'), parseListen, aPort),
      plainListen: readOption('--plain-listen', values['plain-listen'], parseListen, aPort),
      tls,
      upstreams: upstreamsOf(values.upstream, kind),
      basicAuth:
        values['basic-auth'] === undefined ? undefined : readOption('--basic-auth', values['basic-auth'], parseFilePath, aPath),
      home: readOption('--home', resolve(values.home), parseFilePath, aPath),
      acme: readOption('--acme', values.acme, parseFilePath, aPath),
      logs: readOption('--logs', values.logs ?? logs, parseFilePath, aPath),
    }
    if (tls && kind !== 'caddy' && isSameListen(options.listen, options.plainListen))
      throw new UsageError('--listen and --plain-listen name the same port: one port speaks TLS, the other plain http.')
    const folder = readOption(
      '--out',
      resolve(values.out),
      parseFilePath,
      'a folder whose path has letters, digits and ._-+@= alone',
    )
    const written = await writeAll(folder, files(options, openTemplates()), paths)
    const commands = install(folder)
    io.out(values.json ? `${JSON.stringify({ files: written, commands })}\n` : written.map((path) => `${path}\n`).join(''))
    io.err(`Install them with:\n${commands.map((command) => `  ${command}\n`).join('')}${note === '' ? '' : `${note}\n`}`)
  },
}

const aPort = 'a port, or an address and a port such as 127.0.0.1:8443'
const aPath = 'an absolute path of letters, digits and ._-+@= alone'

const isFront = (name: string): name is keyof typeof fronts => Object.hasOwn(fronts, name)

/** Parses the value of an option. @throws UsageError */
export function readOption<T>(option: string, text: string, parse: (text: string) => T | undefined, expected: string): T {
  const value = parse(text)
  if (value === undefined) throw new UsageError(`${option} ${JSON.stringify(text)} makes no sense: it must be ${expected}.`)
  return value
}

/** The host names of a site; the first is its canonical name. @throws UsageError for no name, or an invalid one */
export function namesOf(given: readonly string[]): FrontOptions['names'] {
  const texts = given.flatMap((text) => text.split(',')).map((text) => text.trim())
  const all = texts.map((text) => readOption('--server-name', text, parseHostName, 'a host name such as example.org'))
  const [first, ...others] = new Set(all)
  if (first === undefined) throw new UsageError('Which host name?', 'postern nginx --server-name example.org --out ./front')
  return [first, ...others]
}

/**
 * The address of each node.
 * @throws UsageError for an invalid address, a repeated one, or several with a web server other than nginx
 */
function upstreamsOf(given: readonly string[], kind: keyof typeof fronts): FrontOptions['upstreams'] {
  const all = given.map((text) => readOption('--upstream', text, parseUpstream, 'a host and a port such as 127.0.0.1:8080'))
  const twice = all.find((upstream, at) => all.indexOf(upstream) !== at)
  if (twice !== undefined) throw new UsageError(`--upstream ${twice} is given twice: name each node once.`)
  const [first = '', ...others] = all
  if (others.length > 0 && kind !== 'nginx')
    throw new UsageError(
      'Several --upstream are for nginx, which sends each token to one node. Apache and Caddy can’t do both that and fall back to the address.',
      'postern nginx --for nginx --upstream … --upstream …',
    )
  return [first, ...others]
}

/** `--tls` takes two files. Node's parser gives the second as the only positional argument. */
export function tlsOf(certificate: string | undefined, words: readonly string[]): Tls | undefined {
  const [key, stray] = words
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined || stray !== undefined)
    throw new UsageError(`${JSON.stringify(stray ?? key)} belongs to no option.`)
  if (key === undefined) throw new UsageError('--tls takes two files: the certificate with its chain, and its key.')
  return {
    certificate: readOption('--tls', certificate, parseFilePath, aPath),
    key: readOption('--tls', key, parseFilePath, aPath),
  }
}

/**
 * Writes each file and returns the paths. Removes files of `all` that an earlier run wrote and this site does not need, because
 * they would disturb the web server if they were copied to it.
 * @throws Failure `unprocessable` if the folder can't be written
 */
async function writeAll(folder: string, files: readonly FrontFile[], all: readonly string[]): Promise<string[]> {
  try {
    for (const { path, text } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    const left = all.filter((path) => !files.some((file) => file.path === path))
    for (const path of left) await rm(join(folder, path), { force: true })
  } catch (error) {
    const why = errorMessage(error)
    throw new Failure('unprocessable', `The folder ${folder} can't be written: ${why}`)
  }
  return files.map(({ path }) => join(folder, path))
}
