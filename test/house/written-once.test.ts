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
  { what: 'isObject', home: 'src/base/json.ts', copy: /typeof (\w+) [!=]== 'object'[^;{]{0,40}!?Array\.isArray\(\1\)/ },
  { what: 'cutText', home: 'src/base/cut-text.ts', copy: /\.slice\(0, [^)]*\)(?:\.toWellFormed\(\))?\}…`/ },
  { what: 'sameSecret', home: 'src/base/same-secret.ts', copy: /timingSafeEqual/ },
  { what: 'errorMessage', home: 'src/base/error-message.ts', copy: /(\w+) instanceof Error \? \1\.message : / },
  { what: 'toError', home: 'src/base/error-message.ts', copy: /(\w+) instanceof Error \? \1 : new Error\(String\(/ },
]

for (const { what, home, copy } of pieces)
  test(`${what} is written once, in ${home}`, () => {
    assert.deepEqual(
      files.filter(({ text }) => copy.test(text)).map(({ name }) => name),
      [home],
    )
  })

/**
 * Where the names of secrets begin: those that a person or program holds for itself, and the links, whose makers are asked about.
 */
const prefixes: Readonly<Record<string, string>> = {
  'src/doors/oauth/grant-store.ts': 'tokens of apps',
  'src/doors/oauth/code-store.ts': 'codes of apps',
  'src/identity/token-store.ts': 'personal tokens',
  'src/identity/one-time-link.ts': 'an account sets its own password',
  'src/doctor/doctor.ts': 'a token that is none',
  'src/actions/media/begin-upload.ts': 'upload links, which media/upload-link.ts opens',
  'src/actions/imports/begin-upload.ts': 'links for imported files, opened as upload links are',
  'src/identity/signed-link.ts': 'every other link',
}

test('attack 159: a link that works without a sign-in is made where its maker is asked about at each use', () => {
  const found = files
    .filter(({ name, text }) => !name.startsWith('src/docs/') && /['`]ps[a-z]_/.test(text))
    .map(({ name }) => name)
  assert.deepEqual(found.sort(), Object.keys(prefixes).sort())
  const asking = files.filter(({ text }) => /\bisMakerAllowed\(/.test(text)).map(({ name }) => name)
  for (const name of ['src/identity/signed-link.ts', 'src/media/upload-link.ts']) assert.ok(asking.includes(name), name)
})
