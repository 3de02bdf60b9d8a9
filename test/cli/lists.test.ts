// Lists on the command line: tabs and no header for programs, a header and columns for a person at a terminal.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { runCommand } from '../../src/cli/run.ts'
import { printTable } from '../../src/cli/table.ts'

let home: string
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'postern-lists-'))
  await run(['admin', 'create', '--email', 'owner@example.org', '--name', 'The Owner'], { input: 'correct horse battery' })
  await run(['token', 'create', '--name', 'laptop'])
  await run(['backup', '--note', 'first'])
})
after(() => rm(home, { recursive: true, force: true }))

async function run(words: readonly string[], { input = '', terminal = false } = {}): Promise<string> {
  let [out, err] = ['', '']
  const io = {
    env: { POSTERN_HOME: home },
    stdin: Readable.from([input]),
    outIsTerminal: terminal,
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  }
  assert.equal(await runCommand(words, io), 0, err)
  return out
}

const lists = [
  {
    words: ['token', 'list'],
    header: /^ID +SCOPE +ACCOUNT +LAST USED +EXPIRES +NAME$/,
    row: /admin\s+owner@example\.org\s+-\s+-\s+laptop$/,
  },
  {
    words: ['admin', 'list'],
    header: /^ID +EMAIL +ROLE +STATE +LAST SEEN +NAME$/,
    row: /owner@example\.org\s+admin\s+active\s+-\s+The Owner$/,
  },
  { words: ['backup', 'list'], header: /^ID +CREATED +BYTES +VERIFIED +FILE +NOTE$/, row: /first$/ },
  { words: ['plugin', 'list'], header: /^ID +VERSION +STATE +NAME +REASON$/, row: /inactive|active/ },
]
for (const { words, header, row } of lists) {
  const name = words.join(' ')

  test(`${name} on a terminal has a header, and columns below it`, async () => {
    const [first = '', ...rows] = (await run(words, { terminal: true })).trimEnd().split('\n')
    assert.match(first, header)
    assert.ok(
      rows.some((line) => row.test(line)),
      rows.join('\n'),
    )
    const second = first.indexOf(first.split(/ {2,}/)[1] ?? '')
    assert.ok(
      rows.every((line) => line[second - 1] === ' ' && line[second] !== ' '),
      'the second column begins below its name',
    )
  })

  test(`${name} into a pipe has tabs and no header`, async () => {
    const rows = (await run(words)).trimEnd().split('\n')
    assert.ok(
      rows.some((line) => row.test(line)),
      rows.join('\n'),
    )
    assert.deepEqual(
      rows.filter((line) => header.test(line) || !line.includes('\t')),
      [],
    )
  })

  test(`${name} --json is one line of JSON, on a terminal too`, async () => {
    const text = await run([...words, '--json'], { terminal: true })
    assert.ok(Array.isArray(JSON.parse(text)))
    assert.equal(text, `${JSON.stringify(JSON.parse(text))}\n`)
  })
}

test('a cell that holds a line break or a tab does not break its row', () => {
  let out = ''
  const io = { env: {}, stdin: Readable.from([]), out: (text: string) => void (out += text), err: assert.fail }
  printTable(io, ['A', 'B'], [['a\nb', 'c\td']])
  assert.equal(out, 'a b\tc d\n')
})
