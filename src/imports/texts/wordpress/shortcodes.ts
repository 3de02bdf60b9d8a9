// The shortcodes of a WordPress text: a table from their names to their rules. Unknown ones stay as text, and are listed.

import { type Node } from '../../../content/from-html/tree.ts'
import { markerOf } from '../read-tree.ts'
import { findShortcodes, shortcodeValues, type ShortcodeTag } from './find-shortcodes.ts'
import { builderNodes, isOfBuilder } from './shortcode-builders.ts'
import { captionShortcode } from './shortcode-caption.ts'
import { codeNodes } from './shortcode-code.ts'
import { embedShortcode } from './shortcode-embed.ts'
import { galleryShortcode } from './shortcode-gallery.ts'
import { playerShortcode, playlistShortcode } from './shortcode-players.ts'
import type { ShortcodeRule, WordPressContext } from './shortcode.ts'

const ofPages =
  'embed youtube vimeo dailymotion ted gist googlemaps soundcloud spotify tweet twitter instagram facebook tiktok slideshare scribd wpvideo'

const rules: Readonly<Record<string, ShortcodeRule>> = {
  caption: captionShortcode,
  wp_caption: captionShortcode,
  gallery: galleryShortcode,
  audio: playerShortcode('audio'),
  video: playerShortcode('video'),
  playlist: playlistShortcode,
  ...Object.fromEntries(ofPages.split(' ').map((name) => [name, embedShortcode])),
}

const forms =
  /^(?:contact-form(?:-7)?|contact-field|wpforms|gravityforms?|ninja_forms?|formidable|caldera_form|mc4wp_form|fluentform|forminator_form|everest_form|happyforms|cf7|hf_form)$/i

/** Puts markers in place of the shortcodes, and returns what they stand for. @param made has parts of the text already */
export function putShortcodes(source: string, made: (readonly Node[])[], context: WordPressContext): string {
  const tags = findShortcodes(source)
  if (tags.length === 0) return source
  const ends = endsOf(tags)
  const parts: string[] = []
  let from = 0
  for (let index = 0; index < tags.length; index++) {
    const tag = tags[index] as ShortcodeTag
    const end = ends.get(index)
    const { text, nodes, isWhole } = written(source, tag, end === undefined ? undefined : tags[end], context)
    if (text === undefined && nodes === undefined) continue
    parts.push(source.slice(from, tag.from))
    if (nodes) parts.push(markerOf(made.push(nodes) - 1))
    if (text !== undefined) parts.push(text)
    from = isWhole && end !== undefined ? (tags[end]?.to ?? tag.to) : tag.to
    if (isWhole && end !== undefined) index = end
  }
  return [...parts, source.slice(from)].join('')
}

interface Written {
  readonly text?: string
  readonly nodes?: readonly Node[]
  /** True if the shortcode was taken with its content and end. */
  readonly isWhole?: boolean
}

function written(source: string, tag: ShortcodeTag, end: ShortcodeTag | undefined, context: WordPressContext): Written {
  const { name, isEnd, isLiteral, inner, code } = tag
  if (isLiteral) return { text: source.slice(tag.from + 1, tag.to - 1) }
  const isKnown = Object.hasOwn(rules, name)
  if (!isEnd && (code !== undefined || isKnown || isOfBuilder(name))) context.state.count('shortcode', `[${name}]`)
  if (code !== undefined) return { nodes: codeNodes(tag) }
  if (isOfBuilder(name)) {
    const nodes = isEnd ? [] : builderNodes({ name, values: shortcodeValues(inner) }, context)
    return nodes.length === 0 ? { text: '\n\n' } : { nodes }
  }
  if (isEnd) return {}
  if (!isKnown) {
    tell(source, tag, end, context)
    return {}
  }
  const content = end && source.slice(tag.to, end.from)
  const nodes = rules[name]?.({ name, values: shortcodeValues(inner), content }, context)
  return nodes ? { nodes, isWhole: true } : {}
}

/** Lists a shortcode that stays as text. A word in brackets is none. */
function tell(
  source: string,
  { name, inner, from, to }: ShortcodeTag,
  end: ShortcodeTag | undefined,
  { state }: WordPressContext,
): void {
  const isForm = forms.test(name)
  const isAlone =
    /(?:^|[\n>])[ \t]*$/.test(source.slice(Math.max(0, from - 40), from)) && /^[ \t]*(?:$|[\n<])/.test(source.slice(to, to + 40))
  const isShortcode =
    isForm || end !== undefined || /[\w-]\s*=/.test(inner) || /[_-]/.test(name) || (isAlone && /^[a-z]/.test(name))
  if (isForm || isShortcode) state.count('shortcode', `[${name}]`)
  if (isForm) state.lose('form', `[${name}]`, 'A form of a plugin stays as text. A form of this site can take its place.')
  else if (isShortcode) state.lose('shortcode', `[${name}]`, 'It is unknown here, and stays as text.')
}

/** The ends of shortcodes by their beginnings. Of two beginnings before one end, the second has it. */
function endsOf(tags: readonly ShortcodeTag[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const next = new Map<string, number>()
  for (let index = tags.length - 1; index >= 0; index--) {
    const { name, isEnd, isLiteral } = tags[index] as ShortcodeTag
    if (isLiteral) continue
    const following = next.get(name)
    if (!isEnd && following !== undefined && tags[following]?.isEnd) ends.set(index, following)
    next.set(name, index)
  }
  return ends
}
