// The status of an entry as badges: its status, and whether changes wait to be published.

import { html, type Html } from '../../doors/html.ts'

interface Status {
  readonly label: string
  readonly tone?: 'good' | 'warn'
}

/** Every status in the words of the admin. */
export const statusWords: Readonly<Record<string, Status>> = {
  published: { label: 'Published', tone: 'good' },
  scheduled: { label: 'Scheduled', tone: 'warn' },
  draft: { label: 'Draft' },
  private: { label: 'Private' },
  trash: { label: 'In the trash' },
}

export function statusBadges({ status, staged }: { readonly status: string; readonly staged?: boolean | undefined }): Html {
  const { label, tone } = statusWords[status] ?? { label: status }
  return html`<span class="badge${tone === undefined ? '' : ` ${tone}`}">${label}</span>${
      staged === true && html` <span class="badge warn">Changes waiting</span>`
    }`
}
