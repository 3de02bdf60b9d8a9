// Whether a service is ready, asked where it listens: here by a Unix socket, which a unit may name in the port's place.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { paths, placesBelow } from '../../src/install/places.ts'
import { serviceOf } from '../../src/install/service.ts'
import { root } from '../site.ts'
import { needTool } from '../tools.ts'

/** Hands a socket at a path to a program, as systemd would. */
const holder = `
import os, socket, sys
held = socket.socket(socket.AF_UNIX)
held.bind(sys.argv[1])
held.listen(16)
os.dup2(held.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
os.execvp(sys.argv[2], sys.argv[2:])
`

test('a service on a Unix socket is found ready below its slug, and one that is gone is not', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-service-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const places = placesBelow(folder)
  const socket = join(folder, 'postern.sock')
  const files = {
    [join(paths.units, 'postern.socket')]: `[Socket]\nListenStream=${socket}\n`,
    [paths.settings]: 'POSTERN_BASE_URL=https://example.org/blog\n',
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(places.at(path)), { recursive: true })
    await writeFile(places.at(path), text)
  }
  const env = { PATH: process.env['PATH'], POSTERN_HOME: join(folder, 'site'), POSTERN_BASE_URL: 'https://example.org/blog' }
  const main = join(root, 'dist', 'main.js')
  needTool('python3')
  const child = spawn('python3', ['-c', holder, socket, process.execPath, main], { env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  try {
    const options = { places, restartCommand: 'true', readyUrl: undefined }
    await serviceOf({ ...options, readySeconds: 60 }).waitReady()
    child.kill()
    await ended
    await assert.rejects(
      serviceOf({ ...options, readySeconds: 0.1 }).waitReady(),
      (error) => error instanceof Failure && error.message.includes(`http://localhost/blog/readyz by ${socket}, nobody answered`),
    )
  } finally {
    child.kill()
    await ended
  }
})
