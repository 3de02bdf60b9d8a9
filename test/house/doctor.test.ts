// The doctor's rows against their documents and their tests: each is told, and each has its defect planted somewhere.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkNames } from '../../src/actions/health/health.ts'
import { driverRow } from '../../src/cli/doctor-run.ts'
import { findSection } from '../../src/content/markdown/outline.ts'
import { openOutliner } from '../outliner.ts'
import { documents } from '../../src/docs/index.ts'
import { addressRows } from '../../src/doctor/rows-address.ts'
import { answerRows } from '../../src/doctor/rows-answer.ts'
import { doorRows } from '../../src/doctor/rows-door.ts'
import { filterRows } from '../../src/doctor/rows-filter.ts'
import { passedRows } from '../../src/doctor/rows-passed.ts'
import { protectedRows } from '../../src/doctor/rows-protected.ts'
import { reachRows } from '../../src/doctor/rows-reach.ts'
import { nodeRows } from '../../src/doctor/rows-nodes.ts'
import { redirectRows } from '../../src/doctor/rows-redirect.ts'
import { doctorRows } from '../../src/doctor/run-doctor.ts'
import { root } from '../site.ts'

const rows = [...new Set([...doctorRows.map(({ id }) => id), ...checkNames, driverRow])]

const planting = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) =>
    /doctor-[a-z]+\.test\.ts$|health\/[a-z]+\.test\.ts$|(?:health|plugins-isolation|themes\/themes|site\/outputs)\.test\.ts$/.test(
      name,
    ),
  )
  .map((name) => readFileSync(join(root, 'test', name), 'utf8'))
  .join('\n')

test('each row of the doctor, and each check of the site’s health, stands in the section on the doctor', async () => {
  const { text } = documents.find(({ doc }) => doc === 'cannot-connect') ?? { text: '' }
  const section = findSection((await openOutliner()).outline(text), 'the-doctor')
  assert.ok(section)
  const told = [...text.slice(section.start, section.end).matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, id]) => id)
  assert.deepEqual([...told].sort(), [...rows].sort())
})

test('for each group of rows a plant is tried behind a real nginx in the usual runs', () => {
  const usual = new Set([...planting.matchAll(/id: '([a-z0-9-]+)',\s+planted: .*,\s+usual: true,/g)].map(([, id]) => id))
  const groups = [reachRows, redirectRows, passedRows, addressRows, doorRows, answerRows, filterRows, protectedRows]
  // Nodes are asked past nginx.
  assert.equal(groups.flat().length, doctorRows.length - nodeRows.length)
  for (const group of groups) {
    const ids = group.map(({ id }) => id)
    assert.ok(
      ids.some((id) => usual.has(id)),
      ids.join(', '),
    )
  }
})

test('no row is without its plant', () => {
  const isPlanted = (id: string) =>
    planting.includes(`id: '${id}'`) ||
    planting.includes(`doctor ${id}: `) ||
    new RegExp(`(?:find\\(\\w+, |only: \\[(?=[^\\],]*\\]))'${id}'`).test(planting)
  assert.deepEqual(
    rows.filter((id) => !isPlanted(id)),
    [],
  )
})

test('each row says what it looks for, and its id is its own', () => {
  assert.equal(new Set(doctorRows.map(({ id }) => id)).size, doctorRows.length)
  assert.deepEqual(
    doctorRows.filter(({ source }) => source.length < 10),
    [],
  )
})
