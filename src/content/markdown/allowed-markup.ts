// The markup that a text may contain on the public site: the table behind `sanitize.ts`. Everything else is removed.

import { codeColours } from './code-languages.ts'
import { calloutKinds } from './markdown-callouts.ts'
import { sectionClasses } from '../sections/section-html.ts'

/** Elements that stay. None of them switches the parser's mode or namespace, runs a script, frames a page or submits a form. */
export const allowedTags: readonly string[] = [
  'h1 h2 h3 h4 h5 h6 p br wbr hr div span section article aside header footer ul ol li dl dt dd blockquote pre code kbd',
  'samp var address details summary em strong i b u s del ins mark small sub sup abbr cite q dfn time a img picture',
  'source figure figcaption video audio track bdi bdo ruby rt rp table caption colgroup col thead tbody tfoot tr th td',
].flatMap((names) => names.split(' '))

/** Elements that are removed with their content. Of any other element that isn't allowed, the text stays. */
export const droppedWithContent: readonly string[] = [
  'script style xmp noscript noembed noframes template plaintext title head textarea select option svg math iframe',
  'frameset object embed applet portal listing',
].flatMap((names) => names.split(' '))

const cell = ['colspan', 'rowspan', 'align', 'class']
const alignments = ['left', 'center', 'right']
const size = ['width', 'height']
const player = ['src', 'controls', 'loop', 'muted', 'preload']
const heading = ['id']
const named = ['class', 'role', 'aria-label']

/** Attributes by element; those of `*` are allowed on every element. The values of `id`, `class` and addresses are checked too. */
export const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  '*': ['title', 'lang', 'dir'],
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  a: ['href', 'hreflang', 'download', 'id', 'class', 'aria-label', 'target', 'rel'],
  img: ['src', 'srcset', 'sizes', 'alt', 'loading', 'decoding', ...size],
  source: ['src', 'srcset', 'sizes', 'type', 'media', ...size],
  video: [...player, ...size, 'poster', 'playsinline'],
  audio: player,
  track: ['src', 'kind', 'srclang', 'label', 'default'],
  th: [...cell, 'scope', 'abbr'],
  td: cell,
  col: ['span'],
  colgroup: ['span'],
  ol: ['start', 'reversed', 'type'],
  li: ['value', 'id', 'class'],
  div: [...named, 'tabindex'],
  p: ['class'],
  span: named,
  sup: ['class'],
  section: ['class', 'aria-label'],
  figure: ['class'],
  pre: ['tabindex'],
  code: ['class'],
  time: ['datetime'],
  del: ['cite', 'datetime'],
  ins: ['cite', 'datetime'],
  q: ['cite'],
  blockquote: ['cite'],
  details: ['open'],
}

/** Attributes whose value is an address. The second list is for images, sound and video, and allows fewer schemes. */
export const linkAttributes: readonly string[] = ['href', 'cite']
export const mediaAttributes: readonly string[] = ['src', 'poster']

const callouts = calloutKinds.map((kind) => `callout ${kind}`)

/** Attributes that may have certain values only, by element: the classes and roles that rendering writes, and nothing else. */
export const allowedValues: Readonly<Record<string, Readonly<Record<string, readonly string[] | RegExp>>>> = {
  class: {
    code: /^language-[\p{L}\p{N}+#._-]{1,40}$/u,
    span: ['task', 'task done', ...codeColours.map((colour) => `code-${colour}`)],
    div: ['table', ...sectionClasses.div, ...callouts],
    p: ['callout-title', ...sectionClasses.p],
    figure: ['embed', ...sectionClasses.figure],
    section: sectionClasses.section,
    sup: ['footnote'],
    a: ['back', ...sectionClasses.a],
    li: ['task'],
    th: alignments,
    td: alignments,
  },
  role: { div: ['note', 'group'], span: ['img'] },
  tabindex: { div: ['0'], pre: ['0'] },
  align: { th: alignments, td: alignments },
  target: { a: ['_blank'] },
  rel: { a: /^(?:noopener|noreferrer|noopener noreferrer)$/ },
}

/** Elements that are useless without an address. */
export const needsSource: readonly string[] = ['img', 'source', 'track']

/**
 * The elements of a formula, and the values of their attributes, for markup that `formulas.ts` has made. None of them holds HTML,
 * and lengths are short, so that a formula stays at its place.
 */
export const formulaTags: readonly string[] =
  'math semantics annotation mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd mstyle mpadded mphantom menclose'.split(
    ' ',
  )

const yesOrNo = /^(?:true|false)$/
const length = /^(?:\d(?:\.\d{1,6})?|-0(?:\.\d{1,6})?)(?:em|ex|px|pt)?$/

export const formulaValues: Readonly<Record<string, RegExp>> = {
  display: /^block$/,
  displaystyle: yesOrNo,
  scriptlevel: /^[0-3]$/,
  mathvariant: /^normal$/,
  encoding: /^application\/x-tex$/,
  accent: yesOrNo,
  accentunder: yesOrNo,
  fence: yesOrNo,
  form: /^(?:prefix|infix|postfix)$/,
  movablelimits: yesOrNo,
  separator: yesOrNo,
  stretchy: yesOrNo,
  symmetric: yesOrNo,
  largeop: yesOrNo,
  linethickness: length,
  lspace: length,
  rspace: length,
  minsize: length,
  maxsize: length,
  width: length,
  height: length,
  depth: length,
  columnspan: /^\d{1,2}$/,
  notation: /^(?:bottom|top|left|right)$/,
  class: /^tml-(?:left|right|underline)$/,
}
