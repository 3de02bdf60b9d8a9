// Drafts of an imprint and a privacy page, which say what this program does with the data of visitors. They are no legal advice,
// and say so.

import type { ExampleEntry, ExampleLanguage } from './example.ts'

/** The facts of the site that the privacy page tells. */
export interface PrivacyFacts {
  readonly title: string
  /** The address of the site. */
  readonly url: string
  /** The origins from which pages may load pictures, scripts and frames, by the setting `allowed_sources`. */
  readonly sources: readonly string[]
}

/** Returns the two drafts. Brackets mark what the owner fills in. */
export function legalDrafts(language: ExampleLanguage, facts: PrivacyFacts): readonly ExampleEntry[] {
  const [imprint, privacy] = texts[language](facts)
  const [imprintNames, privacyNames] = names[language]
  return [
    { ...imprintNames, position: 90, body: imprint },
    { ...privacyNames, position: 91, body: privacy },
  ]
}

const names = {
  en: [
    { slug: 'imprint', title: 'Imprint' },
    { slug: 'privacy', title: 'Privacy' },
  ],
  de: [
    { slug: 'impressum', title: 'Impressum' },
    { slug: 'datenschutz', title: 'Datenschutz' },
  ],
} as const

const texts: Readonly<Record<ExampleLanguage, (facts: PrivacyFacts) => readonly [string, string]>> = {
  en: ({ title, url, sources }) => [
    `> [!NOTE]
> This is a draft and no legal advice. Fill in the brackets, delete what does not apply, and ask somebody who knows the law where you live.

${title}

[Name of the person or firm]

[Street and number, post code and town, country]

E-mail: [you@example.org]

Phone: [number]

[Register and number, VAT number, supervisory authority, where you have them]

Responsible for the content: [name]
`,
    `> [!NOTE]
> This is a draft and no legal advice. It says what this program does. Add what your host, your proxy and your own services do.

## Who is responsible

[Name and address], [you@example.org]

## What happens when you visit ${url}

The server receives your network address and the name of your browser, because it can't answer otherwise. [Your host's log: what it keeps, and for how long.]

These pages set no cookies for visitors, and count nothing that identifies you. For addresses that were not found, the site counts how often, and from which page they were linked.

Videos and maps of other services load only after you click on them. Then that service receives your network address, and may set cookies of its own.
${sources.length === 0 ? '' : `\nPages may load parts from ${sources.join(', ')}, which then receive your network address.\n`}
## If you write to us

We use what you send to answer you, and delete it when it is no longer needed. [How long, and where it is kept.]

## Your rights

You may ask what is stored about you, and have it corrected or deleted. You may complain to [the supervisory authority].
`,
  ],
  de: ({ title, url, sources }) => [
    `> [!NOTE]
> Das ist ein Entwurf und keine Rechtsberatung. Füllen Sie die Klammern aus, streichen Sie, was nicht zutrifft, und fragen Sie jemanden, der sich auskennt.

${title}

[Name der Person oder Firma]

[Straße und Hausnummer, Postleitzahl und Ort, Land]

E-Mail: [sie@example.org]

Telefon: [Nummer]

[Register und Nummer, Umsatzsteuer-ID, Aufsichtsbehörde, soweit vorhanden]

Verantwortlich für den Inhalt: [Name]
`,
    `> [!NOTE]
> Das ist ein Entwurf und keine Rechtsberatung. Er sagt, was dieses Programm tut. Ergänzen Sie, was Ihr Anbieter, Ihr Proxy und Ihre eigenen Dienste tun.

## Wer verantwortlich ist

[Name und Anschrift], [sie@example.org]

## Was geschieht, wenn Sie ${url} besuchen

Der Server erhält Ihre Netzwerkadresse und den Namen Ihres Browsers, weil er sonst nicht antworten kann. [Protokoll Ihres Anbieters: was er speichert, und wie lange.]

Diese Seiten setzen für Besucher keine Cookies und zählen nichts, was Sie erkennbar macht. Bei Adressen, die es nicht gibt, zählt die Website, wie oft sie verlangt wurden und von welcher Seite dorthin verwiesen wurde.

Videos und Karten anderer Dienste laden erst, wenn Sie darauf klicken. Dann erhält der Dienst Ihre Netzwerkadresse und kann eigene Cookies setzen.
${sources.length === 0 ? '' : `\nSeiten können Teile von ${sources.join(', ')} laden; diese erhalten dann Ihre Netzwerkadresse.\n`}
## Wenn Sie uns schreiben

Wir verwenden, was Sie senden, um Ihnen zu antworten, und löschen es, wenn es nicht mehr gebraucht wird. [Wie lange, und wo es liegt.]

## Ihre Rechte

Sie können fragen, was über Sie gespeichert ist, und es berichtigen oder löschen lassen. Sie können sich bei [der Aufsichtsbehörde] beschweren.
`,
  ],
}

/** The paths of the drafts in all languages. */
export const legalPaths: readonly string[] = Object.values(names).flatMap((both) => both.map(({ slug }) => `/${slug}`))
