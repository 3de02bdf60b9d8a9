// Cleans SVG files: the remaining markup draws, but does not run, load or link anything. The allow lists are the whole rule. The
// time for cleaning depends on the shape of a drawing, so the process for images does it (`picture-worker.ts`).

import { Failure } from '../base/failure.ts'
import { checkShape } from './drawing-shape.ts'

export const maxSvgBytes = 2 * 1024 ** 2

const shapes = 'svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc switch view'
const paint = 'linearGradient radialGradient stop pattern clipPath mask marker filter'
const filters =
  'feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence'
const allowedTags = [shapes, paint, filters].flatMap((names) => names.split(' '))

/** The form of attribute names. A list of all would be too long, so those that run or load something are excluded below. */
const attributeForm = /^[a-zA-Z][a-zA-Z0-9-]{0,40}$/
const refused =
  /^(?:on.*|style|src|srcset|action|formaction|ping|target|begin|end|from|to|by|values|attributename|base|data-.*)$/i
const references: ReadonlySet<string> = new Set(['href', 'xlink:href'])

export interface CleanedSvg {
  readonly svg: string
  readonly width: number | null
  readonly height: number | null
  /** True if anything was removed. */
  readonly changed: boolean
}

/**
 * Checks a drawing before it is parsed, in linear time.
 * @param styled true if it keeps its styles, because it is not cleaned
 * @throws Failure `unprocessable` for a drawing with a DOCTYPE, or one that costs too much; `too_large`
 */
export function checkDrawing(source: string, styled = false): void {
  if (source.length > maxSvgBytes)
    throw new Failure('too_large', `An SVG may have at most ${maxSvgBytes / 1024 ** 2} MiB.`, { limit: maxSvgBytes })
  if (/<!\s*(?:DOCTYPE|ENTITY)/i.test(source))
    throw new Failure('unprocessable', 'This SVG has a DOCTYPE, which can hold entities. Export it without one ("plain SVG").')
  checkShape(source, styled)
}

/** @throws Failure as `checkDrawing`; `unprocessable` for a text without a drawing */
export async function cleanSvg(source: string): Promise<CleanedSvg> {
  checkDrawing(source)
  const { default: sanitizeHtml } = await import('sanitize-html')
  let removed = false
  const svg = sanitizeHtml(source.replace(/^\uFEFF/, '').replace(/<\?[^<>?]{0,500}\?>/g, ''), {
    allowedTags,
    allowedAttributes: false,
    allowedSchemes: [],
    allowProtocolRelative: false,
    nonTextTags: ['script', 'style', 'foreignObject', 'iframe', 'object', 'embed', 'audio', 'video', 'metadata', 'noscript'],
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false, decodeEntities: true },
    disallowedTagsMode: 'discard',
    nestingLimit: 200,
    parseStyleAttributes: false,
    transformTags: {
      '*': (tagName, attributes) => {
        if (!allowedTags.includes(tagName)) removed = true
        const kept = Object.entries(attributes).filter(([name, value]) => isHarmless(name, value))
        if (kept.length < Object.keys(attributes).length) removed = true
        return { tagName, attribs: Object.fromEntries(kept) }
      },
    },
  }).trim()
  const root = /^<svg\b([^>]*)>/.exec(svg)
  if (!root) throw new Failure('unprocessable', 'This SVG has no drawing in it.')
  // Browsers see the cleaned drawing, and its references may differ from those of the source.
  checkShape(svg, true)
  const whole = svg.includes('xmlns=') ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
  return { svg: whole, ...sizeOf(root[1] ?? ''), changed: removed }
}

function isHarmless(name: string, value: string): boolean {
  if (name === 'xmlns') return value === 'http://www.w3.org/2000/svg'
  if (name === 'xmlns:xlink') return value === 'http://www.w3.org/1999/xlink'
  if (name === 'xml:space') return value === 'preserve' || value === 'default'
  if (references.has(name)) return /^#[\w.:-]+$/.test(value)
  if (!attributeForm.test(name) || refused.test(name)) return false
  // A value may refer only to a part of the same drawing. CSS escapes could hide a reference, so they are not allowed.
  const without = value.replace(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/g, '')
  return !/url|image|import|expression|javascript:|data:|@|\\|[<&]/i.test(without)
}

function sizeOf(attributes: string): { readonly width: number | null; readonly height: number | null } {
  const number = (pattern: RegExp) => Number(pattern.exec(attributes)?.[1] ?? NaN)
  const width = number(/\swidth="(\d{1,5}(?:\.\d{1,6})?)(?:px)?"/)
  const height = number(/\sheight="(\d{1,5}(?:\.\d{1,6})?)(?:px)?"/)
  if (width > 0 && height > 0) return { width: Math.round(width), height: Math.round(height) }
  const box = /\sviewBox="\s*-?[\d.]+[\s,]+-?[\d.]+[\s,]+(\d{1,5}(?:\.\d{1,6})?)[\s,]+(\d{1,5}(?:\.\d{1,6})?)\s*"/.exec(
    attributes,
  )
  if (!box || !(Number(box[1]) > 0) || !(Number(box[2]) > 0)) return { width: null, height: null }
  return { width: Math.max(1, Math.round(Number(box[1]))), height: Math.max(1, Math.round(Number(box[2]))) }
}
