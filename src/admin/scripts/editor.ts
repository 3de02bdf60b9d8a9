// In the browser, on the page of the editor: CodeMirror in place of the text field, a toolbar, autosave, uploads and a preview. The
// text field stays in the form with the current text, so the form works as it does without script.

import { EditorView } from '@codemirror/view'
import { makeButton } from './element.ts'
import { word } from './words.ts'
import { createAutosave } from './editor/autosave.ts'
import { forgetDone, offerKept } from './editor/kept-text.ts'
import { takePastes } from './editor/paste.ts'
import { loadMore } from './editor/load-more.ts'
import { searchReferences } from './editor/references.ts'
import { replaceField } from './editor/text-field.ts'
import { addToolbar, toolHelpers } from './editor/toolbar.ts'
import { takeFiles, type Uploads } from './editor/uploads.ts'
import { countWords } from './editor/word-count.ts'

const form = document.querySelector<HTMLFormElement>('form.entry')
const field = form?.querySelector<HTMLTextAreaElement>('#f-body') ?? undefined
if (form) start(form, field)

function start(entry: HTMLFormElement, text: HTMLTextAreaElement | undefined): void {
  const status = entry.querySelector<HTMLElement>('[data-saved]') ?? document.createElement('p')
  const say = (words: string): void => void (status.textContent = words)
  forgetDone()
  nameNew(entry)
  const autosave = createAutosave(entry, say)
  const view = text && startText(entry, text, say)
  addPreviewButton(entry, view, say)
  searchReferences(entry, say)
  offerKept(entry, (body) => view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: body } }))
  showResult(entry)
  // This runs before `shell.ts`, which sends the whole form.
  document.addEventListener(
    'keydown',
    (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return
      if (event.key.toLowerCase() === 's') {
        event.preventDefault()
        event.stopPropagation()
        void autosave.now()
      }
      const publish = entry.querySelector<HTMLButtonElement>('button[value="publish"]')
      if (event.key === 'Enter' && publish) {
        event.preventDefault()
        event.stopPropagation()
        entry.requestSubmit(publish)
      }
    },
    true,
  )
}

/** Adds the button for the preview, which is loaded when it is opened. */
function addPreviewButton(entry: HTMLFormElement, view: EditorView | undefined, say: (words: string) => void): void {
  const toggle = makeButton({ 'aria-expanded': 'false' }, [word('editor_show_page')], () => {
    if (isOpen) return
    isOpen = true
    const failed = (): void => {
      isOpen = false
      say(word('editor_offline'))
    }
    loadMore(entry).then((more) => more.openPreview(entry, toggle, view), failed)
  })
  let isOpen = false
  entry.querySelector('.preview-bar .actions')?.append(toggle)
}

/** Starts the editor of the text, with its tools. */
function startText(entry: HTMLFormElement, text: HTMLTextAreaElement, say: (words: string) => void): EditorView {
  const base = (entry.dataset['upload'] ?? '').replace(/\/admin\/.*$/, '')
  const helpers = toolHelpers({ view: () => view, entry, say, take: (files) => uploads.take(files) })
  const view = replaceField(text, { breaksTyped: entry.dataset['enter'] === 'break', helpers, base })
  const uploads: Uploads = takeFiles(view, entry, say)
  takePastes(view, entry, uploads)
  addToolbar(view, helpers, base, (files) => uploads.take(files))
  countWords(view, text)
  selectAsked(view)
  goOnFromTitle(entry, view)
  return view
}

/**
 * Adds the key of the form to the address of a new entry's page. With the key, "back" and a reload lead to the entry once it
 * exists.
 */
function nameNew(entry: HTMLFormElement): void {
  const key = entry.querySelector<HTMLInputElement>('[name="key"]')?.value
  if (key === undefined) return
  const address = new URL(location.href)
  address.searchParams.set('key', key)
  history.replaceState(null, '', address)
}

/** Selects the text that the address names with `find`, such as a broken link. */
function selectAsked(view: EditorView): void {
  const find = new URL(location.href).searchParams.get('find') ?? ''
  const at = find === '' ? -1 : view.state.doc.toString().indexOf(find)
  if (at < 0) return
  view.dispatch({ selection: { anchor: at, head: at + find.length }, effects: EditorView.scrollIntoView(at, { y: 'center' }) })
  const focus = (): void => {
    view.focus()
    view.dom.scrollIntoView({ block: 'nearest' })
  }
  focus()
  // The address names the field for browsers without script. While the page loads, a browser goes there and takes the focus away.
  if (document.readyState !== 'complete') addEventListener('load', () => setTimeout(focus))
}

/** Updates the search result while a person types. */
function showResult(entry: HTMLFormElement): void {
  const valueOf = (name: string): string => entry.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value.trim() ?? ''
  const show = (part: string, ...names: readonly string[]): void => {
    const place = entry.querySelector(`[data-result="${part}"]`)
    const words = names.map(valueOf).find((one) => one !== '')
    if (place && words !== undefined) place.textContent = words
  }
  entry.addEventListener('input', () => {
    show('title', 'seo.title', 'title')
    show('text', 'seo.description', 'excerpt')
  })
}

/** Enter in the title goes on in the text. Without script it sends the form, as browsers do. */
function goOnFromTitle(entry: HTMLFormElement, view: EditorView): void {
  entry.querySelector<HTMLInputElement>('#f-title')?.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    view.focus()
    view.dispatch({ selection: { anchor: 0 } })
  })
}
