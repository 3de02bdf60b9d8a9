// The blocks of a WordPress text: a table from their names to their rules. Blocks without a row are their HTML.

import type { Node } from '../../../content/from-html/tree.ts'
import type { BlockContext, BlockRule } from './block-rule.ts'
import { buttonBlock, columnsBlock, coverBlock, mediaTextBlock } from './block-columns.ts'
import { embedBlock, fileBlock, galleryBlock, imageBlock, listBlock, socialLinkBlock } from './block-media.ts'
import { classicBlock, codeBlockRule, reusableBlock, verseBlock } from './block-text.ts'
import type { WordPressBlock } from './block-tree.ts'

const nothing: BlockRule = () => []

const rules: Readonly<Record<string, BlockRule>> = {
  'core/columns': columnsBlock,
  'core/button': buttonBlock,
  'core/cover': coverBlock,
  'core/media-text': mediaTextBlock,
  'core/image': imageBlock,
  'core/gallery': galleryBlock,
  'jetpack/tiled-gallery': galleryBlock,
  'jetpack/slideshow': galleryBlock,
  'core/embed': embedBlock,
  'core/file': fileBlock,
  'core/social-links': listBlock,
  'core/social-link': socialLinkBlock,
  'core/verse': verseBlock,
  'core/block': reusableBlock,
  'core/freeform': classicBlock,
  'core/shortcode': classicBlock,
  'core/spacer': nothing,
  'core/nextpage': nothing,
  // The notes are put at the end of the text.
  'core/footnotes': nothing,
  'syntaxhighlighter/code': codeBlockRule,
  'kevinbatdorf/code-block-pro': codeBlockRule,
  'enlighter/codeblock': codeBlockRule,
}

/** Blocks of WordPress that are made with the page, and whose HTML, if there is any, is only a template. */
const dynamic: ReadonlySet<string> = new Set(
  [
    'archives avatar calendar categories comments comments-title comment-template comment-author-name comment-content comment-date',
    'comment-edit-link comment-reply-link comments-pagination home-link latest-comments latest-posts loginout navigation',
    'navigation-link navigation-submenu page-list page-list-item pattern post-author post-author-biography post-author-name',
    'post-comments post-comments-form post-content post-date post-excerpt post-featured-image post-navigation-link post-template',
    'post-terms post-title query query-no-results query-pagination query-title read-more rss search site-logo site-tagline',
    'site-title tag-cloud template-part term-description widget-group legacy-widget',
  ]
    .flatMap((names) => names.split(' '))
    .map((name) => `core/${name}`),
)

export function convertBlock(block: WordPressBlock, context: BlockContext): readonly Node[] {
  const { name, isEmpty } = block
  const shown = `wp:${name.replace(/^core\//, '')}`
  context.state.count('block', shown)
  const rule = name.startsWith('core-embed/') ? embedBlock : Object.hasOwn(rules, name) ? rules[name] : undefined
  if (rule) return rule(block, context)
  if (isEmpty || dynamic.has(name)) {
    context.state.lose('block', shown, 'The old site made it with the page, so that the text holds none of it: it is left out.')
    return []
  }
  return context.nodesOf(block)
}
