// Starts a plugin's process with Node's permission model, limits of the operating system, an empty environment and two pipes.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Failure } from '../base/failure.ts'

export interface Started {
  readonly child: ChildProcess
  /**
   * Standard output and error. Only Node itself writes there, for example when it crashes. The plugin's output comes in messages.
   */
  readonly words: readonly Readable[]
  readonly toPlugin: Writable
  readonly fromPlugin: Readable
}

/**
 * Limits that the operating system enforces, as far as it supports them:
 * - `ulimit -d` limits all memory, for growth between two checks of process-memory.ts. Node 24 starts with 576 MB.
 * - `unshare` gives the process an empty network, if users may create namespaces.
 * - `setpriv` kills the process when the site dies. Without `setpriv`, `ulimit -t` ends it after an hour of processor time.
 */
const script = `
PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ulimit -c 0
ulimit -d "$1" 2>/dev/null
shift
if setpriv --pdeathsig KILL true 2>/dev/null; then set -- setpriv --pdeathsig KILL "$@"; else ulimit -t 3600; fi
if unshare -Un true 2>/dev/null; then set -- unshare -Un "$@"; fi
exec env -i "$@"
`

const maxDataKb = 1_200_000

/**
 * Starts `host.js`, which may read only itself and the plugin's folder. It gets its own process group, so that no signal to the
 * group reaches the site.
 * @throws Failure `unavailable` if the machine has no room for another process
 */
export async function startHost(hostFile: URL, folder: string, heapMb: number): Promise<Started> {
  const host = fileURLToPath(hostFile)
  const readable = [host, ...packageFiles(host), folder.endsWith(sep) ? folder : folder + sep]
  const permission = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'
  const node = [
    process.execPath,
    permission,
    ...readable.map((path) => `--allow-fs-read=${path}`),
    '--experimental-vm-modules',
    '--frozen-intrinsics',
    '--no-addons',
    '--no-warnings',
    `--max-old-space-size=${heapMb}`,
    host,
  ]
  const child = spawn('/bin/sh', ['-c', script, 'sh', String(maxDataKb), ...node], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  // If the limit on open files is reached, the child has no pipes.
  await once(child, 'spawn').catch((error: unknown) => {
    throw notStarted(error)
  })
  const [, out, err, toPlugin, fromPlugin] = child.stdio
  return {
    child,
    words: [out as Readable, err as Readable],
    toPlugin: toPlugin as Writable,
    fromPlugin: fromPlugin as Readable,
  }
}

/** The `package.json` files in which Node looks for the type of a module. Up to 20.19.0, Node needs the permission to read them. */
function packageFiles(file: string): string[] {
  const folder = dirname(file)
  const candidate = join(folder, 'package.json')
  return existsSync(candidate) || folder === dirname(folder) ? [candidate] : [candidate, ...packageFiles(folder)]
}

/**
 * The real path of a folder. Node's permission model doesn't resolve links in the paths that it allows, and the path of a home may
 * contain links.
 * @throws Failure `unavailable` if the path can't be resolved
 */
export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch (error) {
    throw notStarted(error)
  }
}

/**
 * The first entry of a folder that is neither a file nor a folder. Node's permission model would follow a link out of the folder.
 * @throws Failure `unavailable` if the folder can't be read
 */
export function findLink(folder: string): string | undefined {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.find((entry) => !entry.isFile() && !entry.isDirectory())?.name
  } catch (error) {
    throw notStarted(error)
  }
}

/**
 * The failure for a process that ended before it ran any code of the plugin. The machine is at fault, and a later try may succeed.
 */
export function notStarted(cause: unknown): Failure {
  const message = 'This part of the site can not be started just now. Try again in a moment.'
  return new Failure('unavailable', message, { retry_after: 5 }, { cause })
}
