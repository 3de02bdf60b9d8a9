// SVC_Content.links: where an entry links to, and what links to it.

import { Type } from 'typebox'
import { getEntry } from '../../../content/entry.ts'
import { findLinkSources, type LinkContext, linksIn } from '../../../content/link-sources.ts'
import { findLinkedEntries } from '../../../content/linked-entries.ts'
import { action, type Context } from '../../action.ts'
import { idProperty, named } from './named.ts'

const maxShown = 200

const place = { path: Type.Union([Type.String(), Type.Null()]), title: Type.Optional(Type.String()) }

export const links = action({
  class: 'SVC_Content',
  name: 'links',
  summary: 'Shows where an entry links to, and what links to it.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found', 'unprocessable'],
  touches: 'nothing',
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({
    out: Type.Array(
      Type.Object({
        ...place,
        id: Type.Optional(Type.String()),
        url: Type.Optional(Type.String({ description: 'An address outside of the site.' })),
        status: Type.Optional(Type.String({ description: 'Of the entry that the link leads to.' })),
        moved_to: Type.Optional(Type.String({ description: 'The present path, where the link has a former one.' })),
        missing: Type.Optional(Type.Boolean({ description: 'Whether no entry is at the path, and none was.' })),
      }),
    ),
    in: Type.Array(Type.Object({ ...place, kind: Type.String(), id: Type.String() })),
  }),
  examples: [{ title: 'Before a page is deleted', input: { id: '/about' } }],
  async run(context, { id }) {
    const entry = await getEntry(context.db, named(context, id))
    const linking = linkContextOf(context)
    const { paths, others } = await linksIn(linking, entry.body)
    const targets = await findLinkedEntries(context.db, paths)
    const out = [
      ...paths.map((path) => targets.get(path) ?? { path, missing: true }),
      ...others.map((url) => ({ path: null, url })),
    ]
    const former = await context.db.selectFrom('former_path').select('path').where('entry_id', '=', entry.id).limit(20).execute()
    const own = [entry.path, ...former.map(({ path }) => path)].filter((path) => path !== null)
    return { out: out.slice(0, maxShown), in: [...(await findLinkSources(linking, own, maxShown))] }
  },
})

export const linkContextOf = ({ db, site, origin, signal }: Context): LinkContext => ({
  db,
  renderer: site.renderer,
  origin,
  signal,
})
