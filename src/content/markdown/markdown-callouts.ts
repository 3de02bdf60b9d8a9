// Callouts: a quotation that begins with `[!NOTE]`, optionally followed by a title. The five kinds are those of GitHub.
// @mdit/plugin-alert supports no title and does not report unknown kinds to the writer.

import type MarkdownIt from 'markdown-it'
import type { StateCore, Token } from 'markdown-it'
import { notice, type RenderState, shown } from './markdown-state.ts'

export const calloutKinds = ['note', 'tip', 'important', 'warning', 'caution'] as const
type CalloutKind = (typeof calloutKinds)[number]

const isKind = (text: string): text is CalloutKind => (calloutKinds as readonly string[]).includes(text)

export function addCallouts(parser: MarkdownIt): void {
  parser.core.ruler.after('block', 'postern_callouts', makeCallouts)
}

/** Turns such quotations into `<div class="callout note">`, before their texts are parsed. */
function makeCallouts(state: StateCore): void {
  const env = state.env as RenderState
  const open: (Token | undefined)[] = []
  const tokens: Token[] = []
  for (let index = 0; index < state.tokens.length; index++) {
    const token = state.tokens[index] as Token
    tokens.push(token)
    if (token.type === 'blockquote_close') {
      if (open.pop() !== undefined) token.tag = 'div'
    } else if (token.type === 'blockquote_open') {
      const head = headOf(state.tokens[index + 1], state.tokens[index + 2], env)
      open.push(head && token)
      if (head === undefined) continue
      token.tag = 'div'
      token.attrs = [
        ['class', `callout ${head.kind}`],
        ['role', 'note'],
      ]
      tokens.push(...titled(state, head, state.tokens.slice(index + 1, index + 4)))
      index += 3
    }
  }
  state.tokens = tokens
}

/** The first line of a callout, and the rest of its paragraph. */
interface Head {
  readonly kind: CalloutKind
  readonly title: string
  readonly rest: string
}

function headOf(paragraph: Token | undefined, inline: Token | undefined, env: RenderState): Head | undefined {
  if (paragraph?.type !== 'paragraph_open' || !inline?.content.startsWith('[!')) return undefined
  const [first = '', ...rest] = inline.content.split('\n')
  const found = /^\[!([A-Za-z]{1,20})\](?:[ \t]+([^ \t].*))?$/.exec(first.trimEnd())
  const kind = found?.[1]?.toLowerCase() ?? ''
  if (isKind(kind)) return { kind, title: found?.[2] ?? env.words[kind], rest: rest.join('\n') }
  const kinds = calloutKinds.map((one) => `[!${one.toUpperCase()}]`).join(', ')
  notice(
    env,
    (inline.map?.[0] ?? 0) + 1,
    `“${shown(first)}” begins no callout, so this stays a quotation. The kinds are ${kinds}.`,
  )
  return undefined
}

/** Splits a paragraph into one for the title and one for the rest. */
function titled(state: StateCore, { title, rest }: Head, [open, inline, close]: readonly Token[]): readonly Token[] {
  if (!open || !inline || !close) return []
  const copy = (token: Token): Token => Object.assign(new state.Token(token.type, token.tag, token.nesting), token)
  const heading = [open, inline, close].map(copy)
  const [first, text] = heading
  if (first && text) {
    first.attrs = [['class', 'callout-title']]
    text.content = title
    text.children = []
  }
  if (rest === '') return heading
  inline.content = rest
  const line = inline.map?.[0] ?? 0
  inline.map = [line + 1, inline.map?.[1] ?? line + 2]
  return [...heading, open, inline, close]
}
