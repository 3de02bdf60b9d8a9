// Warnings about what a browser skips or blocks in a file of a theme.

import { findPolicySlips } from '../../themes/policy-slips.ts'
import { sitePolicy } from '../../themes/site-policy.ts'
import { findStyleSlips } from '../../themes/style-slips.ts'
import { isBinary } from '../../themes/theme-path.ts'
import type { Context } from '../call/action.ts'
import type { WriteWarning } from '../call/write-answer.ts'

/** Returns a warning for each slip in a file that was not in it before. */
export async function slipWarnings(context: Context, file: string, text: string, before = ''): Promise<readonly WriteWarning[]> {
  if (isBinary(file)) return []
  const old = new Set((await slipsIn(context, file, before)).map(({ message }) => message))
  const slips = await slipsIn(context, file, text)
  return slips
    .filter(({ message }) => !old.has(message))
    .map(({ code, line, message }) => ({ code, message: `${file}, line ${line}: ${message}` }))
}

async function slipsIn({ site, origin }: Context, file: string, text: string) {
  const policy = sitePolicy(site.settings.values.allowed_sources)
  // A file that is adopted from the folder comes without an address, and nobody reads its warnings.
  const own = URL.canParse(origin) ? new URL(origin).origin : 'http://localhost'
  return [...(await findStyleSlips(file, text)), ...findPolicySlips(file, text, { policy, own })]
}
