// The row of buttons above the text, from the table of tools, and the ways to look at the text: source and full screen.

import type { EditorView } from '@codemirror/view'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { drawn } from './icons.ts'
import { insertBlock } from './insert-text.ts'
import type { LiveOptions } from './live/drawing.ts'
import { showSource, showsSource } from './live/live-view.ts'
import { findTable } from './live/table-cells.ts'
import { loadMore, type MoreTools } from './load-more.ts'
import type { PickedPicture } from './picture-picker.ts'
import { picturesText } from './picture-text.ts'
import { isInTable } from './place.ts'
import { changeTable, tableButtons } from './table-edit.ts'
import { type Helpers, tools } from './tools.ts'

/** The parts of the page that the dialogs work with. */
interface Surroundings {
  /** The editor, once it is there. */
  readonly view: () => EditorView
  readonly entry: HTMLFormElement
  /** Tells that the dialogs could not be loaded. */
  readonly say: (words: string) => void
  /** Takes files of the device into the text. */
  readonly take: (files: readonly File[]) => void
}

/** The dialogs of the tools, which are loaded when they are opened. */
export function toolHelpers({ view, entry, say, take }: Surroundings): Helpers {
  const withMore = (use: (more: MoreTools) => void): void => {
    loadMore(entry).then(use, () => say(word('editor_offline')))
  }
  return {
    pickPictures: (asGallery = false) =>
      withMore((more) => {
        const done = (pictures: readonly PickedPicture[]): void => insertPictures(view(), pictures, asGallery)
        more.pickPictures(entry, asGallery ? { done } : { done, take })
      }),
    changePicture: (picture) => withMore((more) => more.changePicture(view(), entry, picture)),
    askForLink: () => withMore((more) => more.askForLink(view(), entry)),
    find: () => withMore((more) => more.openFind(view())),
    ask: (title, fields, done) => withMore((more) => more.ask(entry, title, fields, done)),
    chooseSection: (kind) => withMore((more) => void more.chooseSection(view(), entry, kind)),
    changeSection: (at, step) => withMore((more) => more.changeSection(view(), entry, at, step)),
  }
}

/** Puts each picture into a paragraph of its own, in the order of choice. */
function insertPictures(view: EditorView, pictures: readonly PickedPicture[], asGallery: boolean): void {
  const text = picturesText(pictures)
  insertBlock(view, asGallery ? `::: gallery\n${text}\n:::` : text)
}

/** @param take takes files of the device into the text */
export function addToolbar(view: EditorView, helpers: Helpers, base: string, take: Surroundings['take']): void {
  const options = { base, changeSection: helpers.changeSection, changePicture: helpers.changePicture }
  const shown = tools.filter(({ sign }) => sign !== undefined)
  const buttons = shown.map(({ name, sign = '', keys, run }) =>
    button(word(name), drawn(sign), keys, () => {
      view.focus()
      run(view, helpers)
    }),
  )
  const looks = [sourceButton(view, options), fullScreenButton(view)]
  const label = word('editor_formatting')
  const bar = make('div', { class: 'toolbar', role: 'group', 'aria-label': label }, ...camera(take), ...buttons, ...looks)
  view.dom.before(bar, tableTools(view))
}

/** The button for the camera, first on devices that are held in a hand. */
function camera(take: Surroundings['take']): readonly HTMLElement[] {
  if (!matchMedia('(pointer: coarse)').matches) return []
  const field = make('input', { type: 'file', accept: 'image/*', capture: 'environment', hidden: '' })
  field.addEventListener('change', (event) => {
    // The file is not a field of the entry.
    event.stopPropagation()
    take([...(field.files ?? [])])
    field.value = ''
  })
  return [button(word('editor_picture_camera'), drawn('camera'), undefined, () => field.click()), field]
}

function button(name: string, sign: string | SVGSVGElement, keys: string | undefined, run: () => void): HTMLButtonElement {
  const title = keys === undefined ? name : word('editor_tool_keys', { name, keys })
  const attributes = { title, 'aria-label': name === sign ? undefined : name, 'aria-keyshortcuts': keys }
  return makeButton(attributes, [sign], run)
}

function sourceButton(view: EditorView, options: LiveOptions): HTMLButtonElement {
  const made = button(word('editor_source'), drawn('source'), undefined, () => {
    showSource(view, options, made.getAttribute('aria-pressed') !== 'true')
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

/** Buttons for the table at the caret, shown while its source is. In the live view, a table has its own. */
function tableTools(view: EditorView): HTMLElement {
  const buttons = tableButtons.map((name) => makeButton({ class: 'small' }, [word(name)], () => changeTable(view, name)))
  const bar = make('div', { class: 'toolbar', role: 'group', 'aria-label': word('editor_table'), hidden: '' }, ...buttons)
  const look = (): void => {
    const { head } = view.state.selection.main
    bar.hidden = !isInTable(view.state, head) || (!showsSource() && findTable(view.state, head) !== undefined)
  }
  for (const event of ['keyup', 'mouseup', 'focusin']) view.dom.addEventListener(event, look)
  return bar
}
