// Forms of the address `/mcp/` in old release profiles: some redirect the form without a slash, and some tell letter case apart. Release 1 serves the endpoint with or without the slash and in any letter case.

import type { ProgramServices } from '../../actions/services.ts'
import { basePathOf } from '../../config.ts'
import { HttpFailure } from '../../http/failure.ts'
import { redirect } from '../../http/reply.ts'
import type { Handler, Methods, Route } from '../../http/route.ts'
import { openHeaders } from '../cors.ts'

/** The rows of the endpoint; in release 1 the one row given. */
export function mcpAddresses({ release, config }: ProgramServices, endpoint: Route): readonly Route[] {
  const { slashlessMcp, slugCase: letterCase } = release
  const redirects = slashlessMcp === 'redirect' || (slashlessMcp === 'redirect-below-slug' && basePathOf(config) !== '')
  const rows = redirects ? redirectingRows({ ...endpoint, letterCase }) : [{ ...endpoint, letterCase }]
  return letterCase === 'any' ? rows : [...rows, ...otherCaseRows(endpoint.path)]
}

const withoutSlash = (path: string): string => path.slice(0, -1)

/** A preflight is answered on both forms, since browsers follow no redirect of it. */
function redirectingRows(endpoint: Route): readonly Route[] {
  const { OPTIONS = toSlash } = endpoint.methods
  return [
    { ...endpoint, slash: 'exact' },
    { ...endpoint, path: withoutSlash(endpoint.path), slash: 'exact', methods: { ...every(toSlash), OPTIONS } },
  ]
}

/** Rows for releases that tell letter case apart: `/MCP` is taken for a page without its slash, and `/MCP/` is missing. */
function otherCaseRows(path: string): readonly Route[] {
  return [
    { path: withoutSlash(path), slash: 'exact', letterCase: 'any', methods: every(toSlash), door: 'site' },
    { path, slash: 'exact', letterCase: 'any', methods: every(missing), door: 'site' },
  ]
}

const every = (handler: Handler): Methods => ({
  GET: handler,
  POST: handler,
  PUT: handler,
  PATCH: handler,
  DELETE: handler,
  OPTIONS: handler,
})

const toSlash: Handler = ({ basePath, rawPath, target }) => {
  const query = target.indexOf('?')
  const location = `${basePath}${rawPath}/${query < 0 ? '' : target.slice(query)}`
  return redirect(302, location, { ...openHeaders, 'x-redirect-by': 'Postern' })
}

const missing: Handler = () => {
  throw new HttpFailure('not_found', 'There is no page here.')
}
