// The banner of a refused form. It is the first element of the page, takes the focus, and is read out by screen readers.

import { cutText } from '../../base/cut-text.ts'
import { html, type HtmlValue, type ToldFault } from '../../doors/shared/html.ts'
import type { Words } from '../words.ts'

/** The number of characters of a typed text that are quoted. */
const maxTyped = 80

/** The banner; nothing for a page without refusals. If a browser ignores `autofocus`, `scripts/refusal.ts` moves the focus. */
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

/** Removes the fault of a form if one of its fields shows the same sentence. */
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
