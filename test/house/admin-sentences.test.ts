// The sentences of failures and findings in the languages of the admin: nothing that src/ can say to a person there lacks its twin.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sentences as german } from '../../src/admin/messages/de/sentences/index.ts'
import { sentences as english } from '../../src/admin/messages/en/sentences/index.ts'
import { sentenceIn } from '../../src/admin/sentences.ts'
import { failureSentences, isForPrograms } from './failure-sentences.ts'
import { importReasons } from './import-reasons.ts'

const reasons = importReasons()
const found = [...failureSentences(), ...reasons]

const tables = { de: german, en: english }

test('each failure that a form can cause, each finding and each reason of a report has its German; those that name an argument have an English for people', () => {
  assert.ok(found.length > 500 && reasons.length > 90, 'the sentences were not found')
  // A hint for programs is not shown.
  const shown = found.filter(({ text, isHint }) => !(isHint && isForPrograms(text)))
  const lacks = (table: Readonly<Record<string, string>>) =>
    [...new Set(shown.filter(({ text }) => !Object.hasOwn(table, text)).map(({ file, text }) => `${file}: ${text}`))].sort()
  assert.deepEqual(lacks(german), [])
  assert.deepEqual(
    lacks(english).filter((one) => isForPrograms(one)),
    [],
  )
})

test('no twin stands for a sentence that is gone, loses a value, or names an action', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?!admin.messages).*\.ts$/.test(name),
  )
  const source = files.map((name) => readFileSync(join('src', name), 'utf8').replace(/\\(['`"])/g, '$1')).join('\n')
  const isSaid = (key: string): boolean =>
    key
      .replace(/^You/, '')
      .split('{}')
      .flatMap((part) =>
        part.split(/ (?:choose|of|to|characters?|items?|or|from|at|ago|You|(?:second|minute|hour|day)s?) ?|[:.]/),
      )
      .every((part) => source.includes(part.trim()))
  const all = new Set(found.map(({ text }) => text))
  for (const [language, table] of Object.entries(tables)) {
    for (const [key, text] of Object.entries(table)) {
      assert.ok(all.has(key) || isSaid(key), `${language}: nothing says ${key}`)
      const count = key.split('{}').length - 1
      const places = [...text.matchAll(/\{(\d)\}/g)].map(([, place]) => Number(place))
      assert.ok(text.trim() !== '' && places.every((place) => place <= count), `${language}: ${key}`)
      assert.doesNotMatch(text, /SVC_|`/, key)
    }
  }
})

test('a sentence is found with its values, in parts, and with values that have words of their own', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['There is no entry "/über".', 'Einen Eintrag „/über“ gibt es nicht.'],
    ['Someone said something.', ''],
    [
      'This text takes longer than 2000 ms to render. Make it simpler, or split it into several entries.',
      'Dieser Text braucht länger als 2000 ms. Machen Sie ihn einfacher, oder teilen Sie ihn auf mehrere Einträge auf.',
    ],
    [
      '"title" must be a text of 1 to 200 characters; it is "". Did you mean "name"?',
      '„title“ muss ein Text von 1 bis 200 Zeichen sein; eingegeben wurde „“. Meinten Sie „name“?',
    ],
    [
      'The plugin x failed; the log has it as abc. Nothing was changed.',
      'Das Plugin x ist gescheitert; im Log steht es unter abc. Nichts wurde geändert.',
    ],
    ['"x" must be a text or null.', '„x“ muss ein Text oder leer sein.'],
  ]
  for (const [said, wanted] of cases) assert.equal(sentenceIn('de', said) ?? '', wanted)
  assert.equal(sentenceIn('en', 'There is no entry "a".'), undefined)
  // A text of somebody that looks like a pattern costs no more than its length.
  const begin = performance.now()
  sentenceIn('de', `There is no entry ${'. There is no entry '.repeat(90)}`)
  assert.ok(performance.now() - begin < 1000)
})
