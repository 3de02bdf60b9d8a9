// Escaping for the markup that rendering makes. Pages are made with `doors/shared/html.ts`.

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text for element content and for attributes in double quotation marks. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => entities[char] ?? char)
