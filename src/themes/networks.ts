// The networks that the footer knows by the host of an address, with their names. Their icons, in `network-icons/`, come from
// Simple Icons (CC0 1.0).

import bandcamp from './network-icons/bandcamp.svg'
import bluesky from './network-icons/bluesky.svg'
import codeberg from './network-icons/codeberg.svg'
import facebook from './network-icons/facebook.svg'
import flickr from './network-icons/flickr.svg'
import github from './network-icons/github.svg'
import gitlab from './network-icons/gitlab.svg'
import instagram from './network-icons/instagram.svg'
import linkedin from './network-icons/linkedin.svg'
import mastodon from './network-icons/mastodon.svg'
import pinterest from './network-icons/pinterest.svg'
import pixelfed from './network-icons/pixelfed.svg'
import soundcloud from './network-icons/soundcloud.svg'
import spotify from './network-icons/spotify.svg'
import telegram from './network-icons/telegram.svg'
import threads from './network-icons/threads.svg'
import tiktok from './network-icons/tiktok.svg'
import tripadvisor from './network-icons/tripadvisor.svg'
import vimeo from './network-icons/vimeo.svg'
import whatsapp from './network-icons/whatsapp.svg'
import x from './network-icons/x.svg'
import xing from './network-icons/xing.svg'
import youtube from './network-icons/youtube.svg'

interface Network {
  readonly name: string
  readonly hosts: readonly string[]
  /** An SVG element. */
  readonly icon: string
}

/** The networks by their keys. A host stands for the hosts below it, too. */
const networks: Readonly<Record<string, Network>> = {
  bandcamp: { name: 'Bandcamp', hosts: ['bandcamp.com'], icon: bandcamp },
  bluesky: { name: 'Bluesky', hosts: ['bsky.app'], icon: bluesky },
  codeberg: { name: 'Codeberg', hosts: ['codeberg.org'], icon: codeberg },
  facebook: { name: 'Facebook', hosts: ['facebook.com', 'fb.com'], icon: facebook },
  flickr: { name: 'Flickr', hosts: ['flickr.com'], icon: flickr },
  github: { name: 'GitHub', hosts: ['github.com'], icon: github },
  gitlab: { name: 'GitLab', hosts: ['gitlab.com'], icon: gitlab },
  instagram: { name: 'Instagram', hosts: ['instagram.com'], icon: instagram },
  linkedin: { name: 'LinkedIn', hosts: ['linkedin.com'], icon: linkedin },
  mastodon: {
    name: 'Mastodon',
    hosts: [
      'mastodon.social',
      'mastodon.online',
      'mas.to',
      'mstdn.social',
      'fosstodon.org',
      'hachyderm.io',
      'chaos.social',
      'troet.cafe',
      'norden.social',
      'social.tchncs.de',
      'piaille.fr',
      'mastodon.nl',
      'mastodon.uno',
      'pol.social',
      'pawoo.net',
    ],
    icon: mastodon,
  },
  pinterest: {
    name: 'Pinterest',
    hosts: ['pinterest.com', 'pinterest.de', 'pinterest.co.uk', 'pinterest.fr', 'pin.it'],
    icon: pinterest,
  },
  pixelfed: { name: 'Pixelfed', hosts: ['pixelfed.social', 'pixelfed.de'], icon: pixelfed },
  soundcloud: { name: 'SoundCloud', hosts: ['soundcloud.com'], icon: soundcloud },
  spotify: { name: 'Spotify', hosts: ['spotify.com'], icon: spotify },
  telegram: { name: 'Telegram', hosts: ['t.me', 'telegram.me'], icon: telegram },
  threads: { name: 'Threads', hosts: ['threads.net', 'threads.com'], icon: threads },
  tiktok: { name: 'TikTok', hosts: ['tiktok.com'], icon: tiktok },
  tripadvisor: { name: 'Tripadvisor', hosts: ['tripadvisor.com', 'tripadvisor.de', 'tripadvisor.co.uk'], icon: tripadvisor },
  vimeo: { name: 'Vimeo', hosts: ['vimeo.com'], icon: vimeo },
  whatsapp: { name: 'WhatsApp', hosts: ['wa.me', 'whatsapp.com'], icon: whatsapp },
  x: { name: 'X', hosts: ['x.com', 'twitter.com'], icon: x },
  xing: { name: 'XING', hosts: ['xing.com'], icon: xing },
  youtube: { name: 'YouTube', hosts: ['youtube.com', 'youtu.be'], icon: youtube },
}

/** A link of the footer to a page of the owner elsewhere. */
export interface SocialLink {
  readonly url: string
  /** The name of the network; the host of an address that is none of a known network. */
  readonly name: string
  /** The key of the network, for its icon; null for an unknown one. */
  readonly network: string | null
}

/** @param url an absolute address */
export function socialLink(url: string): SocialLink {
  const host = new URL(url).hostname.replace(/^www\./, '')
  const isOf = (known: string): boolean => host === known || host.endsWith(`.${known}`)
  const found = Object.entries(networks).find(([, { hosts }]) => hosts.some(isOf))
  return { url, name: found?.[1].name ?? host, network: found?.[0] ?? null }
}

/** The icon of a network in the colour of the text, as markup; empty for an unknown one. */
export const networkIcon = (key: string): string => (Object.hasOwn(networks, key) ? (networks[key]?.icon.trim() ?? '') : '')
