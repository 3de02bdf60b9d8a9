// `postern nginx`: writes what a web server in front of the site needs, and says how it is installed. It touches nothing but its folder.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Failure } from '../failure.ts'
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
import { type Command, parseWords, UsageError } from './command.ts'
import { exit } from './exit.ts'

export const nginx: Command = {
  usage:
    'nginx --server-name NAME… --out DIR [--tls CERT KEY] [--base-path /blog] [--listen PORT] [--upstream HOST:PORT] [--basic-auth FILE] [--for nginx|apache|caddy] [--json]',
  summary: 'Writes the configuration of a web server in front of the site into a folder.',
  details: [
    '--server-name N   Host name; the first of several is the one that pages have their address on.',
    '--out DIR         Folder for the files, made where it is missing.',
    '--tls CERT KEY    Certificate with its chain, and its key; without, the site is served over plain http.',
    '--base-path /blog Slug of a subdirectory install.',
    '--listen L        Port, or ADDRESS:PORT; 443 with --tls, else 80 (Caddy: 443 always).',
    '--plain-listen L  With --tls: where pages are led to https from; 80.',
    '--upstream U      Where the service listens; 127.0.0.1:8080.',
    '--basic-auth F    An htpasswd file; the doors of AI clients and scripts stay open.',
    '--home DIR        Home of the site, whose uploads come from disk; POSTERN_HOME, else /var/lib/postern/site.',
    '--acme DIR        Where certificates are renewed from; /var/www/acme.',
    '--logs DIR        Folder of the logs.',
  ],
  async run(args, io) {
    const { values, positionals } = parseWords(args, {
      'server-name': { type: 'string', multiple: true, default: [] },
      out: { type: 'string' },
      tls: { type: 'string' },
      'base-path': { type: 'string', default: '' },
      listen: { type: 'string' },
      'plain-listen': { type: 'string', default: '80' },
      upstream: { type: 'string', default: '127.0.0.1:8080' },
      'basic-auth': { type: 'string' },
      home: { type: 'string', default: io.env['POSTERN_HOME'] || '/var/lib/postern/site' },
      acme: { type: 'string', default: '/var/www/acme' },
      logs: { type: 'string' },
      for: { type: 'string', default: 'nginx' },
      json: { type: 'boolean', default: false },
    })
    const kind = held('--for', values.for, (name) => (isFront(name) ? name : undefined), 'nginx, apache or caddy')
    const { files, paths, install, logs, note } = fronts[kind]
    if (kind === 'caddy' && values['basic-auth'] !== undefined)
      throw new UsageError('Caddy reads no password file: leave --basic-auth out, and write basicauth into its file by hand.')
    if (values.out === undefined)
      throw new UsageError('Into which folder?', 'postern nginx --server-name example.org --out ./front')
    const tls = tlsOf(values.tls, positionals)
    const options: FrontOptions = {
      names: namesOf(values['server-name']),
      basePath: held('--base-path', values['base-path'], parseBasePath, 'a path such as /blog'),
      listen: held('--listen', values.listen ?? (tls || kind === 'caddy' ? '443' : '80'), parseListen, aPort),
      plainListen: held('--plain-listen', values['plain-listen'], parseListen, aPort),
      tls,
      upstream: held('--upstream', values.upstream, parseUpstream, 'a host and a port such as 127.0.0.1:8080'),
      basicAuth:
        values['basic-auth'] === undefined ? undefined : held('--basic-auth', values['basic-auth'], parseFilePath, aPath),
      home: held('--home', resolve(values.home), parseFilePath, aPath),
      acme: held('--acme', values.acme, parseFilePath, aPath),
      logs: held('--logs', values.logs ?? logs, parseFilePath, aPath),
    }
    if (tls && kind !== 'caddy' && isSameListen(options.listen, options.plainListen))
      throw new UsageError('--listen and --plain-listen name the same port: one port speaks TLS, the other plain http.')
    const folder = held('--out', resolve(values.out), parseFilePath, 'a folder whose path has letters, digits and ._-+@= alone')
    const written = await writeAll(folder, files(options, openTemplates()), paths)
    const commands = install(folder)
    io.out(values.json ? `${JSON.stringify({ files: written, commands })}\n` : written.map((path) => `${path}\n`).join(''))
    io.err(`Install them with:\n${commands.map((command) => `  ${command}\n`).join('')}${note === '' ? '' : `${note}\n`}`)
    return exit.ok
  },
}

const aPort = 'a port, or an address and a port such as 127.0.0.1:8443'
const aPath = 'an absolute path of letters, digits and ._-+@= alone'

const isFront = (name: string): name is keyof typeof fronts => Object.hasOwn(fronts, name)

/** What a parser made of an option. @throws UsageError */
export function held<T>(option: string, text: string, parse: (text: string) => T | undefined, expected: string): T {
  const value = parse(text)
  if (value === undefined) throw new UsageError(`${option} ${JSON.stringify(text)} makes no sense: it must be ${expected}.`)
  return value
}

/** The names of a site, the first of which it is known by. @throws UsageError for none, or one that is none */
export function namesOf(given: readonly string[]): FrontOptions['names'] {
  const texts = given.flatMap((text) => text.split(',')).map((text) => text.trim())
  const all = texts.map((text) => held('--server-name', text, parseHostName, 'a host name such as example.org'))
  const [first, ...others] = new Set(all)
  if (first === undefined) throw new UsageError('Which host name?', 'postern nginx --server-name example.org --out ./front')
  return [first, ...others]
}

/** `--tls` is followed by two files, of which the second is the only word that belongs to no option. */
export function tlsOf(certificate: string | undefined, words: readonly string[]): Tls | undefined {
  const [key, stray] = words
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined || stray !== undefined)
    throw new UsageError(`${JSON.stringify(stray ?? key)} belongs to no option.`)
  if (key === undefined) throw new UsageError('--tls takes two files: the certificate with its chain, and its key.')
  return { certificate: held('--tls', certificate, parseFilePath, aPath), key: held('--tls', key, parseFilePath, aPath) }
}

/**
 * Writes each file and gives its path. Of `all`, those that an earlier run wrote and this site has none of are removed: copied along, they would
 * stand in its way. @throws Failure `unprocessable` where the folder can't be written
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
    const why = error instanceof Error ? error.message : String(error)
    throw new Failure('unprocessable', `The folder ${folder} can't be written: ${why}`)
  }
  return files.map(({ path }) => join(folder, path))
}
