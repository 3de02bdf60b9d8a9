// The row of buttons above the text, from the table of tools, and the ways to look at the text: source and full screen.

import type { EditorView } from '@codemirror/view'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { askIn } from './ask-dialog.ts'
import { drawn } from './icons.ts'
import { linkDialog } from './link-dialog.ts'
import { showSource, showsSource } from './live/live-view.ts'
import { changeTable, tableAt, tableChanges } from './table-edit.ts'
import { type Helpers, tools } from './tools.ts'

type Upload = (files: readonly File[]) => void

/** The dialogs of the tools. @param view of the editor, once it is there */
export function toolHelpers(view: () => EditorView, entry: HTMLFormElement, upload: Upload): Helpers {
  const chooser = make('input', { type: 'file', accept: 'image/*', multiple: '' })
  chooser.addEventListener('change', () => {
    upload([...(chooser.files ?? [])])
    chooser.value = ''
  })
  let dialog: HTMLDialogElement | undefined
  return {
    chooseImages: () => chooser.click(),
    askForLink() {
      if (!dialog) entry.after((dialog = linkDialog(view(), entry)))
      dialog.showModal()
    },
    ask: (title, fields, done) => askIn(entry, title, fields, done),
  }
}

export function addToolbar(view: EditorView, helpers: Helpers, base: string): void {
  const shown = tools.filter(({ sign }) => sign !== undefined)
  const buttons = shown.map(({ name, sign = '', keys, run }) =>
    button(word(name), drawn(sign), keys, () => {
      view.focus()
      run(view, helpers)
    }),
  )
  const looks = [sourceButton(view, base), fullScreenButton(view)]
  const bar = make('div', { class: 'toolbar', role: 'group', 'aria-label': word('editor_formatting') }, ...buttons, ...looks)
  view.dom.before(bar, tableTools(view))
}

function button(name: string, sign: string | SVGSVGElement, keys: string | undefined, run: () => void): HTMLButtonElement {
  const title = keys === undefined ? name : word('editor_tool_keys', { name, keys })
  const attributes = { title, 'aria-label': name === sign ? undefined : name, 'aria-keyshortcuts': keys }
  return makeButton(attributes, [sign], run)
}

function sourceButton(view: EditorView, base: string): HTMLButtonElement {
  const made = button(word('editor_source'), drawn('source'), undefined, () => {
    showSource(view, base, made.getAttribute('aria-pressed') !== 'true')
    made.setAttribute('aria-pressed', String(showsSource()))
    view.focus()
  })
  made.setAttribute('aria-pressed', String(showsSource()))
  return made
}

/** The text over the whole window. Escape leaves. */
function fullScreenButton(view: EditorView): HTMLButtonElement {
  const set = (isFull: boolean): void => {
    view.dom.closest('.field')?.classList.toggle('full-screen', isFull)
    made.setAttribute('aria-pressed', String(isFull))
    view.requestMeasure()
    view.focus()
  }
  const made = button(word('editor_full_screen'), drawn('screen'), undefined, () =>
    set(made.getAttribute('aria-pressed') !== 'true'),
  )
  made.setAttribute('aria-pressed', 'false')
  document.addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented && made.getAttribute('aria-pressed') === 'true') set(false)
  })
  return made
}

/** Buttons for the table at the caret, shown while the caret is in one. */
function tableTools(view: EditorView): HTMLElement {
  const buttons = tableChanges.map(({ name, change }) =>
    makeButton({ class: 'small' }, [word(name)], () => changeTable(view, change)),
  )
  const bar = make('div', { class: 'toolbar', role: 'group', 'aria-label': word('editor_table'), hidden: '' }, ...buttons)
  const look = (): void => void (bar.hidden = tableAt(view.state) === undefined)
  for (const event of ['keyup', 'mouseup', 'focusin']) view.dom.addEventListener(event, look)
  return bar
}
