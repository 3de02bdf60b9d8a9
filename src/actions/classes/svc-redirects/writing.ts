// SVC_Redirects.create, update, put-many and delete.

import { Type } from 'typebox'
import { redirectStatuses, toSource, toTarget } from '../../../content/redirect-rules.ts'
import { type RedirectDraft, writeRedirects } from '../../../content/redirects.ts'
import { Failure } from '../../../failure.ts'
import { action, type WriteContext } from '../../action.ts'
import { doneOutput, nullable, writeProperties } from '../../write-answer.ts'
import { readCsv } from './csv.ts'
import { findRedirect, getRedirect, hitsOf, idProperty, itemOf, redirectItem } from './reading.ts'
import { closed } from '../../../schema.ts'

const maxChars = 1100
const from = Type.String({
  description: 'The old path, such as `/old-shop`, or `/old/*` for all paths below one.',
  minLength: 1,
  maxLength: maxChars,
})
const to = nullable(
  Type.String({ minLength: 1, maxLength: maxChars }),
  'The new path or https:// address; null says that the page is gone for good (410). `/new/*` keeps what `*` stands for in `from`.',
)
const status = Type.Optional(
  Type.Enum([...redirectStatuses], { description: '301 and 308 are for good, 302 and 307 for a while. The default is 301.' }),
)
const note = Type.Optional(nullable(Type.String({ maxLength: 500 }), 'Why it is there.'))

const output = Type.Object({ item: redirectItem, changed: Type.Array(Type.String()), ...writeProperties })

const publicNames: Readonly<Record<string, string>> = { source: 'from', target: 'to' }

async function wrote(context: WriteContext, draft: RedirectDraft) {
  const [written] = await writeRedirects(context.change, [draft], 'hand')
  if (!written) throw new Error('A redirect was not written.')
  const hit = (await hitsOf(context.db, [written.row.id])).get(written.row.id)
  return {
    item: itemOf(written.row, hit, context.select !== undefined),
    changed: written.changed.filter((column) => column !== 'origin').map((column) => publicNames[column] ?? column),
    warnings: [],
    activity_id: null,
  }
}

export const create = action('SVC_Redirects.create', {
  title: 'Add [the redirect {title}|a redirect]',
  summary: 'Adds a redirect from an old path.',
  did: 'added [the redirect {title}|a redirect]',
  tier: 'content',
  effect: 'write',
  failures: ['exists'],
  touches: 'site',
  input: closed({ from, to, status, note }),
  output,
  examples: [
    { title: 'An old address', input: { from: '/shop-old', to: '/about' } },
    { title: 'A whole section', input: { from: '/news-old/*', to: '/news/*' } },
    { title: 'A page that is gone', input: { from: '/offer-2019', to: null } },
  ],
  async run(context, given) {
    const source = toSource(given.from)
    const taken = await findRedirect(context.db, source)
    if (taken?.source === source)
      throw new Failure('exists', `There is a redirect from ${source} already.`, {
        field: 'from',
        by: { id: taken.id, to: taken.target },
        hint: 'SVC_Redirects.update changes it, and put-many replaces it.',
      })
    return wrote(context, {
      source,
      target: toTarget(given.to, source),
      status: given.status ?? 301,
      note: given.note,
      field: 'from',
    })
  },
})

export const update = action('SVC_Redirects.update', {
  title: 'Change [the redirect {title}|a redirect]',
  summary: 'Changes a redirect. A field that is left out stays.',
  did: 'changed [the redirect {title}|a redirect]',
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists'],
  touches: 'site',
  revisioned: true,
  input: closed({ id: idProperty, from: Type.Optional(from), to: Type.Optional(to), status, note }),
  output,
  examples: [{ title: 'Another target', input: { id: '/old-shop', to: '/' } }],
  async run(context, { id, ...given }) {
    const row = await getRedirect(context, id)
    const source = given.from === undefined ? row.source : toSource(given.from)
    const taken = source === row.source ? undefined : await findRedirect(context.db, source)
    if (taken)
      throw new Failure('exists', `There is a redirect from ${source} already.`, {
        field: 'from',
        by: { id: taken.id, to: taken.target },
      })
    const target = given.to === undefined ? row.target : toTarget(given.to, source)
    return wrote(context, {
      row,
      source,
      target: toTarget(target, source),
      status: given.status ?? row.status,
      note: given.note,
      field: 'from',
    })
  },
})

const rule = closed({ from, to, status, note })

export const putMany = action('SVC_Redirects.put-many', {
  title: 'Write [the redirects {title}|many redirects]',
  summary: 'Writes up to 1,000 redirects, each instead of one from the same path: all or none.',
  did: 'wrote [the redirects {title}|many redirects]',
  tier: 'content',
  effect: 'write',
  failures: [],
  touches: 'site',
  input: closed({
    rules: Type.Optional(Type.Array(rule, { description: 'The redirects.', minItems: 1, maxItems: 1000 })),
    csv: Type.Optional(
      Type.String({
        description:
          'The same as lines of `from,to,status,note`, with or without such a first line. An empty `to` says gone for good.',
        maxLength: 512 * 1024,
      }),
    ),
  }),
  output: doneOutput,
  examples: [
    {
      title: 'Two rules',
      input: {
        rules: [
          { from: '/a-old', to: '/about' },
          { from: '/b-old', to: null },
        ],
      },
    },
    { title: 'From a spreadsheet', input: { csv: 'from,to\n/team-old,/about\n/jobs-old,/about\n' } },
  ],
  async run(context, { rules, csv }) {
    if ((rules === undefined) === (csv === undefined))
      throw new Failure('invalid', 'Give either `rules` or `csv`.', {
        field: rules ? 'csv' : 'rules',
        expected: 'one of `rules` and `csv`',
      })
    const drafts = new Map<string, RedirectDraft>()
    for (const { at, ...given } of rules ? rules.map((one, at) => ({ ...one, at: `rules.${at}.` })) : readCsv(csv ?? '')) {
      const source = toSource(given.from, `${at}from`)
      if (drafts.has(source))
        throw new Failure('invalid', `There are two redirects from ${source}.`, {
          field: `${at}from`,
          expected: 'each path once',
        })
      const target = toTarget(given.to, source, `${at}to`)
      drafts.set(source, { source, target, status: given.status ?? 301, note: given.note, field: `${at}from` })
    }
    const written = await writeRedirects(context.change, [...drafts.values()], 'hand')
    const ids = (did: boolean) => written.filter(({ changed }) => changed.length > 0 === did).map(({ row }) => row.id)
    return { done: ids(true), unchanged: ids(false), warnings: [], activity_id: null }
  },
})

export const remove = action('SVC_Redirects.delete', {
  title: 'Delete [the redirect {title}|a redirect]',
  summary: 'Deletes redirects.',
  did: 'deleted [the redirect {title}|a redirect]',
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'site',
  input: closed({
    ids: Type.Array(idProperty, {
      description: 'Ids of redirects, or the paths that they are from.',
      minItems: 1,
      maxItems: 100,
    }),
  }),
  output: doneOutput,
  examples: [{ title: 'One by its path', input: { ids: ['/old-shop'] } }],
  async run(context, { ids }) {
    const rows = new Map((await Promise.all(ids.map((id) => getRedirect(context, id)))).map((row) => [row.id, row]))
    for (const row of rows.values()) await context.change.remove('redirect', row)
    return { done: [...rows.keys()], unchanged: [], warnings: [], activity_id: null }
  },
})
