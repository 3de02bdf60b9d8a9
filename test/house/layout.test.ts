// The shape of the source tree: imports point downwards, files stay small and say what they are, the map names every folder.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { releaseOf } from '../../src/base/release.ts'
import { root } from '../site.ts'

/**
 * From the top down; a file may import from its own room and from any layer below. Rooms of one layer don't know each other. A room is a
 * folder of `src`; `actions` and `doors` have several, and `actions/…` is the folder of any class.
 */
const layers: readonly (readonly string[])[] = [
  ['app', 'cli'],
  ['install'],
  ['admin', 'site', 'doors/mcp', 'doors/rest', 'doors/oauth'],
  ['doors/shared'],
  ['actions/all.ts'],
  ['actions/…'],
  ['actions/shared'],
  ['actions/lists'],
  ['actions/call'],
  ['doctor'],
  ['cache'],
  ['exports', 'imports'],
  [
    'content',
    'media',
    'themes',
    'identity',
    'settings',
    'skills',
    'plugins',
    'activity',
    'backup',
    'webhooks',
    'mail',
    'forms',
    'statistics',
  ],
  ['jobs'],
  ['processes'],
  ['store', 'outbound', 'eyes'],
  ['http'],
  ['base', 'docs', 'front'],
]

/** Folders that build on another of the same layer, each with its reason. */
const named: ReadonlyMap<string, string> = new Map([
  ['admin → doors/oauth', 'the owner is asked on the admin’s pages, and the answer is a code'],
  ['activity → identity', 'a record says who'],
  ['activity → content', 'undo checks what a token is limited to, and a diff shows the fields of entries by their table'],
  ['backup → activity', 'a restore leaves its record in the site that it brings back'],
  ['backup → identity', 'what a home is, who restored it, and which of two limits is the tighter'],
  ['backup → plugins', 'a restored plugin runs on only with the files and rights that it had'],
  ['backup → settings', 'settings of security, and whether the site is closed, are not taken from a backup'],
  ['content → identity', 'what a caller may see and write'],
  ['content → media', 'a field of an entry names a file'],
  ['content → settings', 'dates are read in the site’s zone, and entries stand below the paths of its languages'],
  ['webhooks → activity', 'an event is a change with its record'],
  ['mail → identity', 'bodies and the password lie sealed with the site’s key'],
  ['forms → mail', 'what an address is'],
  ['forms → identity', 'the time of a page is signed with the site’s key'],
  ['mail → content', 'one way to escape text in markup'],
  ['statistics → settings', 'days are those of the site’s zone, and the owner decides who is counted'],
  ['webhooks → identity', 'an event says who, and secrets lie sealed with the site’s key'],
  ['skills → content', 'front matter is read in one way'],
  ['activity → themes', 'undo writes no script for a caller who may not'],
  ['activity → media', 'the sizes of a picture follow from its bytes and its focus, also after an undo'],
  ['themes → identity', 'who may write what runs in a browser'],
  ['themes → content', 'which addresses are safe'],
  ['media → identity', 'signed addresses are made with the site’s key'],
  ['skills → identity', 'what the site plants in its own home is no skill'],
  ['actions/call → actions/…', 'the checks of the site are one of its parts, and a proposal is a plan of calls'],
  ['actions/call → actions/lists', 'a wrong field is refused as it is in a list'],
  ['actions/… → actions/…', 'classes use what others say of their objects'],
])

/** Tables are as long as they need to be. */
const longTables: ReadonlySet<string> = new Set(['src/base/config.ts', 'src/content/types/fields.ts', 'src/store/core/schema.ts'])

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name: join('src', name), text: readFileSync(join(root, 'src', name), 'utf8') }))

/** The room of a file: the name of its layer's member. */
function roomOf(file: string): string {
  const [top = '', next = ''] = relative('src', file).split('/')
  if (top !== 'actions' && top !== 'doors') return top
  const room = `${top}/${next}`
  return top === 'doors' || layers.flat().includes(room) ? room : 'actions/…'
}
const layerOf = (top: string): number => layers.findIndex((layer) => layer.includes(top))

function importsOf({ name, text }: { name: string; text: string }): string[] {
  const paths = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) => path)
  return paths.map((path) => relative(root, join(root, dirname(name), path)))
}

const withoutComments = (text: string): string => text.replace(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/g, '')

test('every file of src belongs to a layer', () => {
  assert.deepEqual(
    files.map(({ name }) => name).filter((name) => layerOf(roomOf(name)) < 0),
    [],
  )
})

test('imports point downwards only', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => !mayImport(roomOf(file.name), roomOf(imported)))
      .map((imported) => `${file.name} → ${imported}`),
  )
  assert.deepEqual(wrong, [])
})

test('no file imports itself by way of others, save for types and what is loaded late', () => {
  const values = new Map(files.map((file) => [file.name, importsOf({ ...file, text: valuesOf(file.text) })]))
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) return void circles.push([...path.slice(path.indexOf(name)), name].join(' → '))
    if (done.has(name)) return
    for (const imported of values.get(name) ?? []) visit(imported, [...path, name])
    done.add(name)
  }
  for (const { name } of files) visit(name, [])
  assert.deepEqual(circles, [])
})

/** A source without the imports that leave nothing when it is compiled, and without those that wait until they are needed. */
const valuesOf = (text: string): string =>
  text
    .replace(/^(?:im|ex)port type [^]*?from '[^']+'/gm, '')
    .replace(/^import \{(?:\s*type [\w ]+,?)+\s*\} from '[^']+'/gm, '')
    .replace(/import\('[^']+'\)/g, '')

/** The rooms at the top and those at the bottom know each other; rooms between know only what is below. */
function mayImport(from: string, to: string): boolean {
  const [above, below] = [layerOf(from), layerOf(to)]
  if (from === to || above < below) return true
  const isEnd = above === 0 || above === layers.length - 1
  return (isEnd && above === below) || named.has(`${from} → ${to}`)
}

/** Asks the site as clients do, byte by byte: a target as it is written, a body announced and not sent. */
const ownAsker = 'src/outbound/ask-own.ts'

test('only src/http knows node:http, and what asks the site from outside', () => {
  const knowing = files
    .filter(({ text }) => /IncomingMessage|ServerResponse|from 'node:https?'/.test(text))
    .map(({ name }) => name)
  assert.deepEqual(
    knowing.filter((name) => !name.startsWith('src/http/') && name !== ownAsker),
    [],
  )
})

test('attack 118: only src/outbound reaches out, so rendering fetches nothing', () => {
  const reaching = files
    .filter(({ text }) => /(?:from|import\() ?'undici['/]|\bawait fetch\(/.test(withoutComments(text)))
    .map(({ name }) => name)
  // The scripts of the admin run in a browser, whose policy lets them ask this site alone.
  assert.deepEqual(
    reaching.filter((name) => !name.startsWith('src/outbound/') && !name.startsWith('src/admin/scripts/')),
    [],
  )
})

/** The folder of each database, and what only that folder may contain. */
const engines: readonly { readonly folder: string; readonly own: RegExp }[] = [
  {
    folder: 'src/store/sqlite/',
    own: /from 'sqlite3'|import\('sqlite3'\)|\bpragma\b|sqlite_(?:schema|master)|vacuum into|attach database|SQLITE_[A-Z]/i,
  },
  {
    folder: 'src/store/postgres/',
    own: /from 'pg'|import\('pg'\)|\bpg_(?:catalog|advisory|notify|class)|set_config\(|current_setting\(|collate "C"/,
  },
]

for (const { folder, own } of engines) {
  test(`only src/store knows which database it is: nothing else imports from ${folder}`, () => {
    const outside = files.filter(({ name }) => !name.startsWith('src/store/'))
    const importing = outside.flatMap((file) =>
      importsOf(file)
        .filter((imported) => imported.startsWith(folder))
        .map((imported) => `${file.name} → ${imported}`),
    )
    assert.deepEqual(importing, [])
  })

  test(`what is one database's own stands only in ${folder}`, () => {
    const speaking = files
      .filter(({ name, text }) => !name.startsWith(folder) && own.test(withoutComments(text)))
      .map(({ name }) => name)
    assert.deepEqual(speaking, [])
  })
}

/** A restored database is open in no process: there are no caches to tell, and its counters start anew with the processes that open it. */
const committing: ReadonlySet<string> = new Set([
  'src/actions/call/commit.ts',
  'src/backup/restore.ts',
  // The search index writes rows that an older release did not write. They are no change by anybody, but kept pages may lack them.
  'src/store/search/search-index.ts',
  'src/app/compose.ts',
])

test('there is one commit path: nothing else writes an activity record, raises a counter or tells the caches', () => {
  const callers = files
    .filter(({ text }) => /(?<!function )\b(?:recordActivity|raiseCounters)\(|\.committed\(/.test(withoutComments(text)))
    .map(({ name }) => name)
  assert.deepEqual(
    callers.filter((name) => !committing.has(name)),
    [],
  )
})

test('the environment is read in one place', () => {
  const reading = files.filter(({ text }) => text.includes('process.env')).map(({ name }) => name)
  assert.deepEqual(
    reading.filter((name) => name !== 'src/app/main.ts' && name !== 'src/cli/main.ts'),
    [],
  )
})

test('no file of src has more than 300 lines', () => {
  const long = files.filter(({ name, text }) => text.split('\n').length > 301 && !longTables.has(name)).map(({ name }) => name)
  assert.deepEqual(long, [])
})

/** The summary of an action says what its file is, and `index.ts` is the list of its class. */
const saysItself = ({ name, text }: { name: string; text: string }): boolean =>
  roomOf(name) === 'actions/…' && (/\b(?:action|listAction)\('SVC_/.test(text) || name.endsWith('/index.ts'))

test('every file of src opens by saying what it is', () => {
  assert.deepEqual(
    files.filter((file) => !file.text.startsWith('//') && !saysItself(file)).map(({ name }) => name),
    [],
  )
})

test('the tree holds no “any”, no unfinished mark and no silenced compiler', () => {
  const marks = /TODO|FIXME|@ts-ignore|@ts-nocheck/
  const found = files
    .filter(({ text }) => marks.test(text) || /(?::|\bas|<|\|) ?any\b/.test(withoutComments(text)))
    .map(({ name }) => name)
  assert.deepEqual(found, [])
})

const map = readFileSync(join(root, 'src', 'README.md'), 'utf8')

test('every folder of src is on the map', () => {
  const tops = new Set(files.map(({ name }) => relative('src', name).split('/')[0] ?? ''))
  assert.deepEqual(
    [...tops].filter((top) => !map.includes(`${top}/`)),
    [],
  )
})

test('every file that the map names is there', () => {
  const named = [...map.matchAll(/`((?:[\w-]+\/)*[\w-]+\.ts)`/g)].map(([, path = '']) => path)
  const isThere = (path: string): boolean => existsSync(join(root, path)) || files.some(({ name }) => name.endsWith(`/${path}`))
  assert.deepEqual(
    named.filter((path) => !isThere(path)),
    [],
  )
})

/** What `doors/shared/admit.ts` calls in its order. */
const admission = [
  'doors/shared/bridge.ts',
  'doors/shared/read-json.ts',
  'doors/shared/plugin-hooks.ts',
  'actions/call/dispatch.ts',
]

test('a request to /mcp/ or /api/ is admitted in one list of steps', () => {
  const doors = files.filter(({ name }) => roomOf(name) === 'doors/mcp' || roomOf(name) === 'doors/rest')
  const past = doors.flatMap(({ name, text }) => {
    const values = { name, text: text.replace(/import type [^\n]*/g, '') }
    return importsOf(values)
      .filter((path) => admission.includes(relative('src', path)))
      .map((path) => `${name} → ${path}`)
  })
  assert.deepEqual(past, [])
  assert.deepEqual(
    admission.filter((step) => !importsOf(fileNamed('src/doors/shared/admit.ts')).includes(`src/${step}`)),
    [],
  )
})

function fileNamed(name: string): (typeof files)[number] {
  const found = files.find((file) => file.name === name)
  assert.ok(found, name)
  return found
}

/**
 * Rows of the table of releases that a door reads itself, since one condition says all: what it decides has no code of its own for the past.
 * All else that old releases did is in `src/doors/shared/profiles/`.
 */
const conditions: ReadonlyMap<string, readonly string[]> = new Map([
  ['src/doors/mcp/post.ts', ['mcpAnonymous']],
  ['src/doors/mcp/routes.ts', ['mcpAnonymous']],
  ['src/doors/oauth/endpoints.ts', ['registration']],
  ['src/doors/oauth/documents.ts', ['registration']],
  ['src/doors/oauth/authorize-request.ts', ['stateRequired']],
  ['src/doors/rest/routes.ts', ['unusableCredential']],
  ['src/admin/access/set-up-page.ts', ['firstVisit']],
  ['src/admin/access/consent-question.ts', ['consentScope']],
])

test('the doors can be read without the past: what old releases did is in doors/shared/profiles', () => {
  const rows = Object.keys(releaseOf('1')).filter((row) => row !== 'name')
  const doors = new Set(['admin', 'site', 'doors/mcp', 'doors/rest', 'doors/oauth', 'doors/shared'])
  const reading = files
    .filter(({ name }) => doors.has(roomOf(name)) && !name.startsWith('src/doors/shared/profiles/'))
    .map(({ name, text }) => [name, rows.filter((row) => readsRow(text, row))] as const)
    .filter(([, read]) => read.length > 0)
  assert.deepEqual(reading.sort(), [...conditions].sort())
})

/** Whether a file takes a row of the table of releases, as `release.ROW` or out of a `release`. */
function readsRow(text: string, row: string): boolean {
  const code = withoutComments(text)
  return new RegExp(`\\brelease\\??\\.${row}\\b|\\{[^{}]*\\b${row}\\b[^{}]*\\}[^\\n]*\\b[rR]elease\\b`).test(code)
}
