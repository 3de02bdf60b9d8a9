// Names keep their promises: one meaning per exported type, and verbs that say whether a function throws.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../site.ts'

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name: join('src', name), text: readFileSync(join(root, 'src', name), 'utf8') }))

test('no two exported types share a name', () => {
  const homes = new Map<string, string[]>()
  for (const { name, text } of files)
    for (const [, type = ''] of text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm))
      homes.set(type, [...(homes.get(type) ?? []), name])
  assert.ok(homes.size > 300)
  assert.deepEqual(
    [...homes].filter(([, places]) => places.length > 1),
    [],
  )
})

/** A function that is declared, an arrow function with a name, or a method. */
const functionNamed = (verb: string): RegExp =>
  new RegExp(
    `(?:function |const |^ {2,}(?:async )?#?)(${verb}(?:[A-Z]\\w*)?)(?: = (?:async )?(?=[(<]|\\w+ =>)|(?=[(<].*\\{$))`,
    'gm',
  )

test('a function that checks is called check…, not hold…', () => {
  const held = files.flatMap(({ name, text }) => [...text.matchAll(functionNamed('hold'))].map(([, held]) => `${name}: ${held}`))
  assert.deepEqual(held, [])
})

interface Parser {
  readonly name: string
  readonly doc: string
  readonly body: string
}

/** Functions at the top of a file whose name begins with `parse`, each with its docstring and its text. */
const parsersIn = (text: string): readonly Parser[] =>
  [
    ...text.matchAll(
      /((?:^\/\*\*(?:(?!\*\/)[^])*\*\/\n)?)^(?:export )?(?:async )?(?:function|const) (parse\w+)([^]*?)^(?=[}\S])/gm,
    ),
  ].map(([, doc = '', name = '', body = '']) => ({ name, doc, body }))

/** A mistake of the code that calls, and not of the text that is parsed. */
const programErrors = /@throws (?!RangeError|TypeError)/

test('a function that is called parse… gives undefined for a bad text: one that throws is called read… or check…', () => {
  const all = files.flatMap(({ name: file, text }) => parsersIn(text).map((parser) => ({ file, ...parser })))
  assert.ok(all.length > 30)
  assert.deepEqual(
    all
      .filter(({ doc, body }) => programErrors.test(doc) || /throw (?:new |\w+\()/.test(body))
      .map(({ file, name }) => `${file}: ${name}`),
    [],
  )
})
