// The comments of the source: what they cite is in the repository, and they begin with the thing they are about.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { documents } from '../../src/docs/index.ts'
import { root } from '../site.ts'

/** Begins a comment with a question word. "That" begins some good sentences, but none that names a thing. */
const questions = /^\s*(?:\/\/|\/\*\*?|\*)\s*(?:What|Whether|Where|When|Who|How|That)\b/

/** Names of notes that were never in the repository, as a comment would cite them. */
const notes = /\b(?:ATTACKS|INTERFACE|DESIGN|ACTIONS|SITE|SCALE|OPERATIONS|STYLE|IMPORT)(?:\.md\b| "| \d| §|, ")|\bMCP\.md\b/

const linesOf = (folder: string, extension: RegExp): { readonly place: string; readonly line: string }[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => extension.test(name))
    .flatMap((name) =>
      readFileSync(join(root, folder, name), 'utf8')
        .split('\n')
        .map((line, at) => ({ place: `${folder}/${name}:${at + 1}`, line })),
    )

const source = linesOf('src', /\.(?:ts|js|css|liquid)$/)
const comments = source.filter(({ line }) => /^\s*(?:\/\/|\/\*|\*)/.test(line))

/** The numbers that a line cites: `attack 69`, `attacks 47, 131`, `attacks 25 to 28 and 36`. */
const citedIn = (line: string): number[] =>
  [...line.matchAll(/\battacks? (\d+(?:(?:, and |, | and | to )\d+)*)/gi)].flatMap(([, cited = '']) => [
    ...[...cited.matchAll(/(\d+) to (\d+)/g)].flatMap(([, from, to]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at),
    ),
    ...[...cited.matchAll(/\d+/g)].map(Number),
  ])

const told = [...(documents.find(({ doc }) => doc === 'security')?.text ?? '').matchAll(/^- \*\*(\d+)\.\*\*/gm)].map(
  ([, number]) => Number(number),
)
const cited = [...source, ...linesOf('test', /\.ts$/)].flatMap(({ place, line }) =>
  citedIn(line).map((number) => ({ place, number })),
)

test('each attack that the source and the tests name is a line of the document security', () => {
  assert.ok(cited.length > 500)
  assert.deepEqual(
    cited.filter(({ number }) => !told.includes(number)).map(({ place, number }) => `${place}: ${number}`),
    [],
  )
})

test('each line of the document security is named by a test, and stands there once', () => {
  const tested = new Set(cited.filter(({ place }) => place.startsWith('test/')).map(({ number }) => number))
  assert.deepEqual(
    told.filter((number, at) => !tested.has(number) || told.indexOf(number) !== at),
    [],
  )
})

test('no comment cites a note that is not in the repository', () => {
  assert.deepEqual(
    source.filter(({ line }) => notes.test(line)).map(({ place }) => place),
    [],
  )
})

for (const { what, found } of [
  { what: 'comment begins with a question word', found: comments.filter(({ line }) => questions.test(line)) },
  { what: 'line of comment is over 132 columns', found: comments.filter(({ line }) => line.length > 132) },
])
  test(`no ${what}`, () => {
    assert.deepEqual(
      found.map(({ place }) => place),
      [],
    )
  })
