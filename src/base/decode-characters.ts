// Character references of HTML and XML that can hide an address, a name or a character of markup.

const named: Readonly<Record<string, string>> = { tab: '\t', newline: '\n', colon: ':' }

/** Decodes character references: `&#106;avascript&colon;` is the same as `javascript:`. No letter has a name. */
export function decodeCharacters(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x0*([0-9a-f]{1,6})|#0*([0-9]{1,7})|(tab|newline|colon));?/gi,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}
