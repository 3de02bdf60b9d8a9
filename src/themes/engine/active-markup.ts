// Markup that runs, embeds another page, or navigates by itself. Only a writer without limits may use it.

import type { Attribute, Tag } from './read-markup.ts'
import { runsScript } from './safe-addresses.ts'

/**
 * Elements that only a writer without limits may use. A `text` element contains no markup and is removed whole; the others lose
 * their tags and keep their content. `math` and the last two change how a browser parses the rest.
 */
export const activeElements: ReadonlyMap<string, 'text' | 'tags'> = new Map([
  ...(['script', 'iframe', 'noscript', 'noembed', 'noframes', 'xmp'] as const).map((name) => [name, 'text'] as const),
  ...(
    'object embed applet base frame frameset portal fencedframe webview plaintext math annotation-xml foreignobject'.split(
      ' ',
    ) as readonly string[]
  ).map((name) => [name, 'tags'] as const),
])

/** Elements with plain text that anyone may use. */
export const textElements: ReadonlySet<string> = new Set(['title', 'textarea', 'style', 'desc'])

/** True if a form may send its data to this address. */
export type IsOwnAddress = (address: string) => boolean

type Test = (attribute: Attribute, tag: Tag, isOwn: IsOwnAddress) => boolean

const always: Test = () => true
const leadsAway: Test = ({ value }, _tag, isOwn) => !isOwn(value)

const attributes: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['srcdoc', always],
  ['http-equiv', always],
  ['ping', always],
  ['attributionsrc', always],
  ['action', leadsAway],
  ['formaction', leadsAway],
  // An animation may set an address or an event attribute.
  ['attributename', ({ value }) => !/^[a-z-]+$/i.test(value) || /^(?:href|on|src|style)/i.test(value)],
  ['rel', ({ value }, tag) => tag.name === 'link' && !isHarmlessLink(value, tag)],
])

/** True if an attribute runs something or navigates by itself. */
export function isActiveAttribute(attribute: Attribute, tag: Tag, isOwn: IsOwnAddress): boolean {
  const { name } = attribute
  if (name.startsWith('on')) return true
  return attributes.get(name)?.(attribute, tag, isOwn) ?? false
}

const harmlessLinks: ReadonlySet<string> = new Set(
  (
    'stylesheet alternate icon shortcut apple-touch-icon apple-touch-icon-precomposed mask-icon canonical author license next prev search help ' +
    'me preload preconnect dns-prefetch pingback webmention hub self shortlink privacy-policy terms-of-service'
  ).split(' '),
)
const harmlessLoads: ReadonlySet<string> = new Set(['font', 'image', 'style', 'audio', 'video', 'track'])

/** True if a `link` loads no script. */
function isHarmlessLink(rel: string, { attributes: all }: Tag): boolean {
  const kinds = rel.toLowerCase().split(/[\t\n\f\r ]+/)
  if (!kinds.every((kind) => kind === '' || harmlessLinks.has(kind))) return false
  return !kinds.includes('preload') || harmlessLoads.has(all.find(({ name }) => name === 'as')?.value.toLowerCase() ?? '')
}

/** The attributes in which a browser looks for an address. */
const addresses: ReadonlySet<string> = new Set(
  'href xlink:href src action formaction data poster cite background ping to from values by'.split(' '),
)

/** True for an address that runs a script. No page may have one, whoever wrote it (attack 94). */
export const isScriptAddress = ({ name, value }: Attribute): boolean => addresses.has(name) && runsScript(value)
