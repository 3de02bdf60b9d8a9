// The documents against the program: what exists is told, what is told exists. README's runnable lines are test/system/readme.test.ts's.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { callName } from '../../src/actions/call/action.ts'
import { allActions } from '../../src/actions/all.ts'
import { commands } from '../../src/cli/commands.ts'
import { exit } from '../../src/cli/exit.ts'
import { settings } from '../../src/base/config.ts'
import { findSection } from '../../src/content/markdown/outline.ts'
import { openOutliner } from '../outliner.ts'
import { documents } from '../../src/docs/index.ts'
import { codes } from '../../src/base/failure.ts'
import { httpStatuses } from '../../src/http/failure.ts'
import { releaseOf, releases } from '../../src/base/release.ts'
import { root } from '../site.ts'

const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')
const readme = read('README.md')
const map = read('src', 'README.md')
const docOf = (name: string): string => documents.find(({ doc }) => doc === name)?.text ?? ''
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
        .slice(1, -1),
    )
const nameIn = (cell = ''): string => cell.replace(/^`|`$/g, '')

test('the document settings has a row for each setting, with its default and its help', () => {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const shown = (value: unknown) => (value === undefined ? '–' : `\`${Array.isArray(value) ? value.join(', ') : textOf(value)}\``)
  const rows = Object.entries(settings).map(([name, { fallback, help }]) => `| \`${name}\` | ${shown(fallback)} | ${help} |`)
  assert.deepEqual(
    rows.filter((row) => !docOf('settings').includes(`${row}\n`)),
    [],
  )
})

test('the document command-line has each command with its usage and summary', () => {
  const text = docOf('command-line')
  const missing = Object.values(commands).filter(({ usage, summary }) => !text.includes(`\n- \`postern ${usage}\`: ${summary}\n`))
  assert.deepEqual(
    missing.map(({ usage, summary }) => `- \`postern ${usage}\`: ${summary}`),
    [],
  )
})

test('the document command-line names no command that does not exist', () => {
  const named = [...docOf('command-line').matchAll(/^- `postern (\w[\w-]*(?: [a-z][\w-]*(?![\w|-]))?)/gm)].map(
    ([, name = '']) => name,
  )
  assert.deepEqual(
    named.filter((name) => !Object.hasOwn(commands, name)),
    [],
  )
})

test('the document command-line has a row for each exit code', () => {
  const told = rowsOf(docOf('command-line')).map(([code]) => code)
  const missing = [...new Set(Object.values(exit))].filter((code) => !told.includes(String(code)))
  assert.deepEqual(missing, [])
})

const outliner = await openOutliner()

test('README and the documents name no setting that does not exist', () => {
  const text = [readme, ...documents.map((one) => one.text)].join('\n')
  const named = new Set([...text.matchAll(/\bPOSTERN_[A-Z_]*[A-Z]\b/g)].map(([name]) => name))
  assert.deepEqual(
    [...named].filter((name) => !Object.hasOwn(settings, name)),
    [],
  )
})

test('each failure code stands in the section of failures, and each failure of HTTP below it', () => {
  const section = findSection(outliner.outline(docOf('rest')), 'failures')
  assert.ok(section, 'the document rest has a section with the id failures')
  const told = rowsOf(docOf('rest').slice(section.start, section.end)).map(([code]) => nameIn(code))
  assert.deepEqual(
    [...codes, ...Object.keys(httpStatuses).filter((code) => code !== 'client_left')].filter((code) => !told.includes(code)),
    [],
  )
})

test('each action has a row with its tier and its effect', () => {
  const told = rowsOf(docOf('actions')).map(([name, , tier, effect]) => `${nameIn(name)} ${tier} ${effect}`)
  const missing = allActions()
    .map((action) => `${callName(action)} ${action.tier} ${action.effect}`)
    .filter((action) => !told.includes(action))
  assert.deepEqual(missing, [])
})

test('README and the documents name no action that does not exist', () => {
  const text = [readme, ...documents.map((one) => one.text)].join('\n')
  const named = new Set([...text.matchAll(/\bSVC_[A-Z][A-Za-z]*\.[a-z][a-z-]*[a-z]\b/g)].map(([name]) => name))
  const known = allActions().map(callName)
  assert.deepEqual(
    [...named].filter((name) => !known.includes(name)),
    [],
  )
})

test('the table of release profiles has a row for each behaviour and a column for each release', () => {
  const [head, ...rows] = rowsOf(docOf('release-profiles'))
  assert.deepEqual(head, ['behaviour', ...releases])
  assert.equal(rows.length, Object.keys(releaseOf('1')).length - 1)
})

test('each document in src/docs is served, has a title, and fits into an answer', () => {
  const files = readdirSync(join(root, 'src', 'docs')).filter((name) => name.endsWith('.md'))
  assert.deepEqual(files.map((name) => basename(name, '.md')).sort(), documents.map(({ doc }) => doc).sort())
  for (const { doc, title, text } of documents) {
    assert.notEqual(title, doc)
    assert.equal(text, read('src', 'docs', `${doc}.md`))
    assert.ok(Buffer.byteLength(JSON.stringify(text)) < 60 * 1024, `${doc} is too long for one answer`)
  }
})

test('where a document names another, or a section of it, that is there', () => {
  const text = [readme, ...documents.map((one) => one.text)].join('\n').replace(/\s+/g, ' ')
  const references = [...text.matchAll(/document `([a-z-]+)`(?:, section `([a-z-]+)`)?/g)]
  assert.ok(references.length > 0)
  for (const [reference, doc = '', section] of references) {
    assert.ok(docOf(doc), reference)
    if (section !== undefined)
      assert.ok(
        outliner.outline(docOf(doc)).some(({ id }) => id === section),
        reference,
      )
  }
})

test('every picture in README is there, with words for who can’t see it, and small', () => {
  const pictures = [...readme.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)]
  assert.ok(pictures.length >= 2)
  for (const [, words = '', path = ''] of pictures) {
    assert.ok(words.length > 20, `${path} has words`)
    assert.ok(statSync(join(root, path)).size < 150_000, `${path} is small`)
  }
})

test('every file that the map names is there', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const named = new Set([...map.matchAll(/(?<![\w/.-])((?:[a-z-]+\/)*[a-z-]+\.(?:test\.)?ts)\b/g)].map(([, name = '']) => name))
  const missing = [...named].filter((name) =>
    name.includes('/')
      ? !existsSync(join(root, 'src', name)) && !existsSync(join(root, name))
      : !files.some((file) => basename(file) === name),
  )
  assert.deepEqual(missing, [])
})

test('the map names no folder of src that is not there', () => {
  const named = [...map.matchAll(/^\*\*`([a-z]+)\/`\*\*/gm)].map(([, folder = '']) => folder)
  assert.deepEqual(
    named.filter((folder) => !existsSync(join(root, 'src', folder))),
    [],
  )
})
