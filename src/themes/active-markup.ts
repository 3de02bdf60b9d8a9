// What in a page runs, brings in another page, or leads visitors away by itself. Only a writer without limits may put it there.

import type { Attribute, Tag } from './read-markup.ts'
import { runsScript } from './safe-addresses.ts'

/**
 * Elements that only a writer without limits may use. `text` elements have no markup in them, so nothing of them is shown without their tags;
 * of the others the content stays. `math` and the last two change how a browser reads what follows.
 */
export const activeElements: ReadonlyMap<string, 'text' | 'tags'> = new Map([
  ...(['script', 'iframe', 'noscript', 'noembed', 'noframes', 'xmp'] as const).map((name) => [name, 'text'] as const),
  ...(
    'object embed applet base frame frameset portal fencedframe webview plaintext math annotation-xml foreignobject'.split(
      ' ',
    ) as readonly string[]
  ).map((name) => [name, 'tags'] as const),
])

/** Elements of text that anyone may use. */
export const textElements: ReadonlySet<string> = new Set(['title', 'textarea', 'style', 'desc'])

/** Whether a page may send what visitors type to an address. */
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

/** Whether an attribute runs something, or leads away by itself. */
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

/** Whether a `link` loads no script. */
function isHarmlessLink(rel: string, { attributes: all }: Tag): boolean {
  const kinds = rel.toLowerCase().split(/[\t\n\f\r ]+/)
  if (!kinds.every((kind) => kind === '' || harmlessLinks.has(kind))) return false
  return !kinds.includes('preload') || harmlessLoads.has(all.find(({ name }) => name === 'as')?.value.toLowerCase() ?? '')
}

/** The attributes in which a browser looks for an address. */
const addresses: ReadonlySet<string> = new Set(
  'href xlink:href src action formaction data poster cite background ping to from values by'.split(' '),
)

/** Whether an attribute is an address that runs a script, which no page may have, whoever wrote it (attack 94). */
export const isScriptAddress = ({ name, value }: Attribute): boolean => addresses.has(name) && runsScript(value)
