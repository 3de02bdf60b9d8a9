// The reusable blocks of WXR. Texts show them by their ids; one that no text shows is named, because no visitor would see it.

import type { ImportLoss, ImportPart } from '../../stream.ts'

export interface SnippetCollection {
  add(id: string, title: string): void
  /** Notes the blocks that a part shows. WordPress writes the id first. */
  note(part: ImportPart): void
  /** Returns those that nothing shows. Only the end of the last file tells. */
  unused(): readonly ImportLoss[]
}

const maxKept = 5000

export function createSnippets(): SnippetCollection {
  const titles = new Map<string, string>()
  const shown = new Set<string>()
  return {
    add(id, title) {
      if (titles.size < maxKept) titles.set(id, title)
    },
    note(part) {
      if ((part.kind !== 'entry' && part.kind !== 'snippet') || !part.text.source.includes('wp:block ')) return
      for (const [, id = ''] of part.text.source.matchAll(/wp:block \{"ref":(\d{1,20})/g)) if (shown.size < maxKept) shown.add(id)
    },
    unused: () =>
      [...titles]
        .filter(([id]) => !shown.has(id))
        .map(([id, title]) => ({
          kind: 'loss',
          group: 'text',
          name: 'reusable block',
          reason: 'no text shows it',
          where: title || `item ${id}`,
        })),
  }
}
