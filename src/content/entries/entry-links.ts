// The links in the texts of an entry: in its body, and in the fields that its type defines. They are read from the rendered text,
// so that code and escapes are handled as on the page.

import { shownValues } from '../types/custom-values.ts'
import type { EntryTypes } from '../types/entry-types.ts'
import type { CustomKind, FieldDefinition } from '../types/field-definition.ts'
import { type AnchorLink, linkedAnchors, linkedPaths } from '../markdown/internal-links.ts'
import { mediaIn, mediaNamed } from '../markdown/media-images.ts'
import type { Renderer } from '../markdown/render.ts'
import type { EntryRow } from '../../store/core/schema.ts'

export interface LinkReading {
  readonly renderer: Pick<Renderer, 'render'>
  /** Origin and base path of the site, without a slash at the end. */
  readonly origin: string
}

/** The destinations of a text, each once. */
export interface Links {
  /** Paths of the site, without those of media. */
  readonly paths: readonly string[]
  /** Paths and ids of media files. */
  readonly media: readonly string[]
  /** Ids of entries. Only a field of the kind `entry` has these. */
  readonly entries: readonly string[]
  /** Addresses outside of the site. */
  readonly others: readonly string[]
  /** Links to headings, of the same page or of others. Only texts in Markdown have these. */
  readonly anchors: readonly AnchorLink[]
}

export interface FieldLinks extends Links {
  /** `body` or `fields.care`. */
  readonly field: string
  readonly text: string
}

const none: Links = { paths: [], media: [], entries: [], others: [], anchors: [] }

export async function linksIn({ renderer, origin }: LinkReading, text: string): Promise<Links> {
  // Without one of these there is no link in Markdown or HTML.
  if (!/[[<]|https?:|www\./.test(text)) return none
  const { html } = await renderer.render(text, { origin })
  const linked = linkedPaths(html, origin)
  const isMedia = (path: string) => path.startsWith('/media/')
  const all = [...html.matchAll(/<a [^<>]*? ?href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
  const others = new Set(all.filter((href) => /^[a-z]+:/i.test(href) && !href.startsWith(`${origin}/`)))
  return {
    paths: linked.filter((path) => !isMedia(path)),
    media: [...new Set([...linked.filter(isMedia), ...mediaIn(html, origin)])],
    entries: [],
    others: [...others],
    anchors: linkedAnchors(html, origin),
  }
}

/** Readers for the links of a value, by the kind of its field. */
const readers: Partial<Record<CustomKind, (reading: LinkReading, value: string) => Links | Promise<Links>>> = {
  markdown: linksIn,
  entry: (_, id) => ({ ...none, entries: [id] }),
  media: (_, id) => ({ ...none, media: [id] }),
  url: linksOfAddress,
}

function linksOfAddress({ origin }: LinkReading, address: string): Links {
  const media = mediaNamed(address, origin)
  if (media !== undefined) return { ...none, media: [media] }
  const paths = linkedPaths(`<a href="${address.replaceAll('&', '&amp;').replaceAll('"', '%22')}">`, origin)
  return paths.length > 0 ? { ...none, paths } : { ...none, others: /^[a-z]+:/i.test(address) ? [address] : [] }
}

/** The links of an entry, one row per field that has any. */
export async function linksOf(
  reading: LinkReading & { readonly types: EntryTypes },
  { body, fields, type }: Pick<EntryRow, 'body' | 'fields' | 'type'>,
): Promise<readonly FieldLinks[]> {
  const found: FieldLinks[] = [{ field: 'body', text: body, ...(await linksIn(reading, body)) }]
  const ofType = reading.types.of(type)
  if (ofType.fields.length > 0 && fields !== '{}')
    for (const { name, kind, value } of valuesOf(ofType.fields, shownValues(fields, ofType))) {
      const links = await readers[kind]?.(reading, value)
      if (links) found.push({ field: `fields.${name}`, text: value, ...links })
    }
  return found.filter((one) => kindsOfLinks.some((kind) => one[kind].length > 0))
}

const kindsOfLinks = Object.keys(none) as readonly (keyof Links)[]

/** The texts in Markdown of an entry, which its page shows: its body, and those in fields of its type. */
export function textsOf(
  types: EntryTypes,
  { body, fields, type }: Pick<EntryRow, 'body' | 'fields' | 'type'>,
): readonly string[] {
  const ofType = types.of(type)
  if (ofType.fields.length === 0 || fields === '{}') return [body]
  const values = [...valuesOf(ofType.fields, shownValues(fields, ofType))]
  return [body, ...values.filter(({ kind }) => kind === 'markdown').map(({ value }) => value)]
}

/** The texts among these values, with those of lists and groups. */
function* valuesOf(
  fields: readonly FieldDefinition[],
  values: Readonly<Record<string, unknown>>,
): Iterable<{ readonly name: string; readonly kind: CustomKind; readonly value: string }> {
  for (const { name, kind, of } of fields)
    for (const value of [values[name]].flat())
      if (typeof value === 'string') yield { name, kind, value }
      else if (kind === 'group' && typeof value === 'object' && value !== null)
        for (const inner of valuesOf(of as readonly FieldDefinition[], value as Record<string, unknown>))
          yield { ...inner, name: `${name}.${inner.name}` }
}
