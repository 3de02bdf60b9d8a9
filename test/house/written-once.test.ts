// Small pieces that every part needs stand in one file each. A copy written by hand drifts from the others.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../site.ts'

/** Plugins' own processes load `plugins/host/` alone, and bundled plugins are packages: neither can import a file of the site. */
const apart = /^src\/plugins\/(?:host|bundled)\//

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.[tj]s$/.test(name))
  .map((name) => ({ name: join('src', name), text: readFileSync(join(root, 'src', name), 'utf8') }))
  .filter(({ name }) => !apart.test(name))

const pieces = [
  { what: 'isObject', home: 'src/json.ts', copy: /typeof (\w+) [!=]== 'object'[^;{]{0,40}!?Array\.isArray\(\1\)/ },
  { what: 'cutText', home: 'src/cut-text.ts', copy: /\.slice\(0, [^)]*\)(?:\.toWellFormed\(\))?\}…`/ },
  { what: 'sameSecret', home: 'src/same-secret.ts', copy: /timingSafeEqual/ },
  { what: 'errorMessage', home: 'src/error-message.ts', copy: /(\w+) instanceof Error \? \1\.message : / },
  { what: 'toError', home: 'src/error-message.ts', copy: /(\w+) instanceof Error \? \1 : new Error\(String\(/ },
]

for (const { what, home, copy } of pieces)
  test(`${what} is written once, in ${home}`, () => {
    assert.deepEqual(
      files.filter(({ text }) => copy.test(text)).map(({ name }) => name),
      [home],
    )
  })
