// Paragraphs that consist of one thing. An image with a title becomes a figure with a caption. A link to audio or video of the site
// becomes a player. The bare address of a known video or map becomes an embed, which is a link until the public page is rendered
// (`embeds.ts`). @mdit/plugin-figure supports only the first of the three, and makes every such image focusable.

import type MarkdownIt from 'markdown-it'
import type { StateCore, Token } from 'markdown-it'
import { findEmbed } from './embeds.ts'
import { escapeHtml } from './escape-html.ts'
import type { RenderState } from './markdown-state.ts'
import { type Piece, smarten } from './smart-punctuation.ts'

export function addFigures(parser: MarkdownIt): void {
  parser.core.ruler.after('linkify', 'postern_figures', makeFigures)
  parser.renderer.rules['caption'] = (tokens, index) => `<figcaption>${escapeHtml(tokens[index]?.content ?? '')}</figcaption>`
  parser.renderer.rules['player'] = (tokens, index) => playerHtml(tokens[index]?.meta as Player)
}

function makeFigures(state: StateCore): void {
  const env = state.env as RenderState
  state.tokens.forEach((open, index) => {
    const [inline, close] = [state.tokens[index + 1], state.tokens[index + 2]]
    if (open.type !== 'paragraph_open' || open.hidden || !inline?.children || !close || inline.children.length > 5) return
    const figure = figureOf(state, inline.children, env)
    if (figure === undefined) return
    open.tag = close.tag = 'figure'
    if (figure.className !== undefined) open.attrs = [['class', figure.className]]
    inline.children = [...figure.children]
  })
}

interface Figure {
  readonly children: readonly Token[]
  readonly className?: string
}

function figureOf(state: StateCore, all: readonly Token[], env: RenderState): Figure | undefined {
  const children = all.filter(({ type, content }) => type !== 'text' || content.trim() !== '')
  const [first, second, third] = children
  if (children.length === 1 && first?.type === 'image') return imageFigure(state, first, [first], env)
  if (children.length !== 3 || first?.type !== 'link_open' || third?.type !== 'link_close' || !second) return undefined
  if (second.type === 'image') return imageFigure(state, second, [first, second, third], env)
  return second.type === 'text' ? linkFigure(state, first, second.content, children, env) : undefined
}

function imageFigure(state: StateCore, image: Token, shown: readonly Token[], env: RenderState): Figure | undefined {
  const title = image.attrGet('title')
  const kind = kindOf(image.attrGet('src') ?? '', env)
  if (kind !== undefined)
    return playerFigure(state, { kind, src: image.attrGet('src') ?? '', name: title || altOf(state, image) })
  if (!title) return undefined
  image.attrs = (image.attrs ?? []).filter(([name]) => name !== 'title')
  const caption = new state.Token('caption', '', 0)
  const pieces: readonly Piece[] = [{ text: title }]
  caption.content = smarten(pieces, env.typography)[0] ?? title
  return { children: [...shown, caption] }
}

const altOf = ({ md, env }: StateCore, { children }: Token): string =>
  md.renderer.renderInlineAsText(children ?? [], md.options, env as RenderState)

function linkFigure(
  state: StateCore,
  link: Token,
  text: string,
  children: readonly Token[],
  env: RenderState,
): Figure | undefined {
  const href = link.attrGet('href') ?? ''
  const bare = link.markup === 'linkify' || link.markup === 'autolink'
  const kind = kindOf(href, env)
  if (kind !== undefined) return playerFigure(state, { kind, src: href, name: bare ? '' : text })
  return bare && findEmbed(href) !== undefined ? { children, className: 'embed' } : undefined
}

interface Player {
  readonly kind: 'video' | 'audio'
  readonly src: string
  /** The text of the link, which becomes the caption. */
  readonly name: string
}

const extensions: Readonly<Record<Player['kind'], RegExp>> = {
  video: /\.(?:mp4|m4v|webm|ogv|mov)$/i,
  audio: /\.(?:mp3|m4a|ogg|oga|opus|wav|flac|aac)$/i,
}

/** Returns the player for a file of the site; undefined for other sites, from which nothing is loaded without a click. */
function kindOf(address: string, { origin }: RenderState): Player['kind'] | undefined {
  const own = origin !== undefined && address.startsWith(`${origin}/`) ? address.slice(origin.length) : address
  if (/^[a-z][a-z0-9+.-]{0,30}:|^[\\/]{2}/i.test(own)) return undefined
  const path = own.split(/[?#]/, 1)[0] ?? ''
  return (['video', 'audio'] as const).find((kind) => extensions[kind].test(path))
}

function playerFigure(state: StateCore, player: Player): Figure {
  const token = new state.Token('player', '', 0)
  token.meta = player
  return { children: [token] }
}

/** The player contains a link, for browsers that can't play the file. */
function playerHtml({ kind, src, name }: Player): string {
  const file = src.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? src
  const link = `<a href="${escapeHtml(src)}">${escapeHtml(name || file)}</a>`
  const caption = name === '' ? '' : `<figcaption>${escapeHtml(name)}</figcaption>`
  return `<${kind} src="${escapeHtml(src)}" controls preload="metadata">${link}</${kind}>${caption}`
}
