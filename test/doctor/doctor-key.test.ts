// The doctor's key: whose probes are read, and for how long.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doctorKeyMs, doctorKeyOf, markProbe, parseDoctorKey, readProbe } from '../../src/doctor/doctor-key.ts'
import { createSiteKey } from '../../src/identity/site-key.ts'

const site = createSiteKey(Buffer.alloc(32, 1))
const now = Date.parse('2026-11-21T09:00:00Z')
const key = doctorKeyOf(site, now + doctorKeyMs)

test('a probe by the key that was handed out is read, with its nonce and what it wishes', () => {
  const given = parseDoctorKey(key.text)
  assert.ok(given)
  const { value, nonce } = markProbe(given, 'events')
  assert.deepEqual(readProbe(site, value, now)?.probe, { nonce, wish: 'events' })
})

test('a probe is good until its key’s end, which is never more than ten minutes away, by a clock that may be five minutes slow', () => {
  const { value } = markProbe(key, 'plain')
  assert.ok(readProbe(site, value, now + doctorKeyMs - 1))
  assert.equal(readProbe(site, value, now + doctorKeyMs), undefined)
  const slowMs = 300_000
  assert.ok(readProbe(site, value, now - slowMs))
  const far = markProbe(doctorKeyOf(site, now + doctorKeyMs + slowMs + 1), 'plain')
  assert.equal(readProbe(site, far.value, now), undefined)
})

test('no other site’s key, no other end, and no text of a stranger makes a probe', () => {
  const other = doctorKeyOf(createSiteKey(Buffer.alloc(32, 2)), key.expiresAt)
  assert.equal(readProbe(site, markProbe(other, 'plain').value, now), undefined)
  const { value } = markProbe(key, 'plain')
  const sealed = value.split('.')[1] ?? ''
  for (const text of [
    '',
    '.',
    sealed,
    `${(key.expiresAt - 1).toString(36)}.${sealed}`,
    `${value}A`,
    value.slice(0, -1),
    'x'.repeat(10_000),
  ])
    assert.equal(readProbe(site, text, now), undefined, text.slice(0, 40))
})

test('no other text is a key', () => {
  for (const text of ['', 'pdk_', `${key.text}A`, key.text.replace('pdk_', 'pst_'), key.text.slice(1)])
    assert.equal(parseDoctorKey(text), undefined)
})
