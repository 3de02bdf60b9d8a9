// The destination of an app in words: where the browser goes after consent, and what the page says about it.

import { html, type Html } from '../../doors/shared/html.ts'
import type { Destination, DestinationKind } from '../../doors/oauth/destination.ts'
import type { Visit } from '../visit.ts'
import type { Words } from '../words.ts'

/** The destination as a heading. The scheme of an app is not shown there: `claude.ai:` would read like a website. */
const headings: Readonly<Record<DestinationKind, (t: Words, name: string) => string>> = {
  website: (_t, name) => name,
  'own-computer': (_t, name) => name,
  'device-app': (t) => t('access.device_app'),
}

export const headingOf = ({ t }: Pick<Visit, 't'>, { kind, name }: Destination): string => headings[kind](t, name)

/**
 * The meaning of each heading. A name in another script can look like a well-known name, so its ASCII form is shown.
 * @see RFC 5890 §2.3.2.1
 */
const meanings: Readonly<Record<DestinationKind, (t: Words, name: string) => Html>> = {
  website: (t, name) => html`${t('access.website_means')} ${name.includes('xn--') && t('access.spelled_out')}`,
  'own-computer': (t) => html`${t('access.own_computer_means')}`,
  'device-app': (t, name) => t.rich('access.device_app_means', { scheme: html`<code>${name}</code>` }),
}

export const meaningOf = ({ t }: Pick<Visit, 't'>, { kind, name }: Destination): Html => meanings[kind](t, name)

interface Place {
  readonly heading: string
  readonly beside?: Html
}

/** The destination of a connected app: a heading, and the line below it. */
const places: Readonly<Record<DestinationKind, (t: Words, name: string) => Place>> = {
  website: (_t, name) => ({ heading: name }),
  'own-computer': (t, name) => ({ heading: name, beside: html`${t('access.own_computer_place')}` }),
  'device-app': (t, name) => ({
    heading: t('access.device_app_place'),
    beside: t.rich('access.device_app_scheme', { scheme: html`<code>${name}</code>` }),
  }),
}

export const placeOfApp = ({ t }: Pick<Visit, 't'>, { kind, name }: Destination): Place => places[kind](t, name)
