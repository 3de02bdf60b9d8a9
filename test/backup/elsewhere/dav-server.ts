// A real nginx on a free port of loopback that serves a folder by WebDAV, for one user.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TargetSettings } from '../../../src/backup/elsewhere/target.ts'
import { freePort } from '../../free-port.ts'
import { needTool } from '../../tools.ts'
import { until } from '../../until.ts'

export interface DavServer extends AsyncDisposable {
  readonly settings: TargetSettings
  readonly secret: string
  /** The folder of the target. */
  readonly folder: string
}

const user = 'keeper'
const secret = 'the password of WebDAV'
const module = '/usr/lib/nginx/modules/ngx_http_dav_ext_module.so'

export async function openDavServer(): Promise<DavServer> {
  needTool('nginx')
  needTool('nginx-dav-ext')
  const at = await mkdtemp(join(tmpdir(), 'postern-dav-'))
  const port = await freePort()
  await mkdir(join(at, 'there', 'dav'), { recursive: true })
  await mkdir(join(at, 'temp'))
  const { stdout } = await promisify(execFile)('openssl', ['passwd', '-apr1', secret])
  await writeFile(join(at, 'users'), `${user}:${stdout.trim()}\n`)
  for (const path of [at, join(at, 'there'), join(at, 'there', 'dav'), join(at, 'temp')]) await chmod(path, 0o777)
  await writeFile(
    join(at, 'nginx.conf'),
    `load_module ${module};
pid ${at}/pid; error_log ${at}/error.log; daemon off; master_process off;
events {}
http {
  access_log off;
  client_body_temp_path ${at}/temp; proxy_temp_path ${at}/temp/p; fastcgi_temp_path ${at}/temp/f; uwsgi_temp_path ${at}/temp/u; scgi_temp_path ${at}/temp/s;
  client_max_body_size 0;
  server {
    listen 127.0.0.1:${port};
    location / {
      root ${at}/there;
      auth_basic there; auth_basic_user_file ${at}/users;
      dav_methods PUT DELETE MKCOL MOVE; dav_ext_methods PROPFIND OPTIONS;
    }
  }
}`,
  )
  const server = spawn('nginx', ['-c', join(at, 'nginx.conf'), '-p', at], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  server.stderr.on('data', (part: Buffer) => (said += part.toString()))
  await until('nginx listens', async () => {
    if (server.exitCode !== null) throw new Error(`nginx ended: ${said}`)
    const socket = connect(port, '127.0.0.1')
    return once(socket, 'connect').then(
      () => (socket.destroy(), true),
      () => false,
    )
  })
  return {
    settings: {
      kind: 'webdav',
      address: `http://127.0.0.1:${port}/dav`,
      folder: 'backups/example.org',
      user,
      region: '',
      bucket: '',
      bucket_in: 'path',
      host_key: '',
      key_file: '',
      private_network: true,
    },
    secret,
    folder: join(at, 'there', 'dav', 'backups', 'example.org'),
    async [Symbol.asyncDispose]() {
      if (server.exitCode === null) {
        server.kill('SIGTERM')
        await once(server, 'close')
      }
      await rm(at, { recursive: true, force: true })
    },
  }
}
