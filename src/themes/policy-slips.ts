// Finds in a file of a theme the addresses and scripts that the content security policy of public pages blocks. Browsers block them
// in silence.

import { allows } from './site-policy.ts'
import { lineOf, type Slip } from './style-slips.ts'

/** The most slips of one file that are named. */
const maxSlips = 10

/** Elements whose address a policy concerns: the directive, and what it is called in a sentence. */
const elements: Readonly<Record<string, readonly [directive: string, what: string]>> = {
  script: ['script-src', 'A script'],
  link: ['style-src', 'A style sheet'],
  img: ['img-src', 'An image'],
  source: ['img-src', 'An image'],
  iframe: ['frame-src', 'A frame'],
  video: ['default-src', 'A video'],
  audio: ['default-src', 'A sound'],
  form: ['form-action', 'A form that sends'],
}

const tag = /<(script|link|img|source|iframe|video|audio|form)\b([^<>]*)>/gi
const address = /(?:src|href|action)=["']?([^"'\s<>]+)/i
const imported = /@import (?:url\()?["']?([^"'\s;()]+)/gi
const referred = /url\(["']?([^"'()\s]+)/gi

/**
 * Finds what the policy of the site blocks in a file.
 * @param own the origin of the site
 */
export function findPolicySlips(file: string, text: string, { policy, own }: { readonly policy: string; readonly own: string }) {
  const slips: Slip[] = []
  const check = (index: number, directive: string, what: string, url: string): void => {
    if (url.includes('{') || slips.length >= maxSlips || allows(policy, directive, url, own)) return
    const message = `${what} from ${url.slice(0, 100)} is blocked by the policy of the site (${directive}). Put it into the theme or the media library, or allow the source in the setting \`allowed_sources\`.`
    slips.push({ code: 'policy_blocks', line: lineOf(text, index), message })
  }
  if (file.endsWith('.liquid'))
    for (const { index, 1: name = '', 2: attributes = '' } of text.matchAll(tag)) {
      const [directive, what] = elements[name.toLowerCase()] as readonly [string, string]
      const url = address.exec(attributes)?.[1]
      if (name.toLowerCase() === 'link' && !/stylesheet/i.test(attributes)) continue
      if (url !== undefined) check(index, directive, what, url)
      else if (name.toLowerCase() === 'script' && slips.length < maxSlips) slips.push(inlineScript(text, index))
    }
  if (file.endsWith('.liquid') || file.endsWith('.css')) {
    for (const { index, 1: url = '' } of text.matchAll(imported)) check(index, 'style-src', 'A style sheet', url)
    for (const { index, 1: url = '' } of text.matchAll(referred)) {
      const isFont = /\.(?:woff2?|ttf|otf)\b/i.test(url)
      check(index, isFont ? 'font-src' : 'img-src', isFont ? 'A font' : 'An image', url)
    }
  }
  return slips
}

const inlineScript = (text: string, index: number): Slip => ({
  code: 'policy_blocks',
  line: lineOf(text, index),
  message:
    'A script within a page is blocked by the policy of the site (script-src). Put it into a file in assets/, and name that in `src`.',
})
