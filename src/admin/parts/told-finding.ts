// A finding of the health check in the language of the page.

import type { Finding } from '../../doctor/finding.ts'
import type { Words } from '../words.ts'

type Told = Pick<Finding, 'message' | 'fix' | 'seen'>

/** The finding in words for people. A fix that is the call of an action is for programs. */
export function toldFinding(t: Words, { message, fix, seen }: Told): Told {
  const said = fix === null ? null : t.said(fix)
  return {
    message: t.said(message),
    fix: said === null || said.startsWith('SVC_') ? null : said,
    seen: seen === null ? null : t.said(seen),
  }
}
