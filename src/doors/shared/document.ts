// The frame of a page that belongs to one visitor or one moment, such as the admin's and an error's: search engines don't index it.

import { html, type Html, type HtmlValue } from './html.ts'

interface DocumentParts {
  readonly title: string
  /** The language as BCP 47; the default is English. */
  readonly language?: string
  /** More elements of the head, such as a style sheet or a colour scheme. */
  readonly head?: HtmlValue
  /** The `body` element. */
  readonly body: Html
}

export function unindexedDocument({ title, language = 'en', head, body }: DocumentParts): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${head}
      </head>
      ${body}
    </html> `.toString()
}
