import { Type } from 'typebox'
import { pathNamed } from '../../content/entries/entry.ts'
import { hopOfNumber, hopOfRule, readQueryRules, splitQuery } from '../../content/redirects/query-rules.ts'
import { findWay, findWayAfter } from '../../content/redirects/redirect-ways.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { pathOnSite } from '../shared/own-address.ts'
import { isServedPath } from './served-path.ts'

export const resolve = action('SVC_Redirects.resolve', {
  title: 'Follow a path',
  summary: 'Tells where a visitor ends up who asks for a path, and by which redirects.',
  tier: 'any',
  effect: 'read',
  input: closed({
    path: nonEmptyText('A path of the site, such as `/old-shop`, with its query if that matters.', 1100),
  }),
  output: Type.Object({
    hops: Type.Array(
      Type.Object({
        from: Type.String(),
        to: nullable(Type.String()),
        status: Type.Integer(),
        redirect: nullable(Type.String(), 'Id of the redirect; null where an entry has moved.'),
      }),
      { description: 'Visitors get them as one redirect to the last address.' },
    ),
    status: nullable(Type.Integer(), 'What is answered at the end: 200, 404 or 410; null on another site.'),
  }),
  examples: [{ title: 'Where an old address leads', input: { path: '/old-shop' } }],
  async run(context, { path }) {
    const { db, now } = context
    const { query } = splitQuery(path)
    const at = pathNamed(pathOnSite(context, path) ?? splitQuery(path).path)
    const isServed = (one: string) => isServedPath(db, one)
    const asked = new URLSearchParams(query)
    const first =
      query === undefined
        ? undefined
        : (hopOfRule(await readQueryRules(db), at, asked) ??
          (await hopOfNumber(db, at, asked, now, /^\/(?:index\.php)?$/.test(at))))
    if (first === 'unknown') return { hops: [], status: 404 }
    if (first === undefined) {
      const { hops, status } = await findWay(db, at, now, isServed)
      return { hops: [...hops], status }
    }
    const { left: _left, ...hop } = first
    const { hops, status } = await findWayAfter(db, hop, now, isServed)
    return { hops: [...hops], status }
  },
})
