// The kinds of sections in the language of the page, for the dialogs of the editor.

import { sectionKinds, type SectionKind, type SectionName } from '../../content/sections/kinds.ts'
import type { Reply } from '../../http/reply.ts'
import { dataReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'

/** GET. Answers the kinds, with the fields of their forms. */
export function listSections(visit: SignedIn): Promise<Reply> {
  const { t } = visit
  const items = Object.entries(sectionKinds as Readonly<Record<SectionName, SectionKind>>).map(([kind, row]) => ({
    kind,
    title: t(`sections.${kind as SectionName}`),
    within: row.within,
    example: row.example,
    fields: Object.entries(row.attributes).map(([name, { type, choices, from = 1, to = 0 }]) => ({
      name,
      label: t(`sections.attribute_${name as AttributeName}`),
      type,
      choices: choices ?? Array.from({ length: to - from + 1 }, (_, place) => String(from + place)),
    })),
  }))
  return Promise.resolve(dataReply(visit, 200, { items }))
}

/** All names of attributes. */
type AttributeName = { [K in SectionName]: keyof (typeof sectionKinds)[K]['attributes'] }[SectionName]
