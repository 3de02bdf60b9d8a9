// The browser behind pictures: one at a time, a Chromium that dies or is none, and the unit of systemd.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { switches } from '../../src/eyes/switches.ts'
import { createTakePicture, findChromium } from '../../src/eyes/take-picture.ts'
import type { Look, Picture } from '../../src/eyes/types.ts'
import { noBrowser } from '../admin/chromium.ts'
import { root } from '../site.ts'
import { needTool } from '../tools.ts'
import { until } from '../until.ts'
import { asNobody, noLog, openEyes, program, runningIn } from '../eyes/open-eyes.ts'

const how: Picture = { width: 390, dark: false, quality: 80, maxBytes: 500_000 }
const origin = 'https://example.org'
const look: Look = async () => ({ status: 200, contentType: 'text/html', body: '<!doctype html><h1>Bread</h1>' })

test(
  'one picture is taken at a time: a second waits, and a third of the same caller is refused',
  { skip: noBrowser },
  async (t) => {
    const eyes = await openEyes(t)
    const take = createTakePicture(eyes.place, noLog)
    let release = (): void => undefined
    const gate = new Promise<void>((resolve) => (release = resolve))
    let isAsked = false
    const first = take(origin, '/', async (path) => ((isAsked = true), await gate, look(path)), how, { caller: 'anna' })
    await until('the first is under way', () => isAsked)
    const second = take(origin, '/', look, how, { caller: 'anna' })
    const ofAnother = take(origin, '/', look, how, { caller: 'ben' })
    await assert.rejects(take(origin, '/', look, how, { caller: 'anna' }), {
      code: 'rate_limited',
      message: 'A picture for you is waiting already, because one is taken at a time. Ask again when it is there.',
    })
    assert.equal((await eyes.started()).length, 1)
    release()
    for (const picture of await Promise.all([first, second, ofAnother])) assert.ok(picture.base64.length > 500)
    assert.equal((await eyes.started()).length, 3)
    assert.ok((await take(origin, '/', look, how, { caller: 'anna' })).base64.length > 500)
  },
)

const left = { code: 'unavailable', message: 'The caller left, or its time was up, before the picture was there. Ask again.' }

test('a picture ends with its browser when the caller leaves, and the next is taken', { skip: noBrowser }, async (t) => {
  const eyes = await openEyes(t)
  const take = createTakePicture(eyes.place, noLog)
  const leaving = new AbortController()
  let isAsked = false
  const never: Look = () => ((isAsked = true), new Promise(() => undefined))
  const first = take(origin, '/', never, how, { caller: 'anna', signal: leaving.signal })
  await until('the first is under way', () => isAsked)
  const second = take(origin, '/', look, how, { caller: 'ben' })
  leaving.abort()
  await assert.rejects(first, left)
  assert.ok((await second).base64.length > 500)
  const [ended] = await eyes.started()
  await until('its processes have ended', async () => (await runningIn(ended?.pid ?? 0)).length === 0)
  assert.equal(existsSync(ended?.profile ?? ''), false)
})

test('a caller who leaves while waiting gives up the place, and starts no browser', { skip: noBrowser }, async (t) => {
  const eyes = await openEyes(t)
  const take = createTakePicture(eyes.place, noLog)
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  let isAsked = false
  const first = take(origin, '/', async (path) => ((isAsked = true), await gate, look(path)), how, { caller: 'anna' })
  await until('the first is under way', () => isAsked)
  const leaving = new AbortController()
  const gone = take(origin, '/', look, how, { caller: 'ben', signal: leaving.signal })
  leaving.abort()
  await assert.rejects(gone, left)
  const again = take(origin, '/', look, how, { caller: 'ben' })
  await assert.rejects(take(origin, '/', look, how, { caller: 'carl', signal: leaving.signal }), left)
  release()
  for (const picture of await Promise.all([first, again])) assert.ok(picture.base64.length > 500)
  assert.equal((await eyes.started()).length, 2)
})

test('a Chromium that is killed costs its own picture, and the next has a new one', { skip: noBrowser }, async (t) => {
  const eyes = await openEyes(t)
  const take = createTakePicture(eyes.place, noLog)
  const kill: Look = async () => {
    for (const { pid } of await eyes.started()) process.kill(pid, 'SIGKILL')
    return new Promise(() => undefined)
  }
  const [killed, next] = [take(origin, '/', kill, how), take(origin, '/', look, how)]
  await assert.rejects(killed, {
    code: 'unavailable',
    message: 'Chromium ended before the picture was taken. Try again in a moment.',
  })
  assert.ok((await next).base64.length > 500)
  for (const { pid, profile } of await eyes.started()) {
    await until('its processes have ended', async () => (await runningIn(pid)).length === 0)
    assert.equal(existsSync(profile), false)
  }
})

test('a profile that a killed service left behind is removed with the next picture', { skip: noBrowser }, async (t) => {
  const left = await mkdtemp(join(tmpdir(), 'postern-eyes-'))
  const young = await mkdtemp(join(tmpdir(), 'postern-eyes-'))
  t.after(() => rm(young, { recursive: true }))
  await writeFile(join(left, 'Local State'), '{}')
  const hoursAgo = new Date(Date.now() - 2 * 60 * 60_000)
  await utimes(left, hoursAgo, hoursAgo)
  await createTakePicture((await openEyes(t)).place, noLog)(origin, '/', look, how)
  assert.deepEqual([existsSync(left), existsSync(young)], [false, true])
})

test('what is no Chromium is told in one sentence', async (t) => {
  const gone = join(tmpdir(), 'postern-no-such-chromium')
  await assert.rejects(findChromium(gone), {
    code: 'unavailable',
    message: `Chromium could not be started: there is no file ${gone}.`,
  })
  await assert.rejects(findChromium(tmpdir()), { message: 'Chromium could not be started: the program could not be run.' })
  for (const answer of [
    "printf 'nonsense\\0' >&4",
    'printf \'{"method":"Fetch.requestPaused"}\\0null\\0\' >&4',
    'cat /dev/urandom | tr -d "\\0" >&4',
  ]) {
    const { place } = await openEyes(t, `${answer}; exec sleep 600`)
    await assert.rejects(createTakePicture(place, noLog)(origin, '/', look, how), {
      code: 'unavailable',
      message: 'What POSTERN_CHROMIUM names does not answer as Chromium does.',
    })
  }
  const { place } = await openEyes(t, 'exit 3')
  await assert.rejects(findChromium(place), { message: 'Chromium ended before the picture was taken. Try again in a moment.' })
})

const isRoot = process.getuid?.() === 0

test(
  'where Chromium finds no sandbox, it does not run, and the sentence names the line to add',
  { skip: noBrowser || (!isRoot && 'root alone has no sandbox') },
  async () => {
    await assert.rejects(findChromium(program), {
      code: 'unavailable',
      message:
        'Chromium could not be started: it finds no sandbox here; under the units of Postern, POSTERN_CHROMIUM=/run/postern-eyes.sock runs it in a unit of its own.',
    })
  },
)

const unit = readFileSync(join(root, 'systemd', 'postern-eyes@.service'), 'utf8')
const command = (/^ExecStart=\/bin\/sh -c '([^']*)'$/m.exec(unit)?.[1] ?? '').replaceAll(/\\\n\s*/g, '')

test('the unit starts Chromium with the same switches, and neither turns the sandbox off', () => {
  const words = switches.map((word) => (/[ *~]/.test(word) ? `"${word}"` : word))
  assert.equal(command, `exec chromium ${words.join(' ')} --user-data-dir=/tmp/profile 3<&0 4>&0`)
  assert.doesNotMatch(command, /sandbox/)
})

/** Listens as postern-eyes.socket does, and runs for each connection what the unit runs. */
async function openUnit(t: TestContext): Promise<string> {
  needTool('systemd-analyze')
  const folder = await mkdtemp(join(tmpdir(), 'postern-test-'))
  const [socket, script] = [join(folder, 'eyes.sock'), join(folder, 'unit')]
  const own = command.replace('/tmp/profile', '$profile').replace('exec chromium', `exec ${asNobody}${program}`)
  const lines = [
    '#!/bin/sh',
    `profile=$(mktemp -d ${folder}/profile-XXXXXX)`,
    'export HOME=$profile',
    `chmod 777 $profile ${folder}`,
    own,
    '',
  ]
  await writeFile(script, lines.join('\n'))
  await chmod(script, 0o755)
  const child = spawn('systemd-socket-activate', ['--accept', '--inetd', `--listen=${socket}`, script], { stdio: 'ignore' })
  t.after(async () => {
    child.kill()
    await once(child, 'exit')
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  await until('it listens', () => existsSync(socket))
  return socket
}

test('what the unit runs takes pictures through its socket', { skip: noBrowser }, async (t) => {
  const socket = await openUnit(t)
  assert.match(await findChromium(socket), /Chrome\/\d+/)
  const take = createTakePicture(socket, noLog)
  for (const path of ['/', '/again']) assert.ok((await take(origin, path, look, how)).base64.length > 500)
})

test(
  'where systemd closes the connection because another browser still runs, it is tried again',
  { skip: noBrowser },
  async (t) => {
    const unit = await openUnit(t)
    const folder = await mkdtemp(join(tmpdir(), 'postern-test-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    let connections = 0
    const server = createServer((socket) => {
      connections++
      if (connections < 3) {
        socket.destroy()
        return
      }
      const inner = connect(unit)
      socket.pipe(inner).pipe(socket)
      for (const end of [socket, inner]) end.on('error', () => end.destroy())
      socket.on('close', () => inner.destroy())
    })
    server.listen(join(folder, 'eyes.sock'))
    await once(server, 'listening')
    t.after(() => server.close())
    const { base64 } = await createTakePicture(join(folder, 'eyes.sock'), noLog)(origin, '/', look, how)
    assert.ok(base64.length > 500)
    assert.equal(connections, 3)
  },
)

test('a socket at which nobody answers is told in one sentence', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const socket = join(folder, 'eyes.sock')
  const held = 'import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])'
  needTool('python3')
  await once(spawn('python3', ['-c', held, socket], { stdio: 'ignore' }), 'exit')
  await assert.rejects(findChromium(socket), {
    code: 'unavailable',
    message: `Chromium could not be started: nothing answers at ${socket}.`,
  })
})
