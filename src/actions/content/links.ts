import { Type } from 'typebox'
import { type FieldLinks, linksOf } from '../../content/entries/entry-links.ts'
import { findLinkEnds } from '../../content/markdown/link-ends.ts'
import { findLinkSources, type LinkContext } from '../../content/markdown/link-sources.ts'
import { action, type Context } from '../call/action.ts'
import { isServedPath } from '../redirects/served-path.ts'
import { idProperty, getNamed } from './named.ts'
import { closed, flag } from '../../base/schema.ts'
import { nullable } from '../call/write-answer.ts'

const maxShown = 200

const place = { path: nullable(Type.String()), title: Type.Optional(Type.String()) }

export const links = action('SVC_Content.links', {
  title: 'Show the links of an entry',
  summary: 'Shows where an entry links to, and what links to it.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found', 'unprocessable'],
  input: closed({ id: idProperty }),
  output: Type.Object({
    out: Type.Array(
      Type.Object({
        ...place,
        kind: Type.Optional(
          Type.Enum(['entry', 'media', 'term', 'redirect', 'site'], {
            description: 'What is at the path. `site` is a page of the site itself, such as the home page or a feed.',
          }),
        ),
        id: Type.Optional(Type.String()),
        url: Type.Optional(Type.String({ description: 'An address outside of the site.' })),
        status: Type.Optional(
          Type.String({
            description:
              'Of the entry that the link leads to; `public` or `trash` of a file; the HTTP status at the end of a redirect.',
          }),
        ),
        moved_to: Type.Optional(Type.String({ description: 'The present path, where the link has a former one.' })),
        leads_to: Type.Optional(nullable(Type.String(), 'Where a redirect leads; null where the page is gone for good.')),
        missing: flag('Whether nothing is at the path, and nothing was.'),
      }),
    ),
    in: Type.Array(Type.Object({ ...place, kind: Type.Enum(['entry', 'menu', 'redirect', 'term']), id: Type.String() }), {
      description: 'Entries by their text or fields, menus, redirects, and terms by their text.',
    }),
  }),
  examples: [{ title: 'Before a page is deleted', input: { id: '/about' } }],
  async run(context, { id }) {
    const entry = await getNamed(context, id)
    const linking = linkContextOf(context)
    const found = await linksOf(linking, entry)
    const all = (name: 'paths' | 'media' | 'entries' | 'others') => [...new Set(found.flatMap((one: FieldLinks) => one[name]))]
    const { db, now } = context
    const ends = await findLinkEnds(
      { db, now, isServed: (path) => isServedPath(db, path) },
      { paths: all('paths'), media: all('media'), entries: all('entries') },
    )
    const out = [...ends.values(), ...all('others').map((url) => ({ path: null, url }))]
    const former = await context.db.selectFrom('former_path').select('path').where('entry_id', '=', entry.id).limit(20).execute()
    const own = [entry.path, ...former.map(({ path }) => path)].filter((path) => path !== null)
    return { out: out.slice(0, maxShown), in: [...(await findLinkSources(linking, { id: entry.id, paths: own }, maxShown))] }
  },
})

export const linkContextOf = ({ db, site, origin, signal }: Context): LinkContext => ({
  db,
  renderer: site.renderer,
  types: site.types.current,
  origin,
  signal,
})
