// What the environment says of systemd: what counts is taken out of it, what is another process's is left aside.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeSupervised } from '../../src/app/systemd.ts'

const take = (env: Record<string, string>) => takeSupervised(env, 42)

test('a socket is taken only where it is meant for this process', () => {
  assert.equal(take({ LISTEN_FDS: '1', LISTEN_PID: '42' }).socketFd, 3)
  assert.equal(take({ LISTEN_FDS: '1', LISTEN_PID: '43' }).socketFd, undefined)
  assert.equal(take({ LISTEN_FDS: '1' }).socketFd, undefined)
  assert.equal(take({ LISTEN_FDS: '0', LISTEN_PID: '42' }).socketFd, undefined)
  assert.equal(take({}).socketFd, undefined)
})

test('several sockets are refused, unless they are another process’s', () => {
  assert.throws(() => take({ LISTEN_FDS: '2', LISTEN_PID: '42' }), /hands over 2 sockets, and one is served/)
  assert.equal(take({ LISTEN_FDS: '2', LISTEN_PID: '43' }).socketFd, undefined)
})

test('a watchdog counts where it is this process’s, or whoever’s', () => {
  assert.equal(take({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '42' }).watchdogMs, 30_000)
  assert.equal(take({ WATCHDOG_USEC: '30000000' }).watchdogMs, 30_000)
  assert.equal(take({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '43' }).watchdogMs, undefined)
  for (const WATCHDOG_USEC of ['0', '', 'soon', '-1']) assert.equal(take({ WATCHDOG_USEC }).watchdogMs, undefined)
})

test('no child inherits what was meant for this process', () => {
  const env = {
    LISTEN_FDS: '1',
    LISTEN_PID: '42',
    LISTEN_FDNAMES: 'postern.socket',
    NOTIFY_SOCKET: '/run/systemd/notify',
    WATCHDOG_USEC: '1',
    WATCHDOG_PID: '42',
    PATH: '/usr/bin',
  }
  assert.equal(take(env).notifySocket, '/run/systemd/notify')
  assert.deepEqual(env, { PATH: '/usr/bin' })
})
