// In the browser, on the page of the editor: the search, and the dialogs for links, pictures and sections. The editor loads this
// script when one of them is opened.

import { askIn } from './editor/ask-dialog.ts'
import { openFind } from './editor/find.ts'
import { linkDialog } from './editor/link-dialog.ts'
import { type MoreTools, moreEvent } from './editor/load-more.ts'
import { changePicture } from './editor/picture-form.ts'
import { pickPictures } from './editor/picture-picker.ts'
import { openPreview } from './editor/preview.ts'
import { changeSection, chooseSection } from './editor/section-dialogs.ts'

let links: HTMLDialogElement | undefined

const detail: MoreTools = {
  ask: askIn,
  askForLink(view, entry) {
    if (!links) entry.after((links = linkDialog(view, entry)))
    links.showModal()
  },
  openFind,
  openPreview,
  pickPictures,
  changePicture,
  chooseSection,
  changeSection,
}
document.dispatchEvent(new CustomEvent(moreEvent, { detail }))
