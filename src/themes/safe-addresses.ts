// Addresses that run a script, in every way in which a page may write them.

/** Browsers ignore spaces and control characters at the start of an address, and line ends and tabs within it. */
export function runsScript(value: string): boolean {
  if (/^(?:https?:|[/#?])/i.test(value) || !/[:&]/.test(value)) return false
  // oxlint-disable-next-line no-control-regex
  return /^(?:java|vb)script:/i.test(decodeCharacters(value).replace(/[\u0000-\u0020]/g, ''))
}

const named: Readonly<Record<string, string>> = { tab: '\t', newline: '\n', colon: ':' }

/** `&#106;avascript&colon;` is the same as `javascript:`. No letter has a name. */
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
