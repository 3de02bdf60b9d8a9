// Forms of the address `/mcp/` in old release profiles: some redirect the form without a slash, and some distinguish letter case.
// Release 1 serves the endpoint with or without the slash and in any letter case.

import type { ProgramServices } from '../../../actions/call/services.ts'
import { basePathOf } from '../../../base/config.ts'
import { HttpFailure } from '../../../http/failure.ts'
import { redirect } from '../../../http/reply.ts'
import { everyMethod, type Handler, type Route } from '../../../http/route.ts'
import { openHeaders } from '../cors.ts'

/** The routes of the endpoint; in release 1 the given one. */
export function mcpAddresses({ release, config }: ProgramServices, endpoint: Route): readonly Route[] {
  const { slashlessMcp, slugCase: letterCase } = release
  const redirects = slashlessMcp === 'redirect' || (slashlessMcp === 'redirect-below-slug' && basePathOf(config) !== '')
  const rows = redirects ? redirectingRows({ ...endpoint, letterCase }) : [{ ...endpoint, letterCase }]
  return letterCase === 'any' ? rows : [...rows, ...otherCaseRows(endpoint.path)]
}

const withoutSlash = (path: string): string => path.slice(0, -1)

/** The routes of a release that redirects. Both forms answer a preflight, because browsers don't follow its redirects. */
function redirectingRows(endpoint: Route): readonly Route[] {
  const { OPTIONS = toSlash } = endpoint.methods
  return [
    { ...endpoint, slash: 'exact' },
    { ...endpoint, path: withoutSlash(endpoint.path), slash: 'exact', methods: { ...everyMethod(toSlash), OPTIONS } },
  ]
}

/** Routes for releases that distinguish letter case: `/MCP` counts as a page without its slash, and `/MCP/` is missing. */
function otherCaseRows(path: string): readonly Route[] {
  return [
    {
      path: withoutSlash(path),
      slash: 'exact',
      letterCase: 'any',
      methods: { ...everyMethod(toSlash), OPTIONS: toSlash },
      door: 'site',
    },
    { path, slash: 'exact', letterCase: 'any', methods: { ...everyMethod(missing), OPTIONS: missing }, door: 'site' },
  ]
}

const toSlash: Handler = ({ basePath, rawPath, target }) => {
  const query = target.indexOf('?')
  const location = `${basePath}${rawPath}/${query < 0 ? '' : target.slice(query)}`
  return redirect(302, location, { ...openHeaders, 'x-redirect-by': 'Postern' })
}

const missing: Handler = () => {
  throw new HttpFailure('not_found', 'There is no page here.')
}
