// Cleans any HTML so that it is safe on the public site, and lists the removed markup, for a warning to the writer.
// `allowed-markup.ts` has the allowed markup. sanitize-html enforces that table; the pass here reports and tidies.
import type { Attributes, IOptions } from 'sanitize-html'
import {
  allowedAttributes,
  allowedTags,
  allowedValues,
  droppedWithContent,
  formulaTags,
  formulaValues,
  linkAttributes,
  mediaAttributes,
  needsSource,
} from './allowed-markup.ts'
import { headingIdPrefix } from './heading-id.ts'
import { checkUrl, linkSchemes, mediaSchemes } from './safe-url.ts'

/** Cleaned HTML, and the names of removed markup: `<script>`, `style attribute`, `javascript: link`; each once, at most twenty. */
export interface Sanitized {
  readonly html: string
  readonly removed: readonly string[]
}

/** Loads the sanitizer, so the first call takes a moment. */
export async function createSanitizer(): Promise<(html: string) => Sanitized> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  return (html) => {
    const removed = new Removed()
    let clean = sanitizeHtml(html, options(removed))
    // Removing an element may change how its content is parsed: `<p><x><table>` has another meaning without the x.
    for (let pass = 1, before = html; pass < maxPasses && removed.list().length > 0 && clean !== before; pass++) {
      before = clean
      clean = sanitizeHtml(before, options(removed))
    }
    return { html: clean, removed: removed.list() }
  }
}

/** Loads the sanitizer of MathML, for markup that `formulas.ts` has made. Its table is narrow, and never applies to a text. */
export async function createFormulaSanitizer(): Promise<(html: string) => string> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  const cleaning: IOptions = {
    allowedTags: [...formulaTags],
    allowedAttributes: { '*': Object.keys(formulaValues) },
    nonTextTags: [...droppedWithContent].filter((tag) => tag !== 'math'),
    parseStyleAttributes: false,
    nestingLimit: maxNesting,
    transformTags: {
      '*': (tagName, attribs) => ({
        tagName,
        attribs: Object.fromEntries(
          Object.entries(attribs).filter(
            ([name, value]) => Object.hasOwn(formulaValues, name) && formulaValues[name]?.test(value),
          ),
        ),
      }),
    },
  }
  return (html) => sanitizeHtml(html, cleaning)
}

/** The most passes. Two were enough for every known text. The result is safe after each pass, but may change again in the next. */
const maxPasses = 4
const maxTold = 20
const maxNesting = 256

/** The names of removed markup, shortened so that a hostile name can't flood or deface an answer. */
class Removed {
  readonly #names = new Set<string>()

  add(name: string): void {
    if (this.#names.size < maxTold) this.#names.add(name.replace(/[^\x20-\x7e]/g, '?').slice(0, 48))
  }

  list(): readonly string[] {
    return [...this.#names]
  }
}

function options(removed: Removed): IOptions {
  return {
    allowedTags: [...allowedTags],
    allowedAttributes: Object.fromEntries(Object.entries(allowedAttributes).map(([tag, names]) => [tag, [...names]])),
    allowedSchemes: [...linkSchemes],
    allowedSchemesByTag: Object.fromEntries(
      ['img', 'source', 'video', 'audio', 'track', 'srcset'].map((tag) => [tag, [...mediaSchemes]]),
    ),
    allowedSchemesAppliedToAttributes: [...linkAttributes, ...mediaAttributes],
    allowProtocolRelative: false,
    nonTextTags: [...droppedWithContent],
    disallowedTagsMode: 'discard',
    parseStyleAttributes: false,
    nestingLimit: maxNesting,
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: tidy(tagName, attribs, removed) }),
    },
    exclusiveFilter: ({ tag, attribs }) => needsSource.includes(tag) && !attribs['src'] && !attribs['srcset'],
  }
}

/** Keeps allowed attributes and reports the others. For a removed element, only its name is reported. */
function tidy(tag: string, attributes: Attributes, removed: Removed): Attributes {
  if (!allowedTags.includes(tag)) {
    removed.add(`<${tag}>`)
    return {}
  }
  const kept: Attributes = {}
  for (const [name, value] of Object.entries(attributes)) {
    const fault = faultOf(tag, name, value)
    if (fault === undefined) kept[name] = value
    else removed.add(fault)
  }
  // The page of a new tab must not reach the tab that it came from, in old browsers either.
  if (tag === 'a' && kept['target'] !== undefined) kept['rel'] ??= 'noopener'
  // Without controls a player is invisible, or plays without a way to stop it.
  if (tag === 'video' || tag === 'audio') kept['controls'] = ''
  return kept
}

/** The reason for removing an attribute, in words for its writer; undefined for an allowed attribute. */
function faultOf(tag: string, name: string, value: string): string | undefined {
  const own = Object.hasOwn(allowedAttributes, tag) ? allowedAttributes[tag] : undefined
  if (!allowedAttributes['*']?.includes(name) && !own?.includes(name)) return `${name} attribute`
  if (name === 'id') return value.startsWith(headingIdPrefix) && /^[\p{L}\p{N}\p{M}-]+$/u.test(value) ? undefined : 'id attribute'
  if (Object.hasOwn(allowedValues, name)) return isAllowedValue(tag, name, value) ? undefined : `${name} attribute`
  if (linkAttributes.includes(name)) return faultOfUrl(value, linkSchemes)
  if (mediaAttributes.includes(name)) return faultOfUrl(value, mediaSchemes)
  return undefined
}

function isAllowedValue(tag: string, name: string, value: string): boolean {
  const allowed = allowedValues[name]?.[tag]
  return allowed instanceof RegExp ? allowed.test(value) : allowed?.includes(value) === true
}

function faultOfUrl(value: string, schemes: readonly string[]): string | undefined {
  const verdict = checkUrl(value, schemes)
  return verdict.safe ? undefined : verdict.fault
}
