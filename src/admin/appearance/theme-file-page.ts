// One file of a theme: its editable text and its earlier revisions.

import { themes } from '../../actions/themes/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { addsToBase } from '../../themes/over-base.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { declareForm, declaredForm } from '../parts/declared-form.ts'
import { lineList } from '../parts/panel.ts'
import { postForm } from '../parts/post-form.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { themeName, themePath } from './themes-page.ts'

export const filePath = (id: string, file: string): string => `${themePath(id)}&file=${encodeURIComponent(file)}`

const form = declareForm(themes.write, { path: adminPaths.theme, does: 'write', button: 'appearance.save' }, [
  { name: 'text', control: 'code', label: 'appearance.text', rows: 28 },
])

/** The file as it is, or with the values of a refused form. */
export async function fileReply(visit: SignedIn, id: string, file: string, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const { item } = await get(visit, themes.get, { id, full: true })
  const known = item.files.find((one) => one.file === file)
  const { base } = known ?? {}
  const adds = base !== undefined && addsToBase(file)
  const text = adds || (known === undefined && refused.failure) ? '' : await wholeText(visit, id, file)
  const mayWrite = !item.shipped && text !== undefined && mayRun(visit, themes.write)
  const body = html`${pageHead(
    file,
    t.rich('appearance.a_file_of', {
      theme: html`<a href="${linkTo(visit.request, themePath(id))}">${themeName(visit, item)}</a>`,
    }),
  )}
  ${text === undefined && html`<p class="quiet">${t('appearance.binary')}</p>`}
  ${base !== undefined && html`<p class="quiet">${t(adds ? 'appearance.file_adds' : 'appearance.file_of_base', { base })}</p>`}
  ${
    mayWrite
      ? declaredForm(visit, form, { item: { id, text, revision: known?.revision }, refused, hidden: { file } })
      : text !== undefined && html`<pre tabindex="0">${text}</pre>`
  }
  ${!item.shipped && known && base === undefined && html`${await earlier(visit, id, file)} ${mayRun(visit, themes.remove) && removal(visit, item, file)}`}`
  return framedReply(visit, { title: file, body }, refused)
}

/** Reads the whole text, page by page, because an answer has a limited number of lines; undefined for images and fonts. */
async function wholeText(visit: SignedIn, id: string, file: string): Promise<string | undefined> {
  const parts: string[] = []
  for (let from: number | undefined = 1; from !== undefined;) {
    const part: { readonly text: string; readonly bytes: number; readonly next?: number | undefined } = await get(
      visit,
      themes.read,
      {
        id,
        file,
        from,
      },
    )
    if (part.text === '' && part.bytes > 0 && from === 1) return undefined
    parts.push(part.text)
    from = part.next
  }
  return parts.join('\n')
}

async function earlier(visit: SignedIn, id: string, file: string): Promise<HtmlValue> {
  const { items } = await get(visit, themes.revisions, { id, file, limit: 20 })
  if (items.length < 2) return undefined
  const target = mayRun(visit, themes.write) && ({ id, file, name: 'appearance.revision' } as const)
  return html`<details class="panel">
    <summary>${visit.t('appearance.earlier_revisions')}</summary>
    ${lineList(items.slice(1).map((item) => revisionLine(visit, item, undefined, target)))}
  </details>`
}

interface Revision {
  readonly revision: number
  readonly by: string
  readonly at: string
}

/** A line about an earlier state. @param target of the button that reverts to it; false for a line without the button */
export function revisionLine(
  visit: SignedIn,
  { revision, by, at }: Revision,
  more: HtmlValue,
  target: false | { readonly id: string; readonly file?: string; readonly name: MessageKey },
): Html {
  const { t } = visit
  const number = String(revision)
  const form =
    target &&
    postForm(visit, {
      path: adminPaths.theme,
      hidden: { do: 'revert', id: target.id, file: target.file, to: revision },
      body: html`<button>
        ${t('appearance.restore')}<span class="unseen">: ${t(target.name, { revision: number })}</span>
      </button>`,
    })
  return html`<span>${t.rich('appearance.revision_line', { revision: number, by, at: shownTime(visit, at) })} ${more}</span>
    ${form}`
}

const removal = (
  visit: SignedIn,
  { id, base }: { readonly id: string; readonly base?: string | undefined },
  file: string,
): HtmlValue =>
  html`<details>
    <summary>${visit.t('appearance.remove_asks')}</summary>
    <p>${base === undefined ? visit.t('appearance.remove_help') : visit.t('appearance.remove_help_base', { base })}</p>
    ${postForm(visit, {
      path: adminPaths.theme,
      hidden: { do: 'remove', id, file },
      body: html`<button class="danger">${visit.t('appearance.remove', { file })}</button>`,
    })}
  </details>`
