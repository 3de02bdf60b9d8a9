// `postern install`: from a checkout that is built to a service that answers behind nginx.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type FrontFile, parseBasePath } from '../front/front-options.ts'
import { fronts } from '../front/front.ts'
import { programFolder } from '../front/templates.ts'
import type { Places } from '../install/places.ts'
import { type Command, type Io, parseWords, UsageError } from './command.ts'
import { exit } from './exit.ts'
import { carryOut, installedDetails, installedOptions, readInstalled } from './installed-options.ts'
import { held, namesOf, tlsOf } from './nginx.ts'

interface Values {
  readonly 'server-name': readonly string[]
  readonly 'base-path': string
  readonly tls?: string | undefined
}

export const install: Command = {
  usage:
    'install [--server-name NAME… [--tls CERT KEY] [--base-path /blog]] [--from DIR] [--root DIR] [--no-start] [--dry-run] [--json]',
  summary: 'Installs the service on this machine, with systemd and nginx, and prints each file that it writes.',
  details: [
    '--server-name NAME     Host name, the first of several being the address; without one nginx is left alone.',
    '--tls CERT KEY         Certificate with its chain, and its key; without, the site is served over plain http.',
    '--base-path /blog      Slug of a subdirectory install.',
    '--from DIR             A checkout that is built; the one that this command is part of unless told.',
    '--no-start             Leaves the start of the service, and that of nginx, to you.',
    ...installedDetails,
  ],
  async run(args, io) {
    const { values, positionals } = parseWords(args, {
      ...installedOptions,
      'server-name': { type: 'string', multiple: true, default: [] },
      'base-path': { type: 'string', default: '' },
      tls: { type: 'string' },
      from: { type: 'string' },
      'no-start': { type: 'boolean', default: false },
    })
    const from = values.from === undefined ? programFolder() : resolve(values.from)
    const { places, service } = await readInstalled(values)
    const front = frontOf(values, positionals, from)
    const { planInstall } = await import('../install/install.ts')
    const { oldSuffix } = await import('../install/installed-file.ts')
    const { paths } = await import('../install/places.ts')
    const dryRun = values['dry-run']
    const makePlan = () => planInstall({ places, from, service, start: !values['no-start'], ...front })
    const { release, files, steps, replaced, otherBaseUrl } = await carryOut(io, { places, command: 'install', dryRun }, makePlan)
    for (const path of replaced()) io.err(`${path} had been changed: what it was is in ${path}${oldSuffix}.\n`)
    if (otherBaseUrl !== undefined)
      io.err(`${paths.settings} stays as it is, and says POSTERN_BASE_URL=${otherBaseUrl}; nginx serves ${front.baseUrl}.\n`)
    if (front.front.some(({ path }) => !files.includes(join('/etc/nginx', path)))) io.err(`${fronts.nginx.note}\n`)
    const started = !dryRun && !values['no-start'] && service.command('start') !== undefined
    const link = started ? await greet(io, places, release) : null
    const told = { release, files, steps: steps.map(({ what }) => what), set_up: link }
    io.out(values.json ? `${JSON.stringify(told)}\n` : files.map((path) => `${path}\n`).join(''))
    return exit.ok
  },
}

/** The web server's files, and the address that they give the site. */
function frontOf(
  values: Values,
  words: readonly string[],
  from: string,
): { readonly front: readonly FrontFile[]; readonly baseUrl: string | undefined } {
  const tls = tlsOf(values.tls, words)
  const basePath = held('--base-path', values['base-path'], parseBasePath, 'a path such as /blog')
  if (values['server-name'].length === 0) {
    if (tls || basePath !== '') throw new UsageError('Which host name?', 'postern install --server-name example.org')
    return { front: [], baseUrl: undefined }
  }
  const names = namesOf(values['server-name'])
  const options = {
    names,
    basePath,
    tls,
    listen: { address: undefined, port: tls ? 443 : 80 },
    plainListen: { address: undefined, port: 80 },
    upstream: '127.0.0.1:8080',
    basicAuth: undefined,
    home: '/var/lib/postern/site',
    acme: '/var/www/acme',
    logs: fronts.nginx.logs,
  }
  const front = fronts.nginx.files(options, (name) => readFileSync(join(from, 'nginx', name), 'utf8'))
  return { front, baseUrl: `${tls ? 'https' : 'http'}://${names[0]}${basePath}` }
}

/** What the doctor says, and where the owner goes next. @returns the set-up link, null where the site has an owner */
async function greet(io: Io, places: Places, release: string): Promise<string | null> {
  const { examine } = await import('../install/doctor.ts')
  const { paths, serviceUser } = await import('../install/places.ts')
  const { runProgram } = await import('../install/program.ts')
  const broken = [...((await examine(places, release))?.broken ?? [])]
  const command = `runuser -u ${serviceUser} -- ${paths.current}/scripts/postern doctor`
  if (broken.length > 0) io.err(`The doctor finds broken: ${broken.join(', ')}. What to do says: ${command}\n`)
  const { code, out } = await runProgram(places, release, ['admin', 'set-up-link'])
  io.err(code === 0 ? `Set up: ${out}` : 'The site has its owner already.\n')
  return code === 0 ? out.trim() : null
}
