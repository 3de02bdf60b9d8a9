// A release's own command line as an upgrade runs it: with the settings of the service, but for the passphrase of backups.

import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { placesBelow } from '../../src/install/places.ts'
import { demandProgram } from '../../src/install/program.ts'
import { openTestFolder } from '../store/open-test-store.ts'

test('what an upgrade saves is not sealed: a release that it runs has the settings of the service, without the passphrase', async () => {
  await using folder = await openTestFolder()
  const program = join(folder.path, 'opt/postern/releases/1/dist/cli')
  await mkdir(program, { recursive: true })
  await mkdir(join(folder.path, 'etc/postern'), { recursive: true })
  const settings = 'POSTERN_BASE_URL=https://example.org\nPOSTERN_BACKUP_PASSPHRASE_FILE=/etc/postern/passphrase\n'
  await writeFile(join(folder.path, 'etc/postern/postern.env'), settings)
  await writeFile(join(program, 'main.js'), 'process.stdout.write(JSON.stringify(process.env))\n')
  const env = JSON.parse(await demandProgram(placesBelow(folder.path), '1', ['backup'])) as Record<string, string>
  assert.equal(env['POSTERN_BASE_URL'], 'https://example.org')
  assert.deepEqual([env['POSTERN_BACKUP_PASSPHRASE_FILE'], env['CREDENTIALS_DIRECTORY']], [undefined, undefined])
})
