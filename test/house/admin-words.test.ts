// The words of the admin are in message files (src/admin/messages/): no page, part or script has English of its own. `MessageKey` holds that each key is
// there; this finds the texts that are no keys.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hole, type SourceText, textsOf } from './source-texts.ts'

/** Texts that are the same in every language: names, and what a person types as it is. */
const names: ReadonlySet<string> = new Set([
  'Postern',
  'Node',
  'SHA-256',
  'MCP',
  'UTC',
  'WebP',
  'AVIF',
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'Delete',
  'Mod-b',
  'Mod-i',
  'Mod-k',
  // Nodes of the Markdown tree.
  'Document',
  'Paragraph',
  'Table',
  'Task',
  'Link',
  'Edge',
  'Opera',
  'Firefox',
  'Chrome',
  'Safari',
  'Android',
  'Windows',
  'Linux',
  'Claude Code',
  'Cursor',
  'Gemini CLI',
  'Authorization: Bearer pst_…',
  // The names that are stored with the built-in types, and words of HTML and its interfaces.
  'Page',
  'Post',
  'selected',
  'Files',
])

/** What activity records is English for everybody, as the summaries of actions are. */
const recorded: ReadonlySet<string> = new Set([
  'Changes a password.',
  'Sets a password by a one-time link.',
  'second step refused',
  'Sets the site up with its first admin.',
  'Adds an authenticator app as a second factor.',
  'Removes the authenticator app.',
  'Removes a passkey.',
  'Makes new recovery codes.',
  'Adds a passkey as a second factor.',
  'Changes their own name and profile.',
  'Changes what Enter does in their editor.',
  'Changes how often they are told of proposals by mail.',
  'Connects an app.',
  'Proposes calls, which wait for an admin.',
  'Creates an account.',
])

/** An example of an address or a path, as placeholders of fields have them. */
const address = /^[\w./-]*[/@][\w./-]+$/

/** The texts of a page that a visitor reads, or hears from a screen reader. */
function shownTexts(markup: string): readonly string[] {
  const plain = markup.replace(/<!--[^]*?-->/g, '').replace(/<(code|pre|script|style|svg|kbd)\b[^]*?<\/\1>/g, ' ')
  const attributes = [...plain.matchAll(/\s(?:aria-label|title|placeholder|alt|label|data-copy|data-confirm)="([^"]*)"/g)]
  return [...attributes.map(([, value = '']) => value), ...plain.replace(/<[^>]*>/g, '\n').split('\n')]
}

/** Markup has two letters together outside of placeholders. */
const englishIn = (markup: string): readonly string[] =>
  shownTexts(markup)
    .map((text) => text.replaceAll(hole, ' ').replace(/&\w+;/g, ' ').trim())
    .filter((text) => /[A-Za-z]{2}/.test(text) && !names.has(text) && !address.test(text))

/** A key of the keyboard with those that are held, and a list of language tags. */
const keyOrTags = /^(?:(?:Alt|Shift|Mod|Ctrl)-)+\S+$|^(?:[a-z]{2,3} ){20,}/

/** Literals that begin as a sentence or a label does, or have three words; and no code that the admin itself reads. */
function isEnglish({ text, before }: SourceText): boolean {
  if (
    names.has(text) ||
    recorded.has(text) ||
    keyOrTags.test(text) ||
    /(?:\bError\(|\blog\.\w+\(|\bimport\b.*|\bfrom\s|\bcase\s|header\()\s*$/.test(before)
  )
    return false
  const words = text.replaceAll(hole, ' ').trim()
  return /^[A-Z][a-z]+(?:[ ,.:…!?-]|$)/.test(words) || /^[a-z]+(?: [a-z’]+){2,}[.:]?$/.test(words)
}

const findingsOf = (source: string): readonly string[] =>
  textsOf(source).flatMap((text) =>
    text.tag === 'html'
      ? englishIn(text.text).map((found) => `${text.line}: ${found}`)
      : text.tag === '' && isEnglish(text)
        ? [`${text.line}: ${text.text.replaceAll(hole, '…')}`]
        : [],
  )

test('the admin has no English outside its message files', () => {
  const files = readdirSync('src/admin', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('messages/'),
  )
  const found = files
    .sort()
    .flatMap((name) => findingsOf(readFileSync(join('src/admin', name), 'utf8')).map((one) => `${name}:${one}`))
  assert.deepEqual(found, [])
})

test('English is found in text, attributes, labels and sentences, and nowhere else', () => {
  const english = [
    'html`<p>Some words ${x}</p>`',
    'html`<p aria-label="Some words">${x}</p>`',
    'html`<p>${open && html`<b>or</b>`}</p>`',
    "field({ label: 'Name' })",
    "const words = isOn ? 'Turn off' : t('shell.menu')",
    'const title = `Delete ${name}`',
    "throw new HttpFailure('forbidden', 'this was sent twice')",
  ]
  const none = [
    'html`<p class="Some words">${t(\'shell.menu\')} – ${x} <code>POSTERN_HOME</code></p>`',
    "// It's a comment: 'Some words'\nconst path = '/admin/content'",
    "const pattern = /['`]Some words/.test(text)",
    "import { Html } from '../doors/html.ts'",
    "const key: MessageKey = 'shell.menu'",
    "log.warn('page was not there')",
  ]
  for (const source of english) assert.equal(findingsOf(source).length, 1, source)
  for (const source of none) assert.deepEqual(findingsOf(source), [], source)
})
