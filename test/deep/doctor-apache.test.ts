// The checks of protected folders and uploads before Apache, where it hands out what lies on the disk: the line that mends it is one of Apache's.

import assert from 'node:assert/strict'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePorts, openFront } from '../front.ts'
import { until } from '../plugin-site.ts'
import { openSite } from '../site.ts'

test('doctor protected-folders, uploads: where Apache hands out what lies on the disk, the line is one of Apache’s', async () => {
  const ports = await freePorts()
  await using site = await openSite({ env: { POSTERN_BASE_URL: `http://localhost:${ports.port}` } })
  await using front = await openFront({ kind: 'apache', ports, upstream: site.port, home: site.home })
  const file = join(front.folder, 'files', 'sites-available', 'postern.conf')
  const content = join(site.home, 'user-content')
  const open = `Alias /user-content ${content}\n<Directory ${content}>\nRequire all granted\n</Directory>\nProxyPass /user-content !\n`
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('Require all denied', 'Require all granted').replace('AllowEncodedSlashes', `${open}$&`))
  await chmod(site.home, 0o755)
  await writeFile(join(content, 'uploads', 'here.txt'), 'here')
  // Apache takes connections a moment before it writes its id.
  const pid = () => readFile(join(front.folder, 'pid'), 'utf8').catch(() => '')
  await until('Apache has written its id', async () => (await pid()).endsWith('\n'))
  process.kill(Number(await pid()), 'SIGUSR1')
  await until('Apache has the file', async () => (await front.raw('/user-content/uploads/here.txt')).text === 'here')
  const { items } = await site.call('SVC_Health.check', { only: ['protected-folders', 'uploads'] })
  const [folders, uploads] = items.map(({ state, fix }: { state: string; fix: string }) => `${state}: ${fix}`)
  assert.match(folders, /^broken: <LocationMatch .* in \/etc\/apache2\/sites-available\/postern\.conf/)
  assert.match(uploads, /^broken: Remove: Alias \/user-content {3}in \/etc\/apache2\//)
})
