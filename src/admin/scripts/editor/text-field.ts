// CodeMirror in place of a text field. The field stays in the form and receives every change at once.

import {
  copyLineDown,
  copyLineUp,
  deleteLine,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  indentWithTab,
  moveLineDown,
  moveLineUp,
  selectLine,
  simplifySelection,
  standardKeymap,
  toggleTabFocusMode,
} from '@codemirror/commands'
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, type KeyBinding, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { GFM, parser } from '@lezer/markdown'
import { describeImages } from './describe-image.ts'
import { word } from '../words.ts'
import { enterKeys, textOf } from './enter.ts'
import { liveView } from './live/live-view.ts'
import { markdownKeys } from './markdown-keys.ts'
import { pastePlaces } from './paste-places.ts'
import { slashMenu } from './slash-menu.ts'
import type { Helpers } from './tools.ts'

const markdown = new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown')

const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--link)' },
  { tag: [tags.processingInstruction, tags.quote, tags.comment], color: 'var(--quiet)' },
  { tag: tags.monospace, fontFamily: 'var(--mono)' },
])

/** The look of the editor is in the style sheet of the admin, under this name. */
const named = EditorView.editorAttributes.of({ class: 'cm-text' })

/** The length from which a text is copied to its field only in pauses. To copy a text of 1 MB takes tens of milliseconds. */
const largeChars = 100_000
const pauseMs = 300

/** Keeps the text of a field as the editor has it, at the latest when its form is read. */
function keepField(field: HTMLTextAreaElement): (state: EditorState) => void {
  let last: EditorState | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const copy = (): void => {
    clearTimeout(timer)
    if (!last) return
    field.value = textOf(last)
    last = undefined
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  field.form?.addEventListener('formdata', ({ formData }) => {
    copy()
    formData.set(field.name, field.value)
  })
  addEventListener('pagehide', copy)
  return (state) => {
    last = state
    clearTimeout(timer)
    if (state.doc.length < largeChars) copy()
    else timer = setTimeout(copy, pauseMs)
  }
}

/** CodeMirror's own keys for lines of a text. The rest of its set is for programs. */
const lineKeys: readonly KeyBinding[] = [
  { key: 'Alt-ArrowUp', run: moveLineUp },
  { key: 'Alt-ArrowDown', run: moveLineDown },
  { key: 'Shift-Alt-ArrowUp', run: copyLineUp },
  { key: 'Shift-Alt-ArrowDown', run: copyLineDown },
  { key: 'Escape', run: simplifySelection },
  { key: 'Alt-l', mac: 'Ctrl-l', run: selectLine },
  { key: 'Mod-[', run: indentLess },
  { key: 'Mod-]', run: indentMore },
  { key: 'Shift-Mod-k', run: deleteLine },
  { key: 'Ctrl-m', mac: 'Shift-Alt-m', run: toggleTabFocusMode },
]

interface FieldOptions {
  /** As in `enterKeys`. */
  readonly breaksTyped: boolean
  readonly helpers: Helpers
  /** The path of the site, empty at the root. */
  readonly base: string
}

/** Replaces a field by the editor, once the editor is ready. */
export function replaceField(field: HTMLTextAreaElement, { breaksTyped, helpers, base }: FieldOptions): EditorView {
  const follow = keepField(field)
  const enter = enterKeys(breaksTyped)
  const askForLink = (): boolean => (helpers.askForLink(), true)
  const find = (): boolean => (helpers.find(), true)
  const label = document.querySelector<HTMLLabelElement>(`label[for="${field.id}"]`)
  if (label) label.id ||= `${field.id}-label`
  const view = new EditorView({
    state: EditorState.create({
      doc: field.value,
      extensions: [
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        markdown,
        syntaxHighlighting(colours),
        slashMenu(helpers),
        liveView({ base, changeSection: helpers.changeSection, changePicture: helpers.changePicture }),
        placeholder(word('editor_placeholder')),
        keymap.of([
          { key: 'Mod-k', run: askForLink },
          { key: 'Mod-f', run: find },
          ...enter.keys,
          ...markdownKeys,
          ...standardKeymap,
          ...lineKeys,
          ...historyKeymap,
          indentWithTab,
        ]),
        named,
        describeImages,
        enter.extension,
        pastePlaces,
        EditorView.contentAttributes.of({
          // A text that scrolls must be seen to take the focus.
          tabindex: '0',
          'aria-labelledby': label?.id ?? '',
          'aria-describedby': field.getAttribute('aria-describedby') ?? '',
          spellcheck: 'true',
          autocorrect: 'on',
          autocapitalize: 'sentences',
        }),
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && follow(state)),
      ],
    }),
  })
  field.after(view.dom)
  field.hidden = true
  label?.addEventListener('click', (event) => {
    event.preventDefault()
    view.focus()
  })
  return view
}
