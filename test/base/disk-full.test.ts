// A full disk is told as such, by every door, wherever it was met.

import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { asFailure } from '../../src/actions/call/as-failure.ts'
import { copyWhole, replaceFile } from '../../src/base/durable.ts'
import { Failure } from '../../src/base/failure.ts'
import { isDiskFull } from '../../src/base/unwritable.ts'

const enospc = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

test('a full disk is a failure of its own, also where it is the cause of another error', () => {
  const logged: string[] = []
  const log = { warn: (event: string) => logged.push(event), error: (event: string) => logged.push(event) }
  const site = { clock: { now: () => 0 }, log } as unknown as Parameters<typeof asFailure>[0]
  const caller = { door: 'rest' } as unknown as Parameters<typeof asFailure>[1]
  for (const error of [
    enospc(),
    new Error('The picture failed.', { cause: enospc() }),
    Object.assign(new Error(), { code: 'EDQUOT' }),
  ]) {
    const { code, message, detail } = asFailure(site, caller, { name: 'SVC_Import.run' }, error)
    assert.deepEqual(
      [code, message, detail.retry_after],
      ['unavailable', 'The disk is full. Make room on it, then do the same again.', 60],
    )
  }
  assert.deepEqual(new Set(logged), new Set(['action unavailable']))
  // A failure with words of its own keeps them.
  const own = new Failure('unavailable', 'The disk that holds the database is full.', {}, { cause: enospc() })
  assert.match(asFailure(site, caller, { name: 'x' }, own).message, /database/)
  for (const other of [new Error('x'), undefined, 'ENOSPC', { code: 'EACCES' }]) assert.equal(isDiskFull(other), false)
})

test('a file that does not fit leaves nothing of itself, and what was there stays', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-full-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'site.zip')
  await writeFile(path, 'before')
  const half = async function* () {
    yield await Promise.resolve(Buffer.alloc(1000))
    throw enospc()
  }
  await assert.rejects(replaceFile(path, half(), { mode: 0o600 }), { code: 'ENOSPC' })
  await assert.rejects(copyWhole(join(folder, 'missing'), path), { code: 'ENOENT' })
  assert.deepEqual([await readdir(folder), await readFile(path, 'utf8')], [['site.zip'], 'before'])
})
