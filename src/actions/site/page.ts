import { Type } from 'typebox'
import { Failure, invalid } from '../../base/failure.ts'
import { boundedInteger, closed, flag } from '../../base/schema.ts'
import { getEntry, maySee, noEntry, urlOf } from '../../content/entries/entry.ts'
import { mergeEntry } from '../../content/entries/pending.ts'
import type { Looked, Size } from '../../eyes/types.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { findTheme } from '../../themes/theme-store.ts'
import { action, type Context } from '../call/action.ts'
import { named } from '../content/named.ts'
import { idOrPath } from '../shared/own-address.ts'
import { outlineOf, textOfPage } from './page-outline.ts'
import { seenIn, type SeenPage } from './seen-page.ts'

/** The most characters of a part of a page, and of a picture in base64, in an answer. */
const maxPartChars = 24_000
const maxPictureChars = 72_000
/** Longer pages are read up to here, because reading blocks other calls. */
const maxReadChars = 1_000_000
const maxTurns = 5

export const page = action('SVC_Site.page', {
  title: 'Look at a page',
  summary:
    'Shows what visitors get at a path: as an outline, text, HTML, or a picture; on request with what waits, or in another theme.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found', 'unprocessable', 'unsupported', 'rate_limited', 'unavailable'],
  batchable: false,
  shows: 'image',
  input: closed({
    path: Type.String({ description: 'The path of a page, or its full address on this site.', minLength: 1, maxLength: 1100 }),
    as: Type.Optional(
      Type.Enum(['outline', 'text', 'html', 'image'], {
        description:
          '`outline` names headings, links, pictures and forms in their order, with size and metadata. It is the default.',
      }),
    ),
    staged: flag('Shows the entry at this path or id as it would be after `publish`; drafts too.'),
    theme: Type.Optional(Type.String({ description: 'A theme that is not active.', maxLength: 100 })),
    width: Type.Optional(Type.Enum([390, 1280], { description: 'Of a picture: a phone or a desktop, the default.' })),
    scheme: Type.Optional(Type.Enum(['light', 'dark'], { description: 'Of a picture: the colours that the visitor prefers.' })),
    offset: Type.Optional(
      boundedInteger('Where to go on: characters of text and HTML, lines of an outline, pixels of a picture.', 0, 10_000_000),
    ),
  }),
  output: Type.Object({
    status: Type.Integer({ description: 'HTTP status that visitors get.' }),
    path: Type.String({ description: 'The path that answered, after redirects.' }),
    redirects: Type.Optional(Type.Array(Type.String(), { description: 'The paths that led there.' })),
    leads_to: Type.Optional(Type.String({ description: 'An address elsewhere to which the path leads.' })),
    type: Type.String(),
    bytes: Type.Integer(),
    title: Type.Optional(Type.String()),
    language: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    canonical: Type.Optional(Type.String()),
    robots: Type.Optional(Type.String()),
    outline: Type.Optional(Type.Array(Type.String(), { description: 'Such as `h2 Opening hours` or `a /about: About us`.' })),
    text: Type.Optional(Type.String()),
    html: Type.Optional(Type.String()),
    image: Type.Optional(Type.Object({ mime_type: Type.String(), base64: Type.String() })),
    note: Type.Optional(Type.String({ description: 'The size of a picture that came smaller than its window.' })),
    page_height: Type.Optional(Type.Integer({ description: 'Pixels of the whole page.' })),
    next_offset: Type.Optional(Type.Integer({ description: 'The `offset` of what follows.' })),
  }),
  examples: [
    { title: 'The home page', input: { path: '/' } },
    { title: 'What waits, as text', input: { path: '/about', as: 'text', staged: true } },
  ],
  async run(context, input) {
    const { db, origin } = context
    const theme = input.theme === undefined ? undefined : await findTheme(db, input.theme)
    if (input.theme !== undefined && !theme)
      throw invalid('theme', `There is no theme ${JSON.stringify(input.theme)}.`, 'a theme of SVC_Themes.list')
    const staged = input.staged === true ? await getStaged(context, input.path) : undefined
    const first = staged ? urlOf('', staged.path ?? `/${staged.slug}`) : pathIn(context, input.path)
    const look = async (path: string): Promise<SeenPage> => {
      const { signal, site } = context
      return seenIn(await site.pageLook(site, { origin, path, theme, staged: path === first ? staged : undefined, signal }))
    }
    const found = await follow(look, origin, first)
    const { seen, path, turns } = found
    const about = {
      status: seen.status,
      path,
      ...(turns.length > 0 && { redirects: turns }),
      ...(seen.location !== undefined && { leads_to: seen.location }),
      type: seen.contentType,
      bytes: Buffer.byteLength(seen.body),
    }
    if (seen.location !== undefined) return about
    const way = ways[input.as ?? 'outline']
    return { ...about, ...(await way({ context, seen, path, look, input })) }
  },
})

interface Way {
  readonly context: Context
  readonly seen: SeenPage
  readonly path: string
  readonly look: (path: string) => Promise<Looked>
  readonly input: { readonly width?: 390 | 1280; readonly scheme?: 'light' | 'dark'; readonly offset?: number }
}

const textIn = ({ body }: Looked): string => body.toString().slice(0, maxReadChars)
const isPage = ({ contentType }: Looked): boolean => contentType.startsWith('text/html')

/** Each way to show a page. Files that are no pages have text alone. */
const ways = {
  async outline({ context, seen, input: { offset = 0 } }: Way) {
    if (!isPage(seen)) return partOf('text', textOf(seen), offset)
    const { facts, outline } = await outlineOf(textIn(seen), context.origin)
    const lines: string[] = []
    let room = maxPartChars
    for (const line of outline.slice(offset)) {
      room -= line.length + 1
      if (room < 0) break
      lines.push(line)
    }
    const next = offset + lines.length
    return { ...facts, outline: lines, ...(next < outline.length && { next_offset: next }) }
  },
  async text({ seen, input: { offset = 0 } }: Way) {
    return partOf('text', isPage(seen) ? await textOfPage(textIn(seen)) : textOf(seen), offset)
  },
  async html({ seen, input: { offset = 0 } }: Way) {
    return partOf(isPage(seen) ? 'html' : 'text', textOf(seen), offset)
  },
  async image({ context, path, look, input: { width = 1280, scheme = 'light', offset = 0 } }: Way) {
    const { site, caller, origin, signal } = context
    if (!site.takePicture) throw noPictures()
    const who = `${caller.account?.id ?? ''} ${caller.token?.id ?? ''}`
    const how = { width, dark: scheme === 'dark', quality: 80, offset, maxBytes: maxPictureChars }
    const {
      page_height: height,
      size,
      window,
      ...image
    } = await site.takePicture(origin, path, look, how, { caller: who, signal })
    return { image, page_height: height, ...(size.width < window.width && { note: smallerNote(size, window) }) }
  },
} as const

const smallerNote = (size: Size, window: Size): string =>
  `This picture is ${inPixels(size)} instead of ${inPixels(window)} pixels, because the whole size does not fit into an answer.`

const inPixels = ({ width, height }: Size): string => `${width} × ${height}`

const noPictures = (): Failure =>
  new Failure('unsupported', 'This site has no Chromium to take pictures with.', {
    field: 'as',
    hint:
      'The owner can add POSTERN_CHROMIUM=/usr/bin/chromium to the settings of the service, or, under systemd, enable ' +
      'postern-eyes.socket and add POSTERN_CHROMIUM=/run/postern-eyes.sock. Until then `outline` names what is seen, in its order.',
  })

function textOf(seen: Looked): string {
  if (/^(?:text\/|application\/(?:json|xml|[a-z]+\+(?:json|xml)))/.test(seen.contentType)) return seen.body.toString()
  throw new Failure('unprocessable', `At this path is a file of the type ${seen.contentType}, which has no text.`, {
    field: 'path',
    hint: 'SVC_Media.read shows files.',
  })
}

function partOf(name: 'text' | 'html', whole: string, offset: number) {
  const part = whole.slice(offset, offset + maxPartChars).toWellFormed()
  const next = offset + part.length
  return { [name]: part, ...(next < whole.length && { next_offset: next }) }
}

/** The path below the origin that a path or an address of the site names. */
function pathIn(context: Context, ref: string): string {
  const path = idOrPath(context, ref)
  return path.startsWith('/') ? path : `/${path}`
}

/** The entry after publishing. For a caller who may not see it, there is none. */
async function getStaged(context: Context, ref: string): Promise<EntryRow> {
  const row = await getEntry(context.db, named(context, ref))
  if (row.status === 'trash' || !maySee(context.caller, row, context.now)) throw noEntry(ref)
  return (await mergeEntry(context.db, row)).row
}

/** Follows redirects within the site. An address elsewhere is told and not asked (attack 174). */
async function follow(look: (path: string) => Promise<SeenPage>, origin: string, first: string) {
  const turns: string[] = []
  let path = first
  for (;;) {
    const seen = await look(path)
    const next = seen.location === undefined ? undefined : pathBelow(origin, path, seen.location)
    if (next === undefined || turns.length === maxTurns) return { seen, path, turns }
    turns.push(path)
    path = next
  }
}

function pathBelow(origin: string, from: string, location: string): string | undefined {
  const url = URL.parse(location, origin + from)
  const base = new URL(`${origin}/`)
  if (url?.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return undefined
  return `/${url.pathname.slice(base.pathname.length)}${url.search}`
}
