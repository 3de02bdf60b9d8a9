// What a job is: what somebody asks of an assistant, the calls of one who knows nothing of the site, and what is true afterwards.

import assert from 'node:assert/strict'
import type { TestSite } from '../../site.ts'
import type { Conversation } from './conversation.ts'

export interface Job {
  readonly name: string
  /** What it took when it was first measured. */
  readonly before: { readonly calls: number; readonly failed: number; readonly tokens: number }
  /** The most that the conversation may read, in tokens of four characters. */
  readonly tokens: number
  /** Why the limit isn't kept yet, or an answer doesn't say what it should. */
  readonly todo?: string
  /** What there is before somebody asks. */
  readonly given?: (site: TestSite) => Promise<void>
  /** The token of the conversation, if it isn't the owner's. */
  readonly token?: (site: TestSite) => Promise<string>
  /** The conversation, with a look at the outcome at its end. */
  readonly walk: (chat: Conversation, site: TestSite) => Promise<void>
  /** What visitors, or the owner, find afterwards. */
  readonly outcome: (site: TestSite) => Promise<void>
}

/** The page that visitors get at a path, which must be there. */
export async function visit(site: TestSite, path: string): Promise<string> {
  const answer = await site.send(path, { token: null })
  assert.equal(answer.status, 200, `visitors get ${path}`)
  return answer.text
}

/** Makes published pages: titles with their texts. */
export async function pages(site: TestSite, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [title, body] of Object.entries(texts)) {
    await site.call('SVC_Content.create', { type: 'page', title, body, status: 'published' })
  }
}
