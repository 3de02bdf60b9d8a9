// What a person at a terminal answers: only a yes is one.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { confirm } from '../../src/cli/read-input.ts'

async function answered(text: string): Promise<{ yes: boolean; asked: string }> {
  let asked = ''
  const io = { env: {}, stdin: Readable.from([text]), out: () => undefined, err: (words: string) => void (asked += words) }
  return { yes: await confirm(io, 'Switch it on?'), asked }
}

for (const [text, yes] of [
  ['y\n', true],
  ['Yes\n', true],
  ['\n', false],
  ['n\n', false],
  ['yesterday\n', false],
  ['', false],
] as const) {
  test(`${JSON.stringify(text)} is ${yes ? 'a yes' : 'a no'}`, async () => {
    assert.deepEqual(await answered(text), { yes, asked: 'Switch it on? [y/N] ' })
  })
}
