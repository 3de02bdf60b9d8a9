// The document on plugins builds the very plugin that the tests install: whoever follows it has what was tried.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fixture } from '../packages.ts'
import { root } from '../site.ts'

test('the files in the document on plugins are those of the plugin “useful”, and all of them', () => {
  const text = readFileSync(join(root, 'src', 'docs', 'plugins.md'), 'utf8')
  const blocks = [...text.matchAll(/^```(?:json|js)\n([^]*?)^```$/gm)].map(([, block = '']) => block)
  const folder = fixture('useful')
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  assert.deepEqual(blocks.toSorted(), files.toSorted())
})
