// The message files of the admin: every language has the same messages with the same placeholders, and none is there that no page says.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { recordedKey } from '../../src/admin/action-words.ts'
import { adminLanguages } from '../../src/admin/words.ts'
import * as de from '../../src/admin/messages/de/index.ts'
import * as en from '../../src/admin/messages/en/index.ts'
import { partOfSetting, settingPages } from '../../src/admin/operations/setting-words.ts'
import type { MessageText } from '../../src/base/message-form.ts'
import type { SectionAttributes } from '../../src/content/sections/attributes.ts'
import { sectionKinds } from '../../src/content/sections/kinds.ts'
import { retiredSettings } from '../../src/themes/retired.ts'
import { kinds } from '../../src/store/change/kinds.ts'
import { readManifest, themeIds } from '../themes/render-theme.ts'

type Files = Readonly<Record<string, Readonly<Record<string, MessageText>>>>

const languages: Readonly<Record<string, Files>> = { de, en }

/** `group.key` with all of its texts. */
function messagesOf(files: Files): Map<string, readonly string[]> {
  const rows = Object.entries(files).flatMap(([group, messages]) =>
    Object.entries(messages).map(([key, message]) => [`${group}.${key}`, textsOf(message)] as const),
  )
  return new Map(rows)
}

const textsOf = (message: MessageText): readonly string[] => (typeof message === 'string' ? [message] : Object.values(message))

const placeholdersOf = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts.flatMap((text) => text.match(/\{\w+\}/g) ?? []))].filter((name) => name !== '{count}').sort()

test('every language of the admin has the same messages with the same placeholders', () => {
  assert.deepEqual([...adminLanguages].sort(), Object.keys(languages))
  const english = messagesOf(en)
  for (const [language, files] of Object.entries(languages)) {
    const messages = messagesOf(files)
    // The English of an action stands in its declaration (test/admin/action-words.test.ts).
    const shared = [...messages].filter(([key]) => key.split('.').length === 2)
    assert.deepEqual(shared.map(([key]) => key).sort(), [...english.keys()].sort(), language)
    for (const [key, texts] of shared) {
      assert.ok(
        texts.every((text) => text.trim() !== ''),
        `${language} ${key} is empty`,
      )
      assert.deepEqual(placeholdersOf(texts), placeholdersOf(english.get(key) ?? []), `${language} ${key}`)
    }
  }
})

const sectionRows = Object.entries(sectionKinds)

/** Keys that are made: of the kinds of objects and sections, the settings and the parts of their page, and the summaries of records. */
function madeKeys(): ReadonlySet<string> {
  const summaries = textsIn('src').matchAll(/'([A-Z][^'\n]*\.)'/g)
  return new Set([
    ...Object.keys(kinds).map((kind) => `parts.kind_${kind}`),
    ...['-published_at', 'published_at', 'title'].map((value) => `sections.choice_sort_${value}`),
    ...Object.keys(partOfSetting).flatMap((key) => [`operations.${key}`, `operations.${key}_help`]),
    ...Object.values(settingPages)
      .flat(2)
      .map((part) => `operations.part_${part}`),
    ...sectionRows.flatMap(([kind, { attributes }]) => [
      `sections.${kind}`,
      ...Object.keys(attributes).map((name) => `sections.attribute_${name}`),
      ...Object.entries(attributes as SectionAttributes).flatMap(([name, { choices = [] }]) =>
        choices.map((value) => `sections.choice_${name}_${value}`),
      ),
    ]),
    ...[...themeTexts()].map((text) => themeKeys.get(text) ?? ''),
    ...[...summaries].map(([, summary = '']) => recordedKey(summary)),
  ])
}

const themeKeys = new Map(Object.entries(en.themes).map(([key, text]) => [text, `themes.${key}`]))

/** What the themes that come with Postern say about themselves and their settings. */
function themeTexts(): ReadonlySet<string> {
  const manifests = themeIds.map(readManifest)
  const settings = [...manifests.flatMap((manifest) => manifest.settings), ...themeIds.flatMap(retiredSettings)]
  const texts = [
    ...manifests.map(({ description }) => description),
    ...settings.flatMap(({ label, help, group, options = [] }) => [label, help, group, ...options.map((option) => option.label)]),
  ]
  return new Set(texts.filter((text): text is string => text !== undefined && text !== ''))
}

test('every text of the settings of the themes is a message, so that the admin says it in its language', () => {
  // A service is one of six alike.
  const missing = [...themeTexts()].filter((text) => !themeKeys.has(text) && !/^Service \d: /.test(text))
  assert.deepEqual(missing, [])
})

const textsIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(?:^|\/)messages\//.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

test('every message of the admin is said somewhere', () => {
  const source = textsIn('src/admin')
  const made = madeKeys()
  const isSaid = (key: string, where: string): boolean => new RegExp(`['"\`]${key.replaceAll('.', '\\.')}['"\`]`).test(where)
  const inScripts = textsIn('src/admin/scripts')
  const unsaid = [...messagesOf(en).keys()].filter(
    // A script says its words without their group.
    (key) => !made.has(key) && !isSaid(key, source) && !(key.startsWith('scripts.') && isSaid(key.slice(8), inScripts)),
  )
  assert.deepEqual(unsaid, [])
})
