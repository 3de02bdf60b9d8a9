// `postern install`: turns a built checkout into a service that runs under systemd behind nginx.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type FrontFile, type FrontOptions, parseBasePath } from '../front/front-options.ts'
import { fronts } from '../front/front.ts'
import { programFolder } from '../base/program.ts'
import type { Places } from '../install/places.ts'
import { type Command, flag, type Io, readWords, UsageError } from './command.ts'
import { carryOut, installedDetails, installedOptions, readInstalled } from './installed-options.ts'
import { readOption, namesOf, tlsOf } from './nginx.ts'
export const install: Command = {
  usage:
    'install [--server-name NAME… [--tls CERT KEY] [--base-path /blog]] [--processes N] [--from DIR] [--root DIR] [--no-start] [--dry-run] [--json]',
  summary: 'Installs the service on this machine, with systemd and nginx, and prints the files that it writes.',
  details: [
    '--server-name NAME     Host name. The first of several becomes the address of the site. Without one, nginx is left alone.',
    '--tls CERT KEY         Files of the certificate with its chain, and of its key. Without them, the site has no https.',
    '--base-path /blog      The path of the site, for an install in a subdirectory.',
    '--from DIR             A built checkout. The default is the checkout of this command.',
    '--processes N          How many processes the service has. The default is 1. `postern processes` changes it later.',
    '--no-start             Starts neither the service nor nginx.',
    ...installedDetails,
  ],
  async run(args, io) {
    const { values, positionals } = readWords(args, {
      ...installedOptions,
      'server-name': { type: 'string', multiple: true, default: [] },
      'base-path': { type: 'string', default: '' },
      tls: { type: 'string' },
      from: { type: 'string' },
      processes: { type: 'string' },
      'no-start': flag,
    })
    const from = values.from === undefined ? programFolder() : resolve(values.from)
    const { places, service } = await readInstalled(values)
    const front = frontOf(values, positionals, from)
    const { planInstall } = await import('../install/install.ts')
    const { oldSuffix } = await import('../install/installed-file.ts')
    const { paths } = await import('../install/places.ts')
    const { parseProcesses, processesExpected } = await import('../install/settings-file.ts')
    const processes =
      values.processes === undefined ? undefined : readOption('--processes', values.processes, parseProcesses, processesExpected)
    const dryRun = values['dry-run']
    const makePlan = () => planInstall({ places, from, service, start: !values['no-start'], processes, ...front })
    const { release, files, steps, replaced, otherBaseUrl } = await carryOut(io, { places, command: 'install', dryRun }, makePlan)
    for (const path of replaced()) io.err(`${path} had been changed. Its old text is in ${path}${oldSuffix}.\n`)
    if (otherBaseUrl !== undefined)
      io.err(`${paths.settings} stays as it is, with POSTERN_BASE_URL=${otherBaseUrl}, but nginx serves ${front.baseUrl}.\n`)
    if (front.front.some(({ path }) => !files.includes(join('/etc/nginx', path)))) io.err(`${fronts.nginx.note}\n`)
    const started = !dryRun && !values['no-start'] && service.command('start') !== undefined
    const link = started ? await greet(io, places, release) : null
    const result = { release, files, steps: steps.map(({ what }) => what), set_up: link }
    io.out(values.json ? `${JSON.stringify(result)}\n` : files.map((path) => `${path}\n`).join(''))
  },
}

/** The files of the web server, and the address of the site in them. */
function frontOf(
  values: { readonly 'server-name': readonly string[]; readonly 'base-path': string; readonly tls?: string | undefined },
  words: readonly string[],
  from: string,
): { readonly front: readonly FrontFile[]; readonly baseUrl: string | undefined } {
  const tls = tlsOf(values.tls, words)
  const basePath = readOption('--base-path', values['base-path'], parseBasePath, 'a path such as /blog')
  if (values['server-name'].length === 0) {
    if (tls || basePath !== '') throw new UsageError('Which host name?', 'postern install --server-name example.org')
    return { front: [], baseUrl: undefined }
  }
  const names = namesOf(values['server-name'])
  const options: FrontOptions = {
    names,
    basePath,
    tls,
    listen: { address: undefined, port: tls ? 443 : 80 },
    plainListen: { address: undefined, port: 80 },
    upstreams: ['127.0.0.1:8080'],
    basicAuth: undefined,
    home: '/var/lib/postern/site',
    acme: '/var/www/acme',
    logs: fronts.nginx.logs,
  }
  const front = fronts.nginx.files(options, (name) => readFileSync(join(from, 'nginx', name), 'utf8'))
  return { front, baseUrl: `${tls ? 'https' : 'http'}://${names[0]}${basePath}` }
}

/** Prints the rows that the doctor finds broken, and the set-up link. @returns the link; null if the site has an owner */
async function greet(io: Io, places: Places, release: string): Promise<string | null> {
  const { examine } = await import('../install/doctor.ts')
  const { paths, serviceUser } = await import('../install/places.ts')
  const { runProgram } = await import('../install/program.ts')
  const broken = [...((await examine(places, release))?.broken ?? [])]
  const command = `runuser -u ${serviceUser} -- ${paths.current}/scripts/postern doctor`
  if (broken.length > 0) io.err(`The doctor finds broken: ${broken.join(', ')}. To see what to do: ${command}\n`)
  const { code, out } = await runProgram(places, release, ['admin', 'set-up-link'])
  io.err(code === 0 ? `Set up: ${out}` : 'The site has an owner already.\n')
  return code === 0 ? out.trim() : null
}
