// What a type of entry does is said by `content/types/entry-types.ts`; no other file asks whether a type is a page or a post.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { entryTypeSlugs } from '../../src/content/types/entry-types.ts'
import { root } from '../site.ts'

const table = join('content', 'types', 'entry-types.ts')

/** Where these words are no type of entry, or are what a caller sends. */
const elsewhere: readonly (readonly [why: string, pattern: RegExp])[] = [
  [
    'how old releases answer',
    /release\.(?:pluginFatal|maintenance) === 'page'|row<'page' \| 'error'>\('page', 'page', 'page', 'error'\)/,
  ],
  ['an attribute of HTML', /'aria-current', .*'page' : undefined/],
  ['the kinds of public pages, which themes rely on', /^export const pageKinds = |^\s*(?:page|article|error): \['/],
  ['a member of the answer of SVC_Media.begin-upload', /^\s*secrets: \['url', 'page'\]/],
  ['the number of a page of a list', /query\.get\('page'\)/],
  ['the name of a file for nginx', /const snippets = \[/],
  ['the way in which a release answers during maintenance', /\bmaintenance [!=]== 'page'/],
  [
    'the kinds of pages and templates of a theme',
    /pageKinds = \[|^\s*(?:page|article|error): \['|kind === 'page'|\? 'article' : 'page'|pageOf\('page'/,
  ],
  [
    'an example of a call',
    /(?:input|arguments): \{ (?:type|id): '(?:page|post)'|move_to: '(?:page|post)' \}|^\s*input: \{ type: '(?:page|post)'/,
  ],
]

const literal = new RegExp(`'(?:${entryTypeSlugs.join('|')})'`)

function isType(line: string): boolean {
  return literal.test(line.replace(/^\s*(?:\/\/|\*|\/\*\*).*/, '')) && !elsewhere.some(([, pattern]) => pattern.test(line))
}

test('nothing but the table of types branches on a type of entry', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    // Readers of imports speak of the types of other systems.
    (name) => name.endsWith('.ts') && name !== table && !name.startsWith(join('imports', 'readers')),
  )
  const found = files.flatMap((name) =>
    readFileSync(join(root, 'src', name), 'utf8')
      .split('\n')
      .flatMap((line, index) => (isType(line) ? [`${name}:${index + 1}: ${line.trim()}`] : [])),
  )
  assert.deepEqual(found, [])
})

test('a comparison with a type, and a query for one, would be found', () => {
  for (const line of ["  if (row.type === 'page') return", "    .where('type', '=', 'post')", "  type: File['type'] = 'page',"])
    assert.ok(isType(line), line)
})

test('each exception is still in use', () => {
  const all = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
    .join('\n')
  for (const [why, pattern] of elsewhere) assert.match(all, new RegExp(pattern.source, 'm'), why)
})
