// The error log: what is kept, how files are turned over, and that it is read right from either end while that happens.
// This file starts itself as other processes that write; the folder is then in the environment.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createErrorLog, type ErrorLogOptions, logNames } from '../../src/base/error-log.ts'
import { createLog, type Log } from '../../src/base/log.ts'
import { type LogLine, type LogPosition, readLog } from '../../src/base/log-reader.ts'
import { fc } from '../properties.ts'

interface Folder extends AsyncDisposable {
  readonly path: string
  log(options?: ErrorLogOptions): Log
  names(): Promise<readonly string[]>
  write(name: string, lines: readonly string[]): Promise<void>
}

const present = 'postern-errors.log'
const old = (day: number): string => `postern-errors.202611${String(day).padStart(2, '0')}T090000000Z-1.log`
const lineOf = (event: string, more: object = {}): string =>
  JSON.stringify({ at: '2026-11-21T09:00:00.000Z', level: 'error', event, ...more })

async function openFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'postern-log-'))
  return {
    path,
    log: (options) => createLog('debug', createErrorLog(path, options)),
    names: async () => logNames(await readdir(path)),
    write: (name, lines) => writeFile(join(path, name), lines.map((line) => `${line}\n`).join('')),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

async function readAll(path: string, newestFirst: boolean, after?: LogPosition): Promise<LogLine[]> {
  const lines: LogLine[] = []
  for await (const line of readLog(path, { newestFirst, after })) lines.push(line)
  return lines
}
const eventsOf = (lines: readonly LogLine[]): readonly string[] => lines.map(({ event }) => event)

const writesTo = process.env['LOG_TEST_FOLDER']
if (writesTo !== undefined) {
  const log = createLog('info', createErrorLog(writesTo, { maxBytes: 3000, kept: 1000 }))
  for (let at = 0; at < 200; at++) log.warn(`${process.env['LOG_TEST_NAME']} ${at}`, { filler: 'x'.repeat(at) })
  process.exit(0)
}

test('warnings and errors are kept, and what names a plugin from info on', async () => {
  await using folder = await openFolder()
  const log = folder.log()
  log.debug('one', { plugin: 'useful' })
  log.info('two')
  log.info('three', { plugin: 7 })
  log.info('four', { plugin: 'useful' })
  log.warn('five')
  log.error('six', { plugin: 'useful' })
  assert.deepEqual(eventsOf(await readAll(folder.path, false)), ['four', 'five', 'six'])
})

test('a file that is full is turned over, and so many old ones are kept', async () => {
  await using folder = await openFolder()
  const log = folder.log({ maxBytes: 100, kept: 2 })
  for (let at = 0; at < 20; at++) log.error(`line ${at}`, { filler: 'x'.repeat(40) })
  assert.equal((await folder.names()).length, 3)
  assert.match(await readFile(join(folder.path, present), 'utf8'), /line 19"/)
  const events = eventsOf(await readAll(folder.path, true))
  assert.deepEqual(events, ['line 19', 'line 18', 'line 17', 'line 16', 'line 15', 'line 14'].slice(0, events.length))
  assert.ok(events.length >= 3)
})

test('files stay in their order though the clock was set back, and the oldest goes first', async () => {
  await using folder = await openFolder()
  await folder.write('postern-errors.20990101T090000000Z-1.log', [lineOf('oldest')])
  await folder.write('postern-errors.20990102T090000000Z-1.log', [lineOf('older')])
  const log = folder.log({ maxBytes: 10, kept: 2 })
  for (const event of ['old', 'new', 'newest']) log.error(event)
  assert.deepEqual(eventsOf(await readAll(folder.path, true)), ['newest', 'new', 'old'])
})

test('a line that a full disk has cut off takes no other with it, whoever wrote it', async (t) => {
  await using folder = await openFolder()
  const path = join(folder.path, present)
  await writeFile(path, `${lineOf('one')}\n{"at":"2026-11-21T0`)
  const log = folder.log()
  log.error('two')
  log.error('three')
  assert.deepEqual(eventsOf(await readAll(folder.path, false)), ['one', 'two', 'three'])
  await rm(path)
  await mkdir(path)
  const told = t.mock.method(process.stderr, 'write', () => true)
  log.error('lost')
  log.error('lost too')
  told.mock.restore()
  assert.equal(told.mock.callCount(), 1)
  await rm(path, { recursive: true })
  await writeFile(path, `${lineOf('four')}\n${lineOf('cut').slice(0, -1)}`)
  log.error('five')
  assert.equal((await readFile(path, 'utf8')).split('\n').length, 4)
  assert.deepEqual(eventsOf(await readAll(folder.path, true)), ['five', 'four'])
})

test('several processes write and turn over at once, and no line is lost or torn', async () => {
  await using folder = await openFolder()
  const writers = ['a', 'b', 'c'].map((name) =>
    spawn(process.execPath, [fileURLToPath(import.meta.url)], {
      env: { LOG_TEST_FOLDER: folder.path, LOG_TEST_NAME: name },
      stdio: 'inherit',
    }),
  )
  const codes = await Promise.all(writers.map(async (child) => (await once(child, 'exit'))[0] as number))
  assert.deepEqual(codes, [0, 0, 0])
  const events = eventsOf(await readAll(folder.path, false))
  assert.equal(events.length, 600)
  assert.equal(new Set(events).size, 600)
})

test('either direction gives every line once, across files and blocks, whatever its length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.nat(90_000), { maxLength: 5 }), { minLength: 1, maxLength: 4 }), async (files) => {
      await using folder = await openFolder()
      const names = files.map((_lines, at) => (at === files.length - 1 ? present : old(at + 1)))
      const events = files.map((lengths, file) => lengths.map((length, at) => `${file}.${at} ${'é'.repeat(length / 2)}`))
      for (const [at, name] of names.entries())
        await folder.write(
          name,
          (events[at] ?? []).map((event) => lineOf(event)),
        )
      const all = await readAll(folder.path, false)
      assert.deepEqual(eventsOf(all), events.flat())
      const back = await readAll(folder.path, true)
      assert.deepEqual(eventsOf(back), events.flat().toReversed())
      assert.deepEqual(
        back.map(({ place }) => place).toReversed(),
        all.map(({ place }) => place),
      )
      for (const [lines, newestFirst] of [
        [all, false],
        [back, true],
      ] as const) {
        for (const [at, { next }] of lines.entries()) {
          assert.deepEqual(eventsOf(await readAll(folder.path, newestFirst, next)), eventsOf(lines.slice(at + 1)))
        }
      }
    }),
    { numRuns: 15 },
  )
})

test('a position stays good when files are turned over, and when its own is gone', async () => {
  await using folder = await openFolder()
  await folder.write(old(1), [lineOf('1'), lineOf('2')])
  await folder.write(present, [lineOf('3'), lineOf('4')])
  const [newest] = await readAll(folder.path, true)
  const [oldest] = await readAll(folder.path, false)
  assert.ok(newest && oldest)
  folder.log({ maxBytes: 1 }).error('5')
  assert.equal((await folder.names()).length, 3)
  assert.deepEqual(eventsOf(await readAll(folder.path, true, newest.next)), ['3', '2', '1'])
  assert.deepEqual(eventsOf(await readAll(folder.path, false, oldest.next)), ['2', '3', '4', '5'])
  await rm(join(folder.path, old(1)))
  assert.deepEqual(await readAll(folder.path, true, oldest.next), [])
  assert.deepEqual(eventsOf(await readAll(folder.path, false, oldest.next)), ['3', '4', '5'])
})

test('what is no line of ours is skipped: torn, foreign, without time, level or event, or a megabyte long', async () => {
  await using folder = await openFolder()
  const bad = [
    '{"at":"2026',
    'hello',
    '[]',
    'null',
    '',
    lineOf('x').replace('error', 'loud'),
    lineOf('x').replace('2026-', 'MMXX-'),
  ]
  const long = lineOf('long', { filler: 'x'.repeat(3 * 1024 ** 2) })
  await folder.write(present, [lineOf('first'), ...bad, '{"at":"2026-11-21T09:00:00Z","level":"warn"}', long, lineOf('last')])
  await appendFile(join(folder.path, present), '{"at":"2026-11-21T09:00:00Z","level":"warn","event":"half')
  assert.deepEqual(eventsOf(await readAll(folder.path, false)), ['first', 'last'])
  assert.deepEqual(eventsOf(await readAll(folder.path, true)), ['last', 'first'])
})

test('a folder without a log, or none at all, holds no lines', async () => {
  await using folder = await openFolder()
  assert.deepEqual(await readAll(folder.path, true), [])
  assert.deepEqual(await readAll(join(folder.path, 'none'), false), [])
})

test('a line is told by its source: the plugin, the door, or the core', async () => {
  await using folder = await openFolder()
  const rows = [
    [{ plugin: 'useful', door: 'api' }, 'plugin:useful'],
    [{ plugin: 'useful', source: 'plugin:other' }, 'plugin:useful'],
    [{ source: 'site', door: 'api' }, 'site'],
    [{ door: 'api' }, 'api'],
    [{ door: 'discovery' }, 'oauth'],
    [{ door: 'system' }, 'core'],
    [{ door: 'constructor' }, 'core'],
    [{}, 'core'],
  ] as const
  await folder.write(
    present,
    rows.map(([fields]) => lineOf('x', fields)),
  )
  assert.deepEqual(
    (await readAll(folder.path, false)).map(({ source }) => source),
    rows.map(([, source]) => source),
  )
})

test('attack 123: a secret that stands in the file is blanked when it is read', async () => {
  await using folder = await openFolder()
  const secret = 'pst_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  await folder.write(present, [
    lineOf(`seen ${secret}`, { [secret]: secret, deep: { text: `Bearer ${secret}` }, reference: secret }),
  ])
  const [line] = await readAll(folder.path, true)
  assert.ok(line)
  assert.doesNotMatch(JSON.stringify(line), /A{20}/)
})
