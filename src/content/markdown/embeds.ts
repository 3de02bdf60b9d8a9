// Videos and maps of other sites whose pages become a frame: a table of hosts, with the address of the frame for the address of a
// page. A stored text contains only the link; `expandEmbeds` adds the frame when the public page is rendered.

import { escapeHtml } from './escape-html.ts'
import { wordsFor, type TextWords } from './markdown-words.ts'

/** A page of another site that can be shown in a frame. */
export interface Embed {
  readonly kind: 'video' | 'map'
  /** The name of the other site. */
  readonly name: string
  /** The address of the frame. */
  readonly frame: string
}

interface Host {
  readonly kind: Embed['kind']
  readonly name: string
  /** Hosts of pages, without `www.` and `m.`. */
  readonly hosts: readonly string[]
  readonly origin: string
  /** Path and query of the frame; undefined for a page that can't be embedded. */
  readonly frame: (page: URL) => string | undefined
}

const youTubeId = /^[\w-]{11}$/
const youTubePath = /^\/(?:shorts|live|embed)\/([\w-]{11})$/

const table: readonly Host[] = [
  {
    kind: 'video',
    name: 'YouTube',
    hosts: ['youtube.com', 'youtu.be', 'youtube-nocookie.com', 'music.youtube.com'],
    origin: 'https://www.youtube-nocookie.com',
    frame(page) {
      const short = bareHost(page) === 'youtu.be' ? page.pathname.slice(1) : undefined
      const id = short ?? (page.pathname === '/watch' ? page.searchParams.get('v') : youTubePath.exec(page.pathname)?.[1])
      if (!id || !youTubeId.test(id)) return undefined
      const start = secondsOf(page.searchParams.get('t') ?? page.searchParams.get('start') ?? '')
      return `/embed/${id}?autoplay=1${start > 0 ? `&start=${start}` : ''}`
    },
  },
  {
    kind: 'video',
    name: 'Vimeo',
    hosts: ['vimeo.com', 'player.vimeo.com'],
    origin: 'https://player.vimeo.com',
    frame(page) {
      // Unlisted videos have a key after their number.
      const [, id, key] = /^\/(?:video\/)?(\d{1,15})(?:\/([0-9a-f]{1,20}))?$/.exec(page.pathname) ?? []
      return id === undefined ? undefined : `/video/${id}?dnt=1&autoplay=1${key === undefined ? '' : `&h=${key}`}`
    },
  },
  {
    kind: 'map',
    name: 'OpenStreetMap',
    hosts: ['openstreetmap.org'],
    origin: 'https://www.openstreetmap.org',
    frame(page) {
      const [, zoom, ...centre] = /^#map=(\d{1,2})\/(-?\d{1,3}(?:\.\d{1,8})?)\/(-?\d{1,3}(?:\.\d{1,8})?)/.exec(page.hash) ?? []
      const marker = [page.searchParams.get('mlat'), page.searchParams.get('mlon')].map(degrees)
      const marked = marker.every((value) => value !== undefined)
      const [lat, lon] = zoom === undefined ? marker : centre.map(degrees)
      if (page.pathname !== '/' || lat === undefined || lon === undefined) return undefined
      // Half of the area that a frame of 640 × 360 pixels shows at this zoom.
      const half = (360 / 256 / 2 ** Math.min(Number(zoom ?? 15), 19)) * 320
      const tall = half * 0.56 * Math.cos((lat * Math.PI) / 180)
      const box = [lon - half, lat - tall, lon + half, lat + tall].map((edge) => edge.toFixed(5)).join('%2C')
      return `/export/embed.html?bbox=${box}&layer=mapnik${marked ? `&marker=${marker.join('%2C')}` : ''}`
    },
  },
]

/** The origins that frames of a public page may have, for its CSP. */
export const embedOrigins: readonly string[] = table.map(({ origin }) => origin)

const bareHost = ({ hostname }: URL): string => hostname.replace(/^(?:www|m)\./, '')

/** Parses a coordinate; undefined for anything else. */
function degrees(text: string | null | undefined): number | undefined {
  return text && /^-?\d{1,3}(?:\.\d{1,8})?$/.test(text) && Math.abs(Number(text)) <= 180 ? Number(text) : undefined
}

/** `90`, `90s` and `1m30s` in seconds; 0 for anything else. */
function secondsOf(text: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(text) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

const maxAddressChars = 500

/** The frame for the address of a page; undefined for any page that isn't in the table. */
export function findEmbed(address: string): Embed | undefined {
  if (address.length > maxAddressChars || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined
  const page = new URL(address)
  const host = table.find(({ hosts }) => hosts.includes(bareHost(page)))
  const frame = page.port === '' && page.username === '' ? host?.frame(page) : undefined
  return host === undefined || frame === undefined ? undefined : { kind: host.kind, name: host.name, frame: host.origin + frame }
}

const placeholder = /<figure class="embed"><a href="([^"<>]*)">([^<>]*)<\/a><\/figure>/g

/**
 * Puts a frame above each link that `findEmbed` knows. The frame contains a page of this site with one link. It loads nothing
 * from the other site until the visitor clicks that link. This takes no script, and without frames the link below still leads to
 * the page.
 * @param html cleaned HTML
 */
export function expandEmbeds(html: string, language: string): string {
  if (!html.includes('<figure class="embed">')) return html
  const words = wordsFor(language)
  return html.replace(placeholder, (whole, href: string, label: string) => {
    const embed = findEmbed(href.replaceAll('&amp;', '&'))
    return embed === undefined ? whole : frameOf(embed, href, label, words, language)
  })
}

/** The rights of the other site's page: it may play media and open its own site in a new window, but not navigate this page. */
const sandbox = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation allow-forms'

function frameOf({ kind, name, frame }: Embed, href: string, label: string, words: TextWords, language: string): string {
  const action = kind === 'video' ? words.playVideo : words.showMap
  const page = coverPage(kind, frame, action, words.loadsFrom.replace('{host}', new URL(frame).host), language)
  const attributes = `title="${name}" sandbox="${sandbox}" allow="fullscreen; autoplay; encrypted-media; picture-in-picture"`
  return (
    `<figure class="embed ${kind}"><iframe ${attributes} srcdoc="${escapeHtml(page)}"></iframe>` +
    `<figcaption><a href="${href}">${name}: ${shortAddress(label)}</a></figcaption></figure>`
  )
}

const maxLabelChars = 48

/** A shortened address for people. @param label escaped, so it is not cut within `&amp;` */
function shortAddress(label: string): string {
  const address = label.replace(/^https?:\/\/(?:www\.)?/, '')
  return address.length <= maxLabelChars ? address : `${address.slice(0, maxLabelChars).replace(/&[a-z]{0,4}$/, '')}…`
}

/** The page in the frame before the click. A click anywhere on it loads the other site's page. */
const coverPage = (kind: Embed['kind'], frame: string, action: string, from: string, language: string): string =>
  `<!doctype html><html lang="${escapeHtml(language)}"><meta charset="utf-8"><title>${action}</title><style>${coverStyle}</style>` +
  `<main><a href="${escapeHtml(frame)}"><i class="${kind}"></i><b>${action}</b><small>${from}</small></a></main></html>`

const coverStyle =
  'html,body,main,a{height:100%;margin:0}' +
  'a{box-sizing:border-box;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:.4rem;padding:1rem;' +
  'background:#2b2925;color:#fff;font:600 1rem/1.4 system-ui,sans-serif;text-align:center;text-decoration:none}' +
  'a:hover{background:#38352f}a:focus-visible{outline:3px solid #7cc9bb;outline-offset:-6px}' +
  'small{color:#d5d0c6;font-weight:400;font-size:.8rem}' +
  'i{display:block;width:3.5rem;height:3.5rem;border-radius:50%;background:#fff}' +
  ".video::after{content:'';display:block;margin:1rem 0 0 1.3rem;border:solid transparent;border-width:.75rem 0 .75rem 1.2rem;border-left-color:#2b2925}" +
  ".map::after{content:'';display:block;width:1.1rem;height:1.1rem;margin:1rem auto;border:.3rem solid #2b2925;border-radius:50% 50% 50% 0;transform:rotate(-45deg);box-sizing:border-box}"
