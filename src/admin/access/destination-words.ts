// How a page names the destination of an app, where the browser goes after consent, and what it says about it.

import { html, type Html } from '../../doors/html.ts'
import type { Destination, DestinationKind } from '../../oauth/destination.ts'

/** The destination as a heading. The scheme of an app is not shown there: `claude.ai:` would read like a website. */
const headings: Readonly<Record<DestinationKind, (name: string) => string>> = {
  website: (name) => name,
  'own-computer': (name) => name,
  'device-app': () => 'an app on your device',
}

export const headingOf = ({ kind, name }: Destination): string => headings[kind](name)

/** What the heading means, in a sentence or two. */
const meanings: Readonly<Record<DestinationKind, (name: string) => Html>> = {
  website: (name) => html`This is a website. Connect only if you came from it.${name.includes('xn--') ? spelledOut : ''}`,
  'own-computer': () => html`This is a program on the computer you are using now. Connect only if you started it yourself.`,
  'device-app': (name) =>
    html`Your device opens the app that has the scheme <code>${name}</code>, which is not the address of a website. Connect only
      if you started that app yourself.`,
}

export const meaningOf = ({ kind, name }: Destination): Html => meanings[kind](name)

/** A name with other letters can look like a well-known one, so its ASCII form is shown. @see RFC 5890 §2.3.2.1 */
const spelledOut = ' The part with “xn--” has letters beyond a to z, which can imitate another name.'

/** The destination of a connected app: a heading, and the line below it. */
const places: Readonly<Record<DestinationKind, (name: string) => { readonly heading: string; readonly beside?: Html }>> = {
  website: (name) => ({ heading: name }),
  'own-computer': (name) => ({ heading: name, beside: html`A program on your own computer.` }),
  'device-app': (name) => ({ heading: 'An app on your device', beside: html`It has the scheme <code>${name}</code>.` }),
}

export const placeOfApp = ({ kind, name }: Destination) => places[kind](name)
