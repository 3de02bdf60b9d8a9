// The status of an entry as badges, with a badge for changes that wait to be published.

import { html, type Html } from '../../doors/shared/html.ts'
import type { MessageKey, Words } from '../words.ts'

interface Status {
  readonly label: MessageKey
  readonly tone?: 'good' | 'warn'
}

/** Every status in words. */
const statuses: Readonly<Record<string, Status>> = {
  published: { label: 'content.status_published', tone: 'good' },
  scheduled: { label: 'content.status_scheduled', tone: 'warn' },
  draft: { label: 'content.status_draft' },
  private: { label: 'content.status_private' },
  trash: { label: 'content.status_trash' },
}

export function statusWord(t: Words, status: string): string {
  const label = statuses[status]?.label
  return label ? t(label) : status
}

interface Badged {
  readonly status: string
  readonly staged?: boolean | undefined
  readonly has_password?: boolean | undefined
}

export function statusBadges(t: Words, { status, staged, has_password: hasPassword }: Badged): Html {
  const tone = statuses[status]?.tone
  return html`<span class="badge${tone === undefined ? '' : ` ${tone}`}">${statusWord(t, status)}</span>${
      staged === true && html` <span class="badge warn">${t('content.changes_waiting')}</span>`
    }${hasPassword === true && html` <span class="badge">${t('content.with_password')}</span>`}`
}
