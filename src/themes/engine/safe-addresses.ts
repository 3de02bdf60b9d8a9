// Addresses that run a script, in every spelling.

import { decodeCharacters } from '../../base/decode-characters.ts'

/** True for `javascript:` and `vbscript:`. Browsers ignore spaces and control characters before it, and line ends within it. */
export function runsScript(value: string): boolean {
  if (/^(?:https?:|[/#?])/i.test(value) || !/[:&]/.test(value)) return false
  // oxlint-disable-next-line no-control-regex
  return /^(?:java|vb)script:/i.test(decodeCharacters(value).replace(/[\u0000-\u0020]/g, ''))
}
