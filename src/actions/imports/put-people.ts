// SVC_Import.put-people: takes back the comments and members of old sites that an export of this site has.

import { type Static, Type } from 'typebox'
import { boundedText, closed, nonEmptyText } from '../../base/schema.ts'
import { targetsNamed } from '../../content/redirects/old-names.ts'
import { keepComment, keepMember } from '../../imports/behind/kept-people.ts'
import { toTime } from '../../content/types/field-values.ts'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'

const key = {
  site: nonEmptyText('The old site, as SVC_Import.list names it.', 500),
  old: nonEmptyText('The id there.', 500),
}

const comment = closed({
  ...key,
  entry: Type.Optional(nonEmptyText('Path of the entry here.', 1100)),
  parent: Type.Optional(nonEmptyText('The old id of the comment above.', 500)),
  name: boundedText('The name of the writer.', 200),
  email: Type.Optional(boundedText('Never shown to visitors.', 254)),
  website: Type.Optional(boundedText('The address of the writer\u2019s site.', 1000)),
  posted_at: nonEmptyText('ISO 8601.', 100),
  approved: Type.Boolean(),
  html: boundedText('It is cleaned.', 100_000),
})

const member = closed({
  ...key,
  email: nonEmptyText('The address.', 254),
  name: Type.Optional(boundedText('The name.', 200)),
  joined_at: Type.Optional(nonEmptyText('ISO 8601.', 100)),
  subscribed: Type.Boolean(),
})

const several = <T extends typeof comment | typeof member>(row: T, of: string) =>
  Type.Optional(
    Type.Array(row, { maxItems: 500, description: `${of} of an old site, each instead of the one with the same id.` }),
  )

export const putPeople = action('SVC_Import.put-people', {
  title: 'Keep comments and members of an old site',
  summary: 'Takes back the comments and members of old sites that an export of this site has. They are kept for admins alone.',
  did: 'kept comments and members of an old site',
  tier: 'admin',
  effect: 'act',
  touches: 'unlimited',
  batchable: false,
  input: closed({ comments: several(comment, 'Comments'), members: several(member, 'Members') }),
  output: Type.Object({ comments: Type.Integer(), members: Type.Integer(), ...writeProperties }),
  examples: [
    {
      title: 'A member',
      input: { members: [{ site: 'old.example.org', old: '7', email: 'bo@example.org', subscribed: true }] },
    },
  ],
  async prepare({ site }, { comments = [] }) {
    return Promise.all(comments.map(async ({ html }) => (await site.renderer.clean(html.replaceAll('\0', ''))).html))
  },
  async run({ change, db, site }, { comments = [], members = [] }, cleaned) {
    const paths = comments.flatMap(({ entry }) => entry ?? [])
    const targets = await targetsNamed(db, paths)
    const timeZone = site.settings.values.time_zone
    for (const [at, one] of comments.entries()) {
      const target = one.entry === undefined ? undefined : targets.get(one.entry)
      keepComment(change.db, {
        ...keysOf(one),
        entry_id: target?.targetKind === 'entry' ? target.targetId : null,
        parent_id: one.parent ?? null,
        name: one.name,
        email: one.email || null,
        website: one.website || null,
        posted_at: toTime(one.posted_at, { field: `comments[${at}].posted_at`, timeZone }),
        html: cleaned[at] ?? '',
        approved: one.approved ? 1 : 0,
      })
    }
    for (const [at, one] of members.entries())
      keepMember(change.db, {
        ...keysOf(one),
        email: one.email,
        name: one.name || null,
        joined_at: one.joined_at === undefined ? null : toTime(one.joined_at, { field: `members[${at}].joined_at`, timeZone }),
        subscribed: one.subscribed ? 1 : 0,
      })
    return { comments: comments.length, members: members.length, warnings: [], activity_id: null }
  },
})

/** Rows that no import of this site brought belong to no run, so no undo of one takes them away. */
const keysOf = ({ site, old }: Static<typeof comment> | Static<typeof member>) => ({ source: site, old_id: old, run_id: '' })
