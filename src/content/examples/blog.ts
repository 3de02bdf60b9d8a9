// The beginning of a blog: one post, and a page about its writer.

import type { Beginnings } from './example.ts'

export const blog: Beginnings = {
  en: {
    entries: [
      {
        isPost: true,
        slug: 'hello',
        title: 'Hello',
        excerpt: 'This is an example post. Change it, or throw it away.',
        body: `This is an example post. Change it, or throw it away: the home page of the admin has a button for that.

## What a post can have

Write as you would in a letter. **Bold** words, *emphasis*, [links](/about), lists and quotations are in the bar above the text, and behind the key \`/\`.

- A picture: drag it into the text, or press the picture button.
- A table, a video, a footnote: press \`/\` and choose.
- A part with columns, cards or a button: these are sections.

> A quotation stands out like this.

When you are done, press **Publish**. What you typed before that is saved all the time.
`,
      },
      {
        slug: 'about',
        title: 'About',
        position: 1,
        body: `::: text
## Who writes here

Say in two sentences who you are and what you write about. Readers come here when they liked a post.
:::

You can add a picture of yourself to the part above: click on it.
`,
      },
    ],
    menu: ['/about'],
  },
  de: {
    entries: [
      {
        isPost: true,
        slug: 'hallo',
        title: 'Hallo',
        excerpt: 'Das ist ein Beispiel. Ändern Sie es, oder werfen Sie es weg.',
        body: `Das ist ein Beispiel. Ändern Sie es, oder werfen Sie es weg: Auf der Startseite der Verwaltung gibt es dafür einen Knopf.

## Was ein Beitrag haben kann

Schreiben Sie wie in einem Brief. **Fette** Wörter, *Betonung*, [Links](/ueber-mich), Listen und Zitate stehen in der Leiste über dem Text und hinter der Taste \`/\`.

- Ein Bild: Ziehen Sie es in den Text, oder drücken Sie den Bild-Knopf.
- Eine Tabelle, ein Video, eine Fußnote: \`/\` drücken und auswählen.
- Ein Teil mit Spalten, Karten oder einem Knopf: Das sind Abschnitte.

> Ein Zitat sieht so aus.

Wenn Sie fertig sind, drücken Sie **Veröffentlichen**. Was Sie vorher tippen, wird laufend gespeichert.
`,
      },
      {
        slug: 'ueber-mich',
        title: 'Über mich',
        position: 1,
        body: `::: text
## Wer hier schreibt

Sagen Sie in zwei Sätzen, wer Sie sind und worüber Sie schreiben. Hierher kommt, wem ein Beitrag gefallen hat.
:::

Dem Teil oben können Sie ein Bild von sich geben: Klicken Sie darauf.
`,
      },
    ],
    menu: ['/ueber-mich'],
  },
}
