// The scripts of the admin's pages, as files. Every page works without its script.
//
// The policy of the admin allows scripts of this origin (`script-src 'self'`). The name of a file contains the hash of its content,
// so browsers may cache the file for ever. The page also sends the hash as `integrity`, and a browser runs no other script.

import { createHash } from 'node:crypto'
import { attribute, html, type Html } from '../doors/shared/html.ts'
import connect from './scripts/connect.ts?browser' // oxlint-disable-line import/default -- the build makes it text
import copy from './scripts/copy.ts?browser' // oxlint-disable-line import/default -- built as text
import passkey from './scripts/passkey.ts?browser' // oxlint-disable-line import/default -- the build makes it text
import focus from './scripts/focus.ts?browser'
import menu from './scripts/menu.ts?browser'
import editor from './scripts/editor.ts?browser' // oxlint-disable-line import/default -- built as text
import editorMore from './scripts/editor-more.ts?browser' // oxlint-disable-line import/default -- built as text
import look from './scripts/look.ts?browser' // oxlint-disable-line import/default -- built as text
import picture from './scripts/picture.ts?browser' // oxlint-disable-line import/default -- built as text
import refusal from './scripts/refusal.ts?browser' // oxlint-disable-line import/default -- built as text
import shell from './scripts/shell.ts?browser'
import unsaved from './scripts/unsaved.ts?browser' // oxlint-disable-line import/default -- built as text
import upload from './scripts/upload.ts?browser' // oxlint-disable-line import/default -- built as text
import { scripts, sections } from './messages/en/index.ts'
import { assetPath } from './paths.ts'
import type { MessageKey, Words } from './words.ts'

type ScriptKey = MessageKey & (`scripts.${string}` | `sections.${string}`)

export interface BrowserScript {
  readonly text: string
  /** Below the base path. */
  readonly path: string
  /** The messages that the script shows; `scripts/words.ts` reads them. */
  readonly words: readonly ScriptKey[]
  /** @see Subresource Integrity §3.5 */
  readonly integrity: string
}

const copyWords = [
  'scripts.copy',
  'scripts.copy_named',
  'scripts.copied',
  'scripts.copied_named',
  'scripts.text_selected',
] as const

/** Adds a Copy button next to each text that `copyable` marks. */
export const copyScript = toScript('copy', copy, copyWords)

/** Shows when a client connects, and adds Copy buttons. */
export const connectScript = toScript('connect', connect, [
  ...copyWords,
  'scripts.waiting',
  'scripts.not_looking',
  'scripts.connected',
])

/** The forms that a passkey fills in. */
export const passkeyScript = toScript('passkey', passkey, [
  'scripts.passkey_known',
  'scripts.passkey_unused',
  'scripts.passkey_failed',
])

/** Keyboard shortcuts, on every page with navigation. */
export const shellScript = toScript('shell', shell)

/** Moves the focus to the banner of a refused form. */
export const refusalScript = toScript('refusal', refusal)

/** Sets the focus point of a picture by a click. */
export const focusScript = toScript('focus', focus)

/** Dragging and arrow keys for the tree of a menu. */
export const menuScript = toScript('menu', menu)

/** Uploads files one by one with progress, and accepts dropped files. */
export const uploadScript = toScript('upload', upload, wordsFrom('upload_'))

/** The site beside the settings of a theme. */
export const lookScript = toScript('look', look, wordsFrom('look_'))

/** Tells of values that are not saved, before a page is left. */
export const unsavedScript = toScript('unsaved', unsaved)

/** The messages of the picture picker. */
const pickerWords = [...wordsFrom('picture_'), ...wordsFrom('editor_picture_'), ...wordsFrom('editor_upload')] as const

/** The picture of a field, with a picker. */
export const pictureScript = toScript('picture', picture, [
  ...pickerWords,
  'scripts.editor_nothing_found',
  'scripts.editor_cancel',
  'scripts.editor_describe',
  'scripts.editor_image_failed',
  'scripts.editor_image_stored',
  'scripts.editor_no_connection',
  'scripts.editor_session_ended',
  'scripts.editor_server_answered',
])

/** The editor of entries. It names the kinds of sections. */
export const editorScript = toScript('editor', editor, [
  ...wordsFrom('editor_'),
  ...wordsFrom('picture_'),
  ...Object.keys(sections).map((name) => `sections.${name}` as ScriptKey),
])

/** The dialogs of the editor, which it loads itself, with its own messages. */
export const editorMoreScript = toScript('editor-more', editorMore)

/** All scripts, which are served as `text/javascript; charset=utf-8`. */
export const browserScripts: readonly BrowserScript[] = [
  connectScript,
  copyScript,
  passkeyScript,
  shellScript,
  refusalScript,
  focusScript,
  menuScript,
  uploadScript,
  editorScript,
  editorMoreScript,
  lookScript,
  pictureScript,
  unsavedScript,
]

/** The messages of scripts whose names begin like this. */
function wordsFrom(start: string): readonly ScriptKey[] {
  const names = Object.keys(scripts).filter((name) => name.startsWith(start))
  return names.map((name) => `scripts.${name}` as ScriptKey)
}

function toScript(name: string, text: string, words: readonly ScriptKey[] = []): BrowserScript {
  const hash = createHash('sha256').update(text).digest()
  return {
    text,
    words,
    path: assetPath(`admin-${name}-${hash.toString('hex').slice(0, 12)}.js`),
    integrity: `sha256-${hash.toString('base64')}`,
  }
}

/** The element that loads a script. `defer` runs the script after the document has loaded. @param base the base path of the site */
export const scriptTag = ({ path, integrity, words }: BrowserScript, base: string, t: Words): Html =>
  html`<script src="${base + path}" integrity="${integrity}" ${wordsAttribute(words, t)} defer></script>`

function wordsAttribute(words: readonly ScriptKey[], t: Words): Html {
  const texts = Object.fromEntries(words.map((key) => [key.replace(/^scripts\./, ''), t(key)]))
  return attribute('data-words', words.length === 0 ? undefined : JSON.stringify(texts))
}

/**
 * A text that people will want to copy. A page with `copyScript` shows a Copy button next to it.
 * @param name of the text, for the label of the button: `the token`
 */
export const copyable = (name: string, text: string): Html => html`<code data-copy="${name}">${text}</code>`
