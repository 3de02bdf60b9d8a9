// An entry before and after a change, as visitors see it: side by side on a wide screen, one at a time on a phone, as one page with
// the differences marked, or as source. Radio buttons choose, so that it works without script. The pages are in frames without
// script and without the site's origin (attack 146): their text may be a stranger's.

import { type Compared, comparedLink, type View } from '../../actions/shared/compared-page.ts'
import { html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import { baseOf } from '../../doors/shared/paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'

/** The sides that exist, and how they differ. */
export interface ComparedSides {
  readonly before: boolean
  readonly after: boolean
  readonly differs: boolean
  readonly title: string
}

interface Shown {
  readonly compared: Compared
  readonly sides: ComparedSides
  /** The differences of the source; undefined if the text is the same. */
  readonly source: Html | undefined
  /** Distinguishes the radio buttons of several entries on a page. */
  readonly name: string
}

interface Choice {
  readonly value: View | 'source'
  readonly label: MessageKey
  /** The label where both sides fit next to each other. */
  readonly wide?: MessageKey
  /** True for a choice that only narrow screens need. */
  readonly isNarrow?: boolean
}

/** The marked page comes first: it begins at the first difference, which the others may have below their frames. */
const both: readonly Choice[] = [
  { value: 'marked', label: 'parts.view_marked' },
  { value: 'after', label: 'parts.view_after', wide: 'parts.view_both' },
  { value: 'before', label: 'parts.view_before', isNarrow: true },
]
const source: Choice = { value: 'source', label: 'parts.view_source' }

/** The frames of an entry, with the buttons that choose one. */
export function comparedViews(visit: SignedIn, { compared, sides, source: text, name }: Shown): Html {
  const { t } = visit
  const views: readonly View[] = sides.differs ? ['before', 'after', 'marked'] : [sides.after ? 'after' : 'before']
  const pages: readonly Choice[] = sides.differs ? both : [{ value: views[0] ?? 'after', label: 'parts.view_page' }]
  const choices = text === undefined ? pages : [...pages, source]
  return html`<div class="compared">
    ${
      choices.length > 1 &&
      html`<fieldset class="views">
        <legend class="unseen">${t('parts.view_choose', { title: sides.title })}</legend>
        ${choices.map((choice, place) => radio(visit, choice, name, place === 0))}
      </fieldset>`
    }
    <p class="quiet side-note">${t(noteOf(sides))}</p>
    ${views.map((view) => frame(visit, compared, view, sides.title, sides.differs))}
    ${text !== undefined && html`<div class="of-source">${text}</div>`}
  </div>`
}

const radio = ({ t }: SignedIn, { value, label, wide, isNarrow }: Choice, name: string, isChosen: boolean): Html =>
  html`<label class="view view-${value}${isNarrow ? ' narrow' : ''}"
    ><input type="radio" name="view-${name}" value="${value}" ${isChosen ? raw('checked') : ''} /><span
      >${wide === undefined ? t(label) : html`<span class="narrow">${t(label)}</span><span class="wide">${t(wide)}</span>`}</span
    ></label
  >`

/** The note above the frames; of a single page, its meaning. */
const noteOf = ({ before, after, differs }: ComparedSides): MessageKey =>
  differs ? 'parts.view_sandbox' : !before ? 'parts.view_new' : !after ? 'parts.view_trash' : 'parts.view_same'

const labels: Readonly<Record<View, MessageKey>> = {
  before: 'parts.view_before',
  after: 'parts.view_after',
  marked: 'parts.view_marked',
}

function frame(visit: SignedIn, compared: Compared, view: View, title: string, isLabelled: boolean): HtmlValue {
  const { site, request, caller, now, t } = visit
  const place = view === 'marked' ? '#first-change' : ''
  const address = comparedLink({ key: site.key, origin: baseOf(request), caller, now }, compared, view) + place
  const label = isLabelled ? t(labels[view]) : t('parts.view_page')
  return html`<figure class="of-${view}">
    ${isLabelled && html`<figcaption>${label}</figcaption>`}
    <iframe
      class="preview"
      sandbox=""
      loading="lazy"
      title="${t('parts.view_frame', { view: label, title })}"
      src="${address}"
    ></iframe>
  </figure>`
}
