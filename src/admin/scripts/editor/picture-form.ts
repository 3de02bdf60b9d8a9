// The form for a picture in the text: its description, its caption, another picture, or none.

import type { EditorView } from '@codemirror/view'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { isOwnMedia, type PlacedPicture, type WrittenPicture } from './live/written-picture.ts'
import { pickPictures } from './picture-picker.ts'
import { pictureText } from './picture-text.ts'
import { openDialog } from './section-form.ts'

/** Opens the form for a picture of the text. */
export function changePicture(view: EditorView, entry: HTMLFormElement, picture: PlacedPicture): void {
  const written = view.state.sliceDoc(picture.from, picture.to)
  const base = (entry.dataset['upload'] ?? '').replace(/\/admin\/.*$/, '')
  let { src } = picture
  const image = make('img', { alt: '', class: 'picture-large' })
  const show = (path: string, address: string): void => {
    src = path
    image.hidden = !isOwnMedia(path)
    if (!image.hidden) image.src = address
  }
  const alt = make('textarea', { id: 'picture-alt', rows: '2', maxlength: '1000' })
  const caption = make('input', {
    id: 'picture-caption',
    type: 'text',
    maxlength: '1000',
    value: picture.caption,
    autocomplete: 'off',
  })
  alt.value = picture.alt
  // Closing restores the old focus and selection, so the change comes after it.
  const leave = (then: (now: PlacedPicture) => void): void => {
    dialog.close()
    setTimeout(() => {
      const from = placeOf(view, written, picture.from)
      if (from !== undefined) then({ ...picture, from, to: from + written.length })
      view.focus()
    })
  }
  const other = makeButton({}, [word('editor_placed_other')], () =>
    pickPictures(entry, {
      isOne: true,
      done([picked]) {
        if (!picked) return
        show(picked.path, picked.image ?? base + picked.path)
        if (picked.alt !== '') alt.value = picked.alt
      },
    }),
  )
  const remove = makeButton({ class: 'danger' }, [word('picture_remove')], () => leave((now) => removePicture(view, now)))
  const cancel = makeButton({}, [word('editor_cancel')], () => dialog.close())
  const form = make(
    'form',
    { method: 'dialog' },
    image,
    make('label', { for: alt.id }, word('editor_placed_alt')),
    alt,
    ...(picture.isAlone ? [make('label', { for: caption.id }, word('editor_placed_caption')), caption] : []),
    make('p', { class: 'actions' }, make('button', { class: 'primary' }, word('editor_section_save')), cancel, other, remove),
  )
  show(src, base + src)
  const dialog = openDialog(entry, word('editor_image'), form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    leave((now) => writePicture(view, now, { src, alt: alt.value, caption: caption.value.trim() }))
  })
}

/** The place of a picture now: another window may have changed the text while the form was open. */
function placeOf({ state }: EditorView, written: string, from: number): number | undefined {
  if (state.sliceDoc(from, from + written.length) === written) return from
  const at = state.doc.toString().indexOf(written)
  return at < 0 ? undefined : at
}

/** Writes what has changed; the text of a picture that nobody changed stays as it was. */
function writePicture(view: EditorView, { from, to, ...before }: PlacedPicture, after: WrittenPicture): void {
  if (after.src === before.src && after.alt === before.alt && after.caption === before.caption.trim()) return
  view.dispatch({ changes: { from, to, insert: pictureText(after) }, userEvent: 'input' })
}

/** Removes a picture, with its line if it is alone in it. */
function removePicture(view: EditorView, { from, to, isAlone }: PlacedPicture): void {
  const { doc } = view.state
  const line = doc.lineAt(from)
  const isBlank = isAlone && line.number < doc.lines && doc.line(line.number + 1).text.trim() === ''
  const range = isAlone ? { from: line.from, to: isBlank ? doc.line(line.number + 1).to : line.to } : { from, to }
  const end = isAlone ? Math.min(doc.length, range.to + 1) : range.to
  // Not `delete`: undo joins a quick deletion with the change before it, and a button is a step of its own.
  view.dispatch({ changes: { from: range.from, to: end }, selection: { anchor: range.from }, userEvent: 'input' })
}
