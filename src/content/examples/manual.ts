// The beginning of a manual: a first page, and pages in a tree.

import type { Beginnings } from './example.ts'

export const manual: Beginnings = {
  en: {
    entries: [
      {
        slug: 'start',
        title: 'Start here',
        body: `Say in one paragraph what this manual is about and for whom it is.

1. Read [how to install it](/guide/install).
2. Do the [first steps](/guide/first-steps).

> [!TIP]
> The tree at the side is made of the pages and the pages below them.
`,
      },
      {
        slug: 'guide',
        title: 'Guide',
        position: 1,
        body: 'What the pages below are about.\n',
      },
      {
        slug: 'install',
        title: 'Install',
        parent: '/guide',
        position: 1,
        body: `Code has its language, and a button to copy it:

\`\`\`sh
npm install the-thing
\`\`\`

> [!NOTE]
> A note stands out like this.
`,
      },
      {
        slug: 'first-steps',
        title: 'First steps',
        parent: '/guide',
        position: 2,
        body: `::: steps
1. Do the first thing.
2. Then the second.
3. See what happened.
:::
`,
      },
    ],
    home: '/start',
    menu: [],
  },
  de: {
    entries: [
      {
        slug: 'start',
        title: 'Hier beginnen',
        body: `Sagen Sie in einem Absatz, wovon dieses Handbuch handelt und für wen es ist.

1. Lesen Sie, [wie man es installiert](/anleitung/installieren).
2. Tun Sie die [ersten Schritte](/anleitung/erste-schritte).

> [!TIP]
> Der Baum am Rand entsteht aus den Seiten und denen darunter.
`,
      },
      {
        slug: 'anleitung',
        title: 'Anleitung',
        position: 1,
        body: 'Wovon die Seiten darunter handeln.\n',
      },
      {
        slug: 'installieren',
        title: 'Installieren',
        parent: '/anleitung',
        position: 1,
        body: `Code hat seine Sprache und einen Knopf zum Kopieren:

\`\`\`sh
npm install das-ding
\`\`\`

> [!NOTE]
> Ein Hinweis sieht so aus.
`,
      },
      {
        slug: 'erste-schritte',
        title: 'Erste Schritte',
        parent: '/anleitung',
        position: 2,
        body: `::: steps
1. Tun Sie das Erste.
2. Dann das Zweite.
3. Sehen Sie, was geschah.
:::
`,
      },
    ],
    home: '/start',
    menu: [],
  },
}
