// The form for a picture in the text: its description, its caption, another picture, or none.

import type { EditorView } from '@codemirror/view'
import { make, makeButton } from '../element.ts'
import { word } from '../words.ts'
import { isOwnMedia, type PlacedPicture, type WrittenPicture } from './live/written-picture.ts'
import { pickPictures } from './picture-picker.ts'
import { pictureText } from './picture-text.ts'
import { openDialog } from './section-form.ts'

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
  // First the browser gives the focus back, and with it the old selection.
  const leave = (then: () => void): void => {
    dialog.close()
    setTimeout(() => {
      // The text can have changed meanwhile, such as by another window.
      if (view.state.sliceDoc(picture.from, picture.to) === written) then()
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
  const remove = makeButton({ class: 'danger' }, [word('picture_remove')], () => leave(() => removePicture(view, picture)))
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
    leave(() => writePicture(view, picture, { src, alt: alt.value, caption: caption.value.trim() }))
  })
}

/** Writes what has changed; the text of a picture that nobody changed stays as it was. */
function writePicture(view: EditorView, { from, to, ...before }: PlacedPicture, after: WrittenPicture): void {
  if (after.src === before.src && after.alt === before.alt && after.caption === before.caption) return
  view.dispatch({ changes: { from, to, insert: pictureText(after) }, userEvent: 'input' })
}

/** Removes a picture, with its line if it is alone in it. */
function removePicture(view: EditorView, { from, to, isAlone }: PlacedPicture): void {
  const { doc } = view.state
  const line = doc.lineAt(from)
  const isBlank = isAlone && line.number < doc.lines && doc.line(line.number + 1).text.trim() === ''
  const range = isAlone ? { from: line.from, to: isBlank ? doc.line(line.number + 1).to : line.to } : { from, to }
  const end = isAlone ? Math.min(doc.length, range.to + 1) : range.to
  view.dispatch({ changes: { from: range.from, to: end }, selection: { anchor: range.from }, userEvent: 'delete' })
}
