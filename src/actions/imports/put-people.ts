// SVC_Import.put-people: takes back the authors that an export of this site has, and the comments and members of old sites.

import { type Static, Type } from 'typebox'
import { boundedText, closed, nonEmptyText } from '../../base/schema.ts'
import { targetsNamed } from '../../content/redirects/old-names.ts'
import { maxSlugChars } from '../../content/entries/slug.ts'
import { maxBioChars, maxPictureChars, readPicture } from '../../identity/profile.ts'
import type { Change } from '../../store/change/change.ts'
import { keepComment, keepMember } from '../../imports/behind/kept-people.ts'
import { toTime } from '../../content/types/field-values.ts'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { writtenBy } from './insert-comment.ts'
import { hasProfile, insertProfile } from './insert-profile.ts'

const key = {
  site: nonEmptyText('The old site, as SVC_Import.list names it.', 500),
  old: nonEmptyText('The id there.', 500),
}

const comment = closed({
  ...key,
  entry: Type.Optional(nonEmptyText('Path of the entry here.', 1100)),
  parent: Type.Optional(nonEmptyText('The old id of the comment above.', 500)),
  name: boundedText('The name of the writer.', 200),
  ...writtenBy,
  html: boundedText('It is cleaned.', 100_000),
})

const member = closed({
  ...key,
  email: nonEmptyText('The address.', 254),
  name: Type.Optional(boundedText('The name.', 200)),
  joined_at: Type.Optional(nonEmptyText('ISO 8601.', 100)),
  subscribed: Type.Boolean(),
})

const author = closed({
  slug: nonEmptyText('The slug of the profile. One that is here stays as it is.', maxSlugChars),
  name: nonEmptyText('The name.', 200),
  bio: Type.Optional(boundedText('About the author.', maxBioChars)),
  picture: Type.Optional(nonEmptyText('Path or https address of a picture.', maxPictureChars)),
})

const several = <T extends typeof comment | typeof member | typeof author>(row: T, description: string) =>
  Type.Optional(Type.Array(row, { maxItems: 500, description }))
const instead = 'of an old site, each instead of the one with the same id.'

export const putPeople = action('SVC_Import.put-people', {
  title: 'Take back authors, comments and members of an export',
  summary: 'Takes back the authors of an export, as profiles that cannot sign in, and comments and members of old sites.',
  did: 'took back authors, comments and members of an export',
  tier: 'admin',
  effect: 'act',
  touches: 'unlimited',
  batchable: false,
  input: closed({
    authors: several(author, 'Authors of the export.'),
    comments: several(comment, `Comments ${instead}`),
    members: several(member, `Members ${instead}`),
  }),
  output: Type.Object({
    authors: Type.Integer({ description: 'How many profiles were made.' }),
    comments: Type.Integer(),
    members: Type.Integer(),
    ...writeProperties,
  }),
  examples: [
    {
      title: 'A member',
      input: { members: [{ site: 'old.example.org', old: '7', email: 'bo@example.org', subscribed: true }] },
    },
  ],
  async prepare({ site }, { comments = [] }) {
    // One after the other: more at once than may wait are refused.
    const cleaned: string[] = []
    for (const { html } of comments) cleaned.push((await site.renderer.clean(html.replaceAll('\0', ''))).html)
    return cleaned
  },
  async run({ change, db, site }, { authors = [], comments = [], members = [] }, cleaned) {
    let made = 0
    for (const one of authors) if (await takeBackAuthor(change, one)) made++
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
    return { authors: made, comments: comments.length, members: members.length, warnings: [], activity_id: null }
  },
})

/** Makes the profile of an author. @returns false if a profile with this slug is here */
async function takeBackAuthor(change: Change, { slug, name, bio, picture }: Static<typeof author>): Promise<boolean> {
  if (await hasProfile(change.db, slug)) return false
  await insertProfile(change, { slug, name, bio, email: undefined, picture: picture === undefined ? null : readPicture(picture) })
  return true
}

/** Rows that no import of this site brought belong to no run, so no undo of one takes them away. */
const keysOf = ({ site, old }: Static<typeof comment> | Static<typeof member>) => ({ source: site, old_id: old, run_id: '' })
