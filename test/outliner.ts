// The sections of a text as the renderer's thread finds them, found in this process.

import { createMarkdown } from '../src/content/markdown/markdown.ts'
import { createOutliner, type Outliner } from '../src/content/markdown/outline.ts'

export async function openOutliner(): Promise<Outliner> {
  return createOutliner(await createMarkdown())
}
