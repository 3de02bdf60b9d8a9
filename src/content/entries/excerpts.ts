// The summaries of entries, for lists, feeds and metadata: the writer's excerpt, else the beginning of the text. Both are Markdown
// and are shown as plain text. Each summary is made once per revision.

import { createByteCache } from '../../store/core/byte-cache.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import type { CacheCounts } from '../../base/metrics.ts'
import { Failure } from '../../base/failure.ts'
import type { Renderer, SummarySource } from '../markdown/render.ts'

/** The parts of an entry that its summary depends on. */
export type Summarized = Pick<EntryRow, 'id' | 'revision' | 'excerpt' | 'body' | 'locale'>

/** `whole` is false if the renderer couldn't make some of them. Those are empty, and the next request tries again. */
export interface Summaries {
  readonly texts: readonly string[]
  readonly whole: boolean
}

export interface Excerpts {
  /** The summaries of these entries, in their order. @param language the site's, for entries without a language */
  of(entries: readonly Summarized[], language: string): Promise<Summaries>
  /** Converts a writer's excerpt or description to plain text on one line; empty if the renderer couldn't read it. */
  given(text: string, language: string): Promise<string>
  /** Converts Markdown texts to one line of plain text each, uncached. A text that can't be rendered in time is empty. */
  plain(texts: readonly Pick<SummarySource, 'text' | 'language'>[]): Promise<readonly string[]>
}

const maxBytes = 8 * 1024 ** 2

export function createExcerpts(renderer: Pick<Renderer, 'summaries'>, counts?: CacheCounts): Excerpts {
  const kept = createByteCache<string>({ maxBytes, sizeOf: (text, key) => 200 + 2 * (text.length + key.length), counts })
  return {
    async of(entries, language) {
      const keyed = entries.map((entry) => ({ entry, key: `${entry.id} ${entry.revision} ${languageOf(entry, language)}` }))
      const missing = keyed.filter(({ key }) => kept.get(key) === undefined)
      const made = await make(missing.map(({ entry }) => sourceOf(entry, language)))
      const fresh = new Map(missing.map(({ key }, index) => [key, made[index]]))
      for (const [key, text] of fresh) await keep(key, text)
      const texts = keyed.map(({ key }) => kept.get(key) ?? fresh.get(key))
      return { texts: texts.map((text) => text ?? ''), whole: !texts.includes(undefined) }
    },
    async given(text, language) {
      const key = `${language} ${text}`
      const [made] = kept.get(key) === undefined ? await make([{ text, whole: true, language }]) : []
      await keep(key, made)
      return kept.get(key) ?? made ?? ''
    },
    plain: async (texts) =>
      (await make(texts.map(({ text, language }) => ({ text, language, whole: true })))).map((text) => text ?? ''),
  }

  async function keep(key: string, text: string | undefined): Promise<void> {
    if (text !== undefined) await kept.load(key, async () => text)
  }

  /** Renders all texts at once. If that fails, it renders them one by one, so that one bad text does not affect the others. */
  async function make(sources: readonly SummarySource[]): Promise<readonly (string | undefined)[]> {
    if (sources.length === 0) return []
    try {
      return await renderer.summaries(sources)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (sources.length === 1) return [undefined]
      const texts: (string | undefined)[] = []
      for (const source of sources) texts.push(...(await make([source])))
      return texts
    }
  }
}

const languageOf = ({ locale }: Summarized, language: string): string => locale ?? language

function sourceOf(entry: Summarized, language: string): SummarySource {
  const { excerpt, body } = entry
  return { text: excerpt ?? body, whole: excerpt !== null, language: languageOf(entry, language) }
}
