// Escaping for the markup that rendering makes. Pages are made with `doors/shared/html.ts`.

/** The characters with a meaning in HTML. Each kind of markup escapes those that matter in its places. */
export const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '\0': '\ufffd',
}

/** Text for element content and for attributes in double quotation marks. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => htmlEntities[char] ?? char)
