import { Type } from 'typebox'
import { pathNamed } from '../../content/entries/entry.ts'
import { findWay } from '../../content/redirects/redirect-ways.ts'
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
    path: nonEmptyText('A path of the site, such as `/old-shop`.', 1100),
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
    const { hops, status } = await findWay(db, pathNamed(pathOnSite(context, path) ?? path), now, (at) => isServedPath(db, at))
    return { hops: [...hops], status }
  },
})
