// Runs the machine's `ssh` for the SFTP of a server. It reads no configuration and no agent, knows one host key, and takes no
// option from a text of the settings: these are checked, and follow after `--` or as values of options.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SshOrder {
  /** The address to connect to, as it was checked. */
  readonly address: string
  readonly port: number
  readonly user: string
  readonly keyFile: string
  /** Public keys of the host, each as `type base64`. */
  readonly hostKeys: readonly string[]
}

export interface Ssh {
  readonly process: ChildProcessWithoutNullStreams
  /** Ends when the process has ended. @returns the last line that it said, or the reason why it could not be run */
  readonly ended: Promise<string>
  /** Ends the process. */
  close(): Promise<void>
}

/** The name under which the host key is known, instead of the address. */
const alias = 'postern-target'

export async function startSsh({ address, port, user, keyFile, hostKeys }: SshOrder): Promise<Ssh> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-ssh-'))
  const known = join(folder, 'known_hosts')
  await writeFile(known, hostKeys.map((key) => `${alias} ${key}\n`).join(''), { mode: 0o600 })
  const options = {
    BatchMode: 'yes',
    ConnectTimeout: '20',
    ControlPath: 'none',
    GlobalKnownHostsFile: 'none',
    HostKeyAlias: alias,
    IdentitiesOnly: 'yes',
    IdentityFile: keyFile,
    LogLevel: 'ERROR',
    PreferredAuthentications: 'publickey',
    ServerAliveCountMax: '4',
    ServerAliveInterval: '15',
    StrictHostKeyChecking: 'yes',
    UpdateHostKeys: 'no',
    UserKnownHostsFile: known,
  }
  const named = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const words = ['-F', 'none', '-a', '-x', '-T', ...named, '-p', String(port), '-l', user, '-s', '--', address, 'sftp']
  // The service's environment is not passed on, because it may contain secrets and an agent.
  const child = spawn('ssh', words, { env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C' }, stdio: 'pipe' })
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said = (said + part.toString('utf8')).slice(-2000)))
  // An error of the pipe is told by the end of the process.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(`ssh can't be run on this machine: ${message}`))
    child.once('close', () => resolve(lastLine(said)))
  }).then(async (line) => {
    await rm(folder, { recursive: true, force: true })
    return line
  })
  return {
    process: child,
    ended,
    async close() {
      child.stdin.end()
      const killing = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(killing)
    },
  }
}

const lastLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .at(-1) ?? 'the connection was closed'
