// How a plugin's process is started: the permission model, the limits of the system, an empty environment, and two pipes.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Failure } from '../failure.ts'

export interface Started {
  readonly child: ChildProcess
  /** Standard output and error: V8's last words, since the plugin's own prints are messages. */
  readonly words: readonly Readable[]
  readonly toPlugin: Writable
  readonly fromPlugin: Readable
}

/**
 * What the system holds beside Node, as far as it can. `ulimit -d`: a roof over all memory, for what comes between two looks at it; Node
 * 24 begins at 576 MB of that. `unshare`: a network with nobody in it, where users may have namespaces. `setpriv`: a busy process dies
 * with the site; where that isn't known, after an hour of computing.
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
 * Starts `host.js`, which may read itself and the plugin's folder. In a process group of its own, so that no signal to it reaches the site.
 * @throws Failure `unavailable` where the machine has no room for it
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
  // Where no more files may be opened it has no pipes at all.
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

/** Where Node looks for what kind of module a file is, as far as it looks: up to 20.19.0 not without being allowed to. */
function packageFiles(file: string): string[] {
  const folder = dirname(file)
  const found = join(folder, 'package.json')
  return existsSync(found) || folder === dirname(folder) ? [found] : [found, ...packageFiles(folder)]
}

/**
 * Where a folder lies, links on the way to it followed: Node's permission model allows paths as they stand, and a home may be linked to.
 * @throws Failure `unavailable` where that can't be told
 */
export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch (error) {
    throw notStarted(error)
  }
}

/**
 * The first entry of a folder that is neither file nor folder: Node's permission model follows a link to wherever it points.
 * @throws Failure `unavailable` where it can't be looked at
 */
export function findLink(folder: string): string | undefined {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.find((entry) => !entry.isFile() && !entry.isDirectory())?.name
  } catch (error) {
    throw notStarted(error)
  }
}

/** What is told where a process did not come as far as the plugin's own code: that is the machine's fault, and may pass. */
export function notStarted(cause: unknown): Failure {
  const message = 'This part of the site can not be started just now. Try again in a moment.'
  return new Failure('unavailable', message, { retry_after: 5 }, { cause })
}
