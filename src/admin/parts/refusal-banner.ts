// The banner of a form that was refused. The first thing of its page, so that it is seen, has the focus and is read out.

import { cutText } from '../../cut-text.ts'
import { html, type HtmlValue, type ToldFault } from '../../doors/html.ts'
import type { Words } from '../words.ts'

/** How much of a typed text is quoted. */
const maxTyped = 80

/** Nothing where the page has no refusals. The attribute `autofocus` moves the focus without script; `scripts/refusal.ts` does where it doesn't. */
export function refusalBanner(t: Words, refusals: readonly ToldFault[]): HtmlValue {
  const told = withoutRepeats(refusals)
  return (
    told.length > 0 &&
    html`<div class="notice fault refusal" id="refusal" role="alert" tabindex="-1" autofocus>
      <p><strong>${t('shell.refused')}</strong></p>
      <ul>
        ${told.map((one) => html`<li>${lineOf(t, one)}</li>`)}
      </ul>
    </div>`
  )
}

/** A page may tell the same of a form and of its field. */
function withoutRepeats(refusals: readonly ToldFault[]): readonly ToldFault[] {
  const atFields = refusals.filter(({ at }) => at !== undefined)
  const rest = refusals.filter(({ sentence, at }) => at === undefined && !atFields.some((one) => one.sentence === sentence))
  return [...rest, ...atFields]
}

function lineOf(t: Words, { sentence, at }: ToldFault): HtmlValue {
  if (!at) return sentence
  const typed = at.typed?.trim() ?? ''
  const isInSentence = sentence.includes(JSON.stringify(typed.slice(0, 40)).slice(1, -1))
  const quoted = typed !== '' && !isInSentence && html` ${t('shell.refused_typed', { typed: cutText(typed, maxTyped) })}`
  return html`<a href="#${at.id}">${at.label}</a>: ${sentence}${quoted}`
}
