// The commands of backups elsewhere, as the operator runs them: on the machine of the site, and on a new one that has nothing but a
// passphrase and a file that names the place.

import assert from 'node:assert/strict'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runPostern } from '../run-postern.ts'
import { openBackupSite } from '../backup/backup-site.ts'
import { openS3Server } from '../backup/elsewhere/s3-server.ts'

test('the site comes back by one command, on its machine and on a new one', async () => {
  await using at = await openBackupSite()
  await at.open()
  await at.close()
  await using server = await openS3Server()
  await at.put('user-content/uploads/a.txt', 'as it was')
  const passphrase = join(at.folder, 'passphrase')
  await writeFile(passphrase, 'correct horse battery staple', { mode: 0o600 })
  const env = {
    POSTERN_HOME: at.home,
    POSTERN_BACKUPS: at.backups,
    POSTERN_BACKUP_PASSPHRASE_FILE: passphrase,
    PATH: '/usr/bin:/bin',
  }
  const postern = async (words: string, more: Record<string, string> = {}, code = 0) => {
    const ended = await runPostern({ ...env, ...more }, words.split(' '))
    assert.equal(ended.code, code, `${words}: ${ended.stderr}`)
    return ended
  }
  const { host_key: _host, key_file: _file, ...settings } = server.settings
  const place = join(at.folder, 'place.json')
  const given = JSON.stringify({ ...settings, secret: server.secret })
  await writeFile(place, given, { mode: 0o600 })
  const set = await runPostern(env, ['call', 'SVC_Backup.set-target', '-'], given)
  assert.equal(set.code, 0, set.stderr)
  const file = (await postern('backup')).stdout.trim().split('/').at(-1) ?? ''
  assert.equal((await postern('backup send')).stdout, `${file}\n`)
  assert.equal(
    (await postern('backup list --from elsewhere')).stdout,
    `${file}\t${server.objects.get(`of/example.org/${file}`)?.length}\n`,
  )
  assert.equal((await postern('verify latest --from elsewhere')).stdout, `${file}\n`)

  await at.put('user-content/uploads/a.txt', 'lost')
  await postern('restore latest --from elsewhere --yes --no-save')
  assert.equal(await readFile(join(at.home, 'user-content/uploads/a.txt'), 'utf8'), 'as it was')

  const home = join(at.folder, 'new')
  const there = { POSTERN_HOME: home, POSTERN_BACKUPS: join(at.folder, 'new-backups') }
  await chmod(place, 0o644)
  const { stderr } = await postern(`restore latest --from ${place} --yes`, there, 4)
  assert.match(stderr, /Everybody on this machine may read the secret/)
  await chmod(place, 0o600)
  await postern(`restore ${file} --from ${place} --yes`, there)
  assert.equal(await readFile(join(home, 'user-content/uploads/a.txt'), 'utf8'), 'as it was')
  assert.ok(!(await readdir(there.POSTERN_BACKUPS)).includes('.elsewhere'))
  assert.match((await postern(`restore nothing --from ${place} --yes`, there, 3)).stderr, /no backup "nothing"/)
})
