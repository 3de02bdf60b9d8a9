// The beginning of the site of a firm: a home page of sections, a page about it, and how to reach it.

import type { Beginnings } from './example.ts'

export const business: Beginnings = {
  en: {
    entries: [
      {
        slug: 'welcome',
        title: 'Welcome',
        body: `::: hero {button="Write to us" href="/contact"}
## What you do, and for whom

One sentence that a visitor understands in five seconds.
:::

::: cards
::: card {button="More" href="/about"}
### The first thing you offer

Two sentences about it.
:::
::: card {button="More" href="/about"}
### The second

Two sentences about it.
:::
::: card {button="More" href="/about"}
### The third

Two sentences about it.
:::
:::

::: quote {by="A happy customer"}
A sentence that somebody really said to you is worth more than ten of your own.
:::

::: hours
| Day | Open |
| --- | --- |
| Monday to Friday | 9–18 |
| Saturday | 9–13 |
:::

::: call {button="Write to us" href="/contact"}
## A question?

We answer within a day.
:::
`,
      },
      {
        slug: 'about',
        title: 'About us',
        position: 1,
        body: `::: text
## Since when, and why

Tell how it began. A picture of the house or of the people helps: click on this part to add one.
:::

::: people
::: person {name="Name" role="What they do"}
One sentence.
:::
::: person {name="Name" role="What they do"}
One sentence.
:::
:::
`,
      },
      {
        slug: 'contact',
        title: 'Contact',
        position: 2,
        body: `::: columns
::: column
## Visit us

[Name of the firm]

[Street and number]

[Post code and town]
:::
::: column
## Write or call

[you@example.org](mailto:you@example.org)

[+00 000 0000](tel:+000000000)
:::
:::
`,
      },
    ],
    home: '/welcome',
    menu: ['/about', '/contact'],
  },
  de: {
    entries: [
      {
        slug: 'willkommen',
        title: 'Willkommen',
        body: `::: hero {button="Schreiben Sie uns" href="/kontakt"}
## Was Sie tun, und für wen

Ein Satz, den ein Besucher in fünf Sekunden versteht.
:::

::: cards
::: card {button="Mehr" href="/ueber-uns"}
### Das Erste, was Sie anbieten

Zwei Sätze dazu.
:::
::: card {button="Mehr" href="/ueber-uns"}
### Das Zweite

Zwei Sätze dazu.
:::
::: card {button="Mehr" href="/ueber-uns"}
### Das Dritte

Zwei Sätze dazu.
:::
:::

::: quote {by="Eine zufriedene Kundin"}
Ein Satz, den jemand wirklich zu Ihnen gesagt hat, wiegt mehr als zehn eigene.
:::

::: hours
| Tag | Geöffnet |
| --- | --- |
| Montag bis Freitag | 9–18 |
| Samstag | 9–13 |
:::

::: call {button="Schreiben Sie uns" href="/kontakt"}
## Eine Frage?

Wir antworten innerhalb eines Tages.
:::
`,
      },
      {
        slug: 'ueber-uns',
        title: 'Über uns',
        position: 1,
        body: `::: text
## Seit wann, und warum

Erzählen Sie, wie es begann. Ein Bild des Hauses oder der Menschen hilft: Klicken Sie auf diesen Teil, um eines hinzuzufügen.
:::

::: people
::: person {name="Name" role="Was sie tut"}
Ein Satz.
:::
::: person {name="Name" role="Was er tut"}
Ein Satz.
:::
:::
`,
      },
      {
        slug: 'kontakt',
        title: 'Kontakt',
        position: 2,
        body: `::: columns
::: column
## Besuchen Sie uns

[Name der Firma]

[Straße und Hausnummer]

[Postleitzahl und Ort]
:::
::: column
## Schreiben oder anrufen

[sie@example.org](mailto:sie@example.org)

[+00 000 0000](tel:+000000000)
:::
:::
`,
      },
    ],
    home: '/willkommen',
    menu: ['/ueber-uns', '/kontakt'],
  },
}
