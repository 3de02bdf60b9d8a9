// A real sshd on a free port of loopback, with keys of its own, which serves SFTP to the user who runs the test.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TargetSettings } from '../../../src/backup/elsewhere/target.ts'
import { freePort } from '../../free-port.ts'
import { needTool } from '../../tools.ts'
import { until } from '../../until.ts'
import { connect } from 'node:net'

const run = promisify(execFile)

export interface SshServer extends AsyncDisposable {
  readonly settings: TargetSettings
  readonly secret: ''
  /** The folder of the target. */
  readonly folder: string
  /** A public key that is not the server's. */
  readonly foreignKey: string
}

export async function openSshServer(): Promise<SshServer> {
  needTool('sshd')
  const at = await mkdtemp(join(tmpdir(), 'postern-sshd-'))
  for (const name of ['host', 'client', 'foreign'])
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(at, name)])
  await writeFile(join(at, 'authorized'), await readFile(join(at, 'client.pub')))
  // sshd wants this folder when root starts it.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true })
  const port = await freePort()
  const config = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${join(at, 'host')}`,
    `AuthorizedKeysFile ${join(at, 'authorized')}`,
    `PidFile ${join(at, 'pid')}`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    'PasswordAuthentication no',
    'Subsystem sftp internal-sftp',
  ]
  await writeFile(join(at, 'config'), `${config.join('\n')}\n`)
  const server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(at, 'config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  server.stderr.on('data', (part: Buffer) => (said += part.toString()))
  await until('sshd listens', async () => {
    if (server.exitCode !== null) throw new Error(`sshd ended: ${said}`)
    const socket = connect(port, '127.0.0.1')
    return once(socket, 'connect').then(
      () => (socket.destroy(), true),
      () => false,
    )
  })
  return {
    settings: {
      kind: 'sftp',
      address: `sftp://127.0.0.1:${port}`,
      folder: join(at, 'there', 'backups'),
      user: userInfo().username,
      region: '',
      bucket: '',
      bucket_in: 'path',
      host_key: await readFile(join(at, 'host.pub'), 'utf8'),
      key_file: join(at, 'client'),
      private_network: true,
    },
    secret: '',
    folder: join(at, 'there', 'backups'),
    foreignKey: await readFile(join(at, 'foreign.pub'), 'utf8'),
    async [Symbol.asyncDispose]() {
      if (server.exitCode === null) {
        server.kill('SIGTERM')
        await once(server, 'close')
      }
      await rm(at, { recursive: true, force: true })
    },
  }
}
