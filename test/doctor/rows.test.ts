// The doctor's rows as functions of answers: each finds nothing on a healthy site, and each finds what is planted for it. Nothing is sent.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Doctor } from '../../src/doctor/doctor.ts'
import { type Finding, findingOf, type Row } from '../../src/doctor/finding.ts'
import { resource } from '../../src/doctor/questions.ts'
import { doctorRows } from '../../src/doctor/run-doctor.ts'
import { addressFaults } from './faults-address.ts'
import { answerFaults } from './faults-answer.ts'
import { reachFaults } from './faults-reach.ts'
import { atBlog, atRoot, type Canned, cannedDoctor } from './canned.ts'

/** All but those about nodes, which test/system/doctor-nodes.test.ts asks. */
const siteRows = doctorRows.filter(({ nodes }) => nodes !== true)

const faults = { ...reachFaults, ...addressFaults, ...answerFaults }

/** What these rows find. */
async function findingsOf(doctor: Doctor, rows: readonly Row[]): Promise<readonly Finding[]> {
  const { server } = (await doctor.ask(resource)).headers
  const found = rows.map(async (row) => (await row.run(doctor)).map((verdict) => findingOf(row, verdict, server)))
  return (await Promise.all(found)).flat()
}

test('doctor: a fault is planted for every row, and for nothing else', () => {
  assert.deepEqual(Object.keys(faults).sort(), siteRows.map(({ id }) => id).sort())
  assert.ok(Object.values(faults).every((some) => some.length > 0))
})

const healthy: Readonly<Record<string, Canned>> = {
  "at the host's root": {},
  'in a subdirectory': { base: atBlog },
  'over plain http on this machine': { base: { ...atRoot, scheme: 'http' } },
  'on another port': { base: { ...atRoot, host: 'localhost:8443' } },
  'asked by a stranger': { options: { key: undefined, token: undefined } },
  'with a public address': { base: { ...atRoot, host: '93.184.215.14' } },
}

for (const [where, canned] of Object.entries(healthy)) {
  test(`doctor: the rows find nothing on a healthy site ${where}`, async () => {
    const findings = await findingsOf(cannedDoctor(canned), siteRows)
    const local = canned.base?.host !== '93.184.215.14'
    assert.deepEqual(
      findings.map(({ id, state }) => [id, state]),
      local ? [['name', 'unknown']] : [],
      findings.map(({ message }) => message).join('\n'),
    )
  })
}

for (const [id, some] of Object.entries(faults)) {
  for (const { planted, state = 'broken', says, fix, ...canned } of some) {
    test(`doctor row ${id}: ${planted}`, async () => {
      const rows = doctorRows.filter((row) => row.id === id)
      const found = await findingsOf(cannedDoctor(canned), rows)
      assert.equal(found.length, 1, `Found: ${JSON.stringify(found)}`)
      const [finding] = found
      assert.equal(finding?.state, state)
      assert.match(finding?.message ?? '', says)
      assert.match(finding?.fix ?? '', fix)
    })
  }
}
