// The common part of SVC_Content.preview and SVC_Themes.preview: the row of a link, and its address.

import { Type } from 'typebox'
import { previewPath } from '../../content/entries/previews.ts'
import { type NewPreview, putPreview } from '../../identity/preview-store.ts'
import { type LinkKind, sealLink } from '../../identity/signed-link.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { previewFolder } from '../../themes/preview-address.ts'
import type { WriteContext } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'

export const linkOutput = Type.Object({
  id: Type.String({ description: 'Ends the link: `SVC_Content.end-preview`.' }),
  url: Type.String({
    description:
      'Shows the page to anyone who has the link, until `expires_at`, while your token, app or account keeps its rights.',
  }),
  expires_at: Type.String(),
  ...writeProperties,
})

const folders = { preview: previewPath, theme: `${previewFolder}/` } as const satisfies Partial<Record<LinkKind, string>>

/** Makes a link. The preview in the editor reuses one link, and only its first state is recorded. */
export async function makeLink(context: WriteContext, kind: keyof typeof folders, shown: NewPreview) {
  const { site, origin, caller, now, db } = context
  const { until } = shown
  const { id, known } = await putPreview(db, caller, shown, { now, live: context.autosave === true })
  if (known) context.ran({ class: 'SVC_Content', name: 'preview', tier: 'content', effect: 'read' })
  const token = sealLink(site.key, kind, { id, until, origin }, caller)
  const answered = { expires_at: formatDate(until), warnings: [], activity_id: null }
  return { id, url: `${origin}${folders[kind]}${token}`, ...answered }
}
