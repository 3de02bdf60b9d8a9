// One file of a theme: its editable text and its earlier revisions.

import { themes } from '../../actions/classes/svc-themes/index.ts'
import { html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { addsToBase } from '../../themes/over-base.ts'
import { formStatus } from '../failure.ts'
import type { Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { areaField, faultBox } from '../parts/fields.ts'
import { faultsOf, postForm } from '../parts/post-form.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { themeName, themePath } from './themes-page.ts'

export const filePath = (id: string, file: string): string => `${themePath(id)}&file=${encodeURIComponent(file)}`

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

/** The file as it is, or with the values of a refused form. */
export async function fileReply(visit: SignedIn, id: string, file: string, { failure, fields }: View = {}): Promise<Reply> {
  const { t } = visit
  const { item } = await get(visit, themes.get, { id })
  const known = item.files.find((one) => one.file === file)
  const { base } = known ?? {}
  const adds = base !== undefined && addsToBase(file)
  const text = adds || (known === undefined && failure) ? '' : await wholeText(visit, id, file)
  const mayWrite = !item.shipped && text !== undefined && mayRun(visit, themes.write)
  const faults = faultsOf(t, failure, ['text'])
  const body = html`${pageHead(
    file,
    t.rich('appearance.a_file_of', {
      theme: html`<a href="${linkTo(visit.request, themePath(id))}">${themeName(visit, item)}</a>`,
    }),
  )}
  ${faultBox(faults.all)} ${text === undefined && html`<p class="quiet">${t('appearance.binary')}</p>`}
  ${base !== undefined && html`<p class="quiet">${t(adds ? 'appearance.file_adds' : 'appearance.file_of_base', { base })}</p>`}
  ${
    mayWrite
      ? postForm(visit, {
          path: adminPaths.theme,
          purpose: 'theme',
          hidden: { do: 'write', id, file, revision: fields?.get('revision') ?? known?.revision ?? undefined },
          body: html`${areaField({ name: 'text', label: t('appearance.text'), value: fields?.get('text') ?? text, rows: 28, code: true, fault: faults.at('text') })}
            <p class="actions"><button class="primary">${t('appearance.save')}</button></p>`,
        })
      : text !== undefined && html`<pre tabindex="0">${text}</pre>`
  }
  ${!item.shipped && known && base === undefined && html`${await earlier(visit, id, file)} ${mayRun(visit, themes.remove) && removal(visit, item, file)}`}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: file, body, kind: 'wide' }))
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
  const { t } = visit
  const { items } = await get(visit, themes.revisions, { id, file, limit: 20 })
  if (items.length < 2) return undefined
  return html`<details class="panel">
    <summary>${t('appearance.earlier_revisions')}</summary>
    <ul class="lines">
      ${items.slice(1).map(
        ({ revision, by, at }) =>
          html`<li>
            <span>${t.rich('appearance.revision_line', { revision: String(revision), by, at: shownTime(visit, at) })}</span>
            ${
              mayRun(visit, themes.write) &&
              postForm(visit, {
                path: adminPaths.theme,
                purpose: 'theme',
                hidden: { do: 'revert', id, file, to: revision },
                body: html`<button>
                  ${t('appearance.bring_back')}<span class="unseen"
                    >: ${t('appearance.revision', { revision: String(revision) })}</span
                  >
                </button>`,
              })
            }
          </li>`,
      )}
    </ul>
  </details>`
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
      purpose: 'theme',
      hidden: { do: 'remove', id, file },
      body: html`<button class="danger">${visit.t('appearance.remove', { file })}</button>`,
    })}
  </details>`
