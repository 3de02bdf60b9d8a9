// What src/ exports is used by the program: by another file, or at least by its own. An export that only tests call is a second way to do something
// that the site does otherwise, and the tests would hold the wrong one.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../site.ts'

/** What only tests use for a reason. */
const forTests: ReadonlySet<string> = new Set([
  // A test holds the tables of the rules against those of the database.
  'heldTables',
])

const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:[tj]s|[mc]js)$/.test(name))
    .map((name) => ({ name: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') }))

test('no export of src/ is used by tests alone', () => {
  const uses = new Map<string, number>()
  const sources = filesOf('src')
  for (const { text } of [...sources, ...filesOf('scripts')])
    for (const [word] of text.matchAll(/[A-Za-z_]\w*/g)) uses.set(word, (uses.get(word) ?? 0) + 1)
  const unused = sources.flatMap(({ name, text }) =>
    [...text.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)].flatMap(([, exported = '']) =>
      (uses.get(exported) ?? 0) > 1 || forTests.has(exported) ? [] : [`${name}: ${exported}`],
    ),
  )
  assert.deepEqual(unused, [])
})
