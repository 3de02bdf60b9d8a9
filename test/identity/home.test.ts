// The home: what is made, and with which modes.

import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { makeHome } from '../../src/identity/home.ts'

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-home-'))
  try {
    await run(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const modeOf = async (...path: string[]): Promise<string> => ((await stat(join(...path))).mode & 0o777).toString(8)

for (const umask of [0, 0o022, 0o077]) {
  test(`attack 130: home 750, data 700 with files 600, user-content 755, whatever the umask (${umask.toString(8)})`, () =>
    inFolder(async (folder) => {
      const before = process.umask(umask)
      try {
        const home = await makeHome(join(folder, 'new', 'site'))
        assert.equal(await modeOf(home.path), '750')
        assert.equal(await modeOf(home.data), '700')
        assert.equal(await modeOf(home.database), '600')
        for (const name of ['', 'logs', 'skills', 'uploads', 'uploads/protected', 'plugins', 'themes'])
          assert.equal(await modeOf(home.userContent, name), '755', name)
        assert.equal(await modeOf(home.userContent, 'logs/postern-errors.log'), '640')
      } finally {
        process.umask(before)
      }
    }))
}

test('a folder that was there is tightened at the first start only, and never loosened', () =>
  inFolder(async (folder) => {
    await chmod(folder, 0o700)
    await makeHome(folder)
    assert.equal(await modeOf(folder), '700')
    await chmod(folder, 0o755)
    await makeHome(folder)
    assert.equal(await modeOf(folder), '755')
    await rm(join(folder, 'data'), { recursive: true })
    await makeHome(folder)
    assert.equal(await modeOf(folder), '750')
  }))

test('the error log is there, empty, before there is anything to tell; one that was there keeps its lines and its mode', () =>
  inFolder(async (folder) => {
    const home = await makeHome(folder)
    const log = join(home.userContent, 'logs', 'postern-errors.log')
    assert.equal(await readFile(log, 'utf8'), '')
    await writeFile(log, 'a line\n')
    await chmod(log, 0o600)
    await makeHome(folder)
    assert.equal(await readFile(log, 'utf8'), 'a line\n')
    assert.equal(await modeOf(log), '600')
  }))

test('files in data that others may read are closed at the next start', () =>
  inFolder(async (folder) => {
    const home = await makeHome(folder)
    await chmod(home.data, 0o755)
    await chmod(home.database, 0o644)
    await writeFile(join(home.data, 'postern.db-wal'), '', { mode: 0o644 })
    await makeHome(folder)
    assert.deepEqual(
      [await modeOf(home.data), await modeOf(home.database), await modeOf(home.data, 'postern.db-wal')],
      ['700', '600', '600'],
    )
  }))

test('a home that can not be made is told in one line, with the path and what to do', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    for (const path of [file, join(file, 'site')]) {
      await assert.rejects(makeHome(path), (error) => {
        assert.ok(error instanceof Failure)
        assert.equal(error.code, 'unavailable')
        assert.ok(
          error.message.includes(path) && error.message.includes('POSTERN_HOME') && !error.message.includes('\n'),
          error.message,
        )
        return true
      })
    }
  }))
