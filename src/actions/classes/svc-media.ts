// SVC_Media: for now only protected files, which have no public address. `get` signs an address that works for an hour.

import { type Static, Type } from 'typebox'
import { notFound } from '../../failure.ts'
import { openProtectedFiles, type ProtectedFile } from '../../media/protected-files.ts'
import { signedMs, signedPath } from '../../media/signed-address.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { type Action, action, type Context } from '../action.ts'
import { decodeCursor, encodeCursor, maxCursorLength } from '../cursor.ts'
import { listOutput } from '../list.ts'

const fileProperties = {
  id: Type.String({ description: 'The path below `uploads/`.' }),
  kind: Type.String({ description: 'Media type, read from the content.' }),
  bytes: Type.Integer(),
  protected: Type.Boolean({ description: 'Whether the file has no public address.' }),
  filename: Type.String(),
  updated_at: Type.String(),
}
const fileItem = Type.Object(fileProperties)
const signedItem = Type.Object({
  ...fileProperties,
  url: Type.String({
    description: 'Fetches the file without a token until `expires_at`, even if the token of this call is revoked.',
  }),
  expires_at: Type.String(),
})

const filesOf = ({ site }: Context) => openProtectedFiles(site.config.POSTERN_HOME)

const list = action({
  class: 'SVC_Media',
  name: 'list',
  summary: 'Lists the files in `uploads/protected/`, which have no public address.',
  tier: 'read',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: Type.Object(
    {
      search: Type.Optional(Type.String({ description: 'Only files whose path contains this text.', maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'The most files to list. The default is 20.' })),
      cursor: Type.Optional(
        Type.String({ description: '`next_cursor` of the previous page. Keep `search` unchanged.', maxLength: maxCursorLength }),
      ),
      count: Type.Optional(Type.Boolean({ description: 'Whether the answer includes `total`.' })),
    },
    { additionalProperties: false },
  ),
  output: listOutput(fileItem),
  examples: [
    { title: 'All of them', input: { count: true } },
    { title: 'Files with "report" in their path', input: { search: 'report' } },
  ],
  async run(context, { search = '', limit = 20, cursor, count }) {
    const [key, identity] = [context.site.key.derive('cursor'), { list: 'protected files', search }]
    const after = cursor === undefined ? '' : String(decodeCursor(key, identity, cursor).key)
    const files = filesOf(context)
    const all = (await files.list()).filter((id) => id.toLowerCase().includes(search.toLowerCase()))
    const left = all.filter((id) => id > after)
    const page = left.slice(0, limit)
    const last = page.at(-1) ?? ''
    const items: Static<typeof fileItem>[] = []
    for (const id of page) {
      const file = await files.find(id)
      if (file) items.push(itemOf(file))
    }
    const next = left.length > limit ? encodeCursor(key, identity, { value: last, key: last }) : null
    return { items, next_cursor: next, ...(count === true ? { total: all.length } : {}) }
  },
})

const get = action({
  class: 'SVC_Media',
  name: 'get',
  summary: 'Shows a protected file, with an address that works for an hour.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: Type.Object(
    {
      id: Type.String({ description: 'Path below `uploads/`, such as `protected/report.pdf`.', minLength: 1, maxLength: 1000 }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ item: signedItem }),
  examples: [{ title: 'One by its path', input: { id: 'protected/report.pdf' } }],
  async run(context, { id }) {
    const { site, now, origin } = context
    const file = await filesOf(context).find(id)
    if (!file) throw notFound('protected file', id, 'SVC_Media.list lists the protected files.')
    const until = now + signedMs
    return { item: { ...itemOf(file), url: origin + signedPath(site.key, file, until), expires_at: formatDate(until) } }
  },
})

const itemOf = ({ id, kind, bytes, filename, changedAt }: ProtectedFile): Static<typeof fileItem> => ({
  id,
  kind,
  bytes,
  protected: true,
  filename,
  updated_at: formatDate(changedAt),
})

export const mediaActions: readonly Action[] = [list, get]
