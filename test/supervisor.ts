// Stands in for systemd: holds a socket and hands it to the service through any number of restarts, and hears what the service tells.
// It is Python, as node can neither hold a listening socket without taking its callers, nor hear datagrams on Unix sockets.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './site.ts'
import { needTool } from './tools.ts'

/** Opens the socket, then runs the command whenever it isn't running, with the socket as descriptor 3. */
const holder = `
import os, signal, socket, sys
listener = socket.socket()
listener.bind(('127.0.0.1', 0))
listener.listen(4096)
os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
print('holds', listener.getsockname()[1], flush=True)
child = 0
def end(*_):
    if child: os.kill(child, signal.SIGTERM); os.waitpid(child, 0)
    os._exit(0)
signal.signal(signal.SIGTERM, end)
while True:
    child = os.fork()
    if child == 0:
        os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
        os.execvp(sys.argv[1], sys.argv[1:])
    print('started', child, flush=True)
    _, status = os.waitpid(child, 0)
    print('ended', status, flush=True)
    if status != 0: sys.exit(1)
`

/** Prints each datagram as a line. */
const listener = `
import socket, sys
hears = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
hears.bind(sys.argv[1])
print('hears', flush=True)
while True: print(hears.recv(4096).decode().replace('\\n', ' '), flush=True)
`

/** A Python program that runs beside a test. */
export interface Helper extends AsyncDisposable {
  /** What it, and what it runs, has printed so far, a line each. */
  readonly lines: readonly string[]
  /** Waits for a line that matches, from the one of this number on. @returns the line */
  line(form: RegExp, from?: number): Promise<string>
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Helper {
  needTool('python3')
  const child = spawn('python3', ['-c', program, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  return {
    lines,
    async line(form, from = 0) {
      for (;;) {
        const found = lines.slice(from).find((line) => form.test(line))
        if (found !== undefined) return found
        if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${lines.join('\n')}`)
        await sleep(10)
      }
    },
    [Symbol.asyncDispose]: () => end(child),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}

/** The service on a socket that outlives it. It is started again whenever it ends well. */
export async function holdSocket(env: Readonly<Record<string, string>>): Promise<Helper & { readonly port: number }> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('POSTERN_'))
  const service = [process.execPath, '--enable-source-maps', join(root, 'dist', 'main.js')]
  const helper = run(holder, service, { ...Object.fromEntries(inherited), ...env })
  const [, port] = (await helper.line(/^holds /)).split(' ')
  return { ...helper, port: Number(port) }
}

/** What is told to this address, each message as a line. */
export async function hearNotifications(path: string): Promise<Helper> {
  const helper = run(listener, [path])
  await helper.line(/^hears$/)
  return helper
}
