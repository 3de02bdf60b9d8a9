// One change: who made it, and each object before and after.

import { activityGet } from '../../actions/classes/svc-activity.ts'
import { undo } from '../../actions/classes/undo.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { changesByObject } from '../parts/difference.ts'
import { factList } from '../parts/facts.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { doorWords, firstClause, isUndo, recordPath, takeBackPath, titlesOf } from './record-parts.ts'
import { undoableIds } from './stretches.ts'

export async function recordReply(visit: SignedIn, id: string): Promise<Reply> {
  const { item } = await get(visit, activityGet, { id })
  const { request } = visit
  const [undoable] = mayRun(visit, undo) ? undoableIds([item]) : []
  const title = firstClause(item.summary).replaceAll('`', '')
  const body = html`${pageHead(
      title,
      undefined,
      html`<a class="button" href="${linkTo(request, adminPaths.activity)}">All activity</a>
        ${undoable !== undefined && html`<a class="button" href="${takeBackPath(visit, [undoable])}">${isUndo(item) ? 'Redo' : 'Take back'}…</a>`}`,
    )}
    ${
      item.undone_by !== null &&
      html`<p class="notice" role="note">
        This change was taken back. <a href="${recordPath(visit, item.undone_by)}">See how</a>, or
        <a href="${takeBackPath(visit, [item.undone_by])}">redo it</a>.
      </p>`
    }
    <section class="panel" aria-labelledby="facts">
      <h2 id="facts">Who and what</h2>
      ${factList({
        When: shownTime(visit, item.at),
        By: item.by,
        'Token or app': item.token_name,
        Through: doorWords[item.door],
        Address: item.address,
        Changed: titlesOf(visit, item),
        Action: html`<code>${item.call}</code>`,
        'Can be taken back': item.effect === 'write' ? undefined : 'No: it acted outside the site, or destroyed for good',
      })}
    </section>
    <section class="panel" aria-labelledby="changes">
      <h2 id="changes">What changed</h2>
      ${changesByObject(item.diff, (object) => item.objects.find(({ id: one }) => one === object)?.title ?? undefined)}
      ${item.truncated && html`<p class="quiet">There is more than fits on this page.</p>`}
    </section>
    ${inputPart(item.input)}`
  return pageReply(visit, 200, framed(visit, { title, body }))
}

const inputPart = (input: Readonly<Record<string, unknown>>): Html =>
  html`<details>
    <summary>The call as it was made</summary>
    <pre tabindex="0" role="region" aria-label="The call"><code>${JSON.stringify(input, undefined, 2)}</code></pre>
  </details>`
