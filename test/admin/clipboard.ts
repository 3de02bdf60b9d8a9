// The clipboard of somebody who pastes into the editor, as a browser hands it to a page.

import type { Page } from 'playwright-core'

export interface Copied {
  readonly html?: string
  readonly plain?: string
  /** Pictures beside the text, in base64. */
  readonly files?: readonly { readonly name: string; readonly type: string; readonly base64: string }[]
}

/** Pastes at the caret of the field that has the focus. */
export async function paste(page: Page, copied: Copied): Promise<void> {
  await page.evaluate(`(${pasteThere})(${JSON.stringify(copied)})`)
}

/** Runs in the page. */
const pasteThere = `({ html, plain, files }) => {
  const data = new DataTransfer()
  if (html !== undefined) data.setData('text/html', html)
  if (plain !== undefined) data.setData('text/plain', plain)
  for (const { name, type, base64 } of files ?? []) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    data.items.add(new File([bytes], name, { type }))
  }
  const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
  document.activeElement.dispatchEvent(event)
}`

/** Copies to the clipboard of the system, which the browser must allow. */
export async function copy(page: Page, { html = '', plain = '' }: Copied): Promise<void> {
  const types = JSON.stringify({ 'text/html': html, 'text/plain': plain })
  await page.evaluate(`(async (texts) => {
    const blobs = Object.entries(texts).map(([type, text]) => [type, new Blob([text], { type })])
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
  })(${types})`)
}
