// SVC_Import.put-people: takes back the authors and subscribers that an export of this site has, and the comments and members of
// old sites.

import { type Static, Type } from 'typebox'
import { boundedText, closed, nonEmptyText } from '../../base/schema.ts'
import { targetsNamed } from '../../content/redirects/old-names.ts'
import { maxSlugChars } from '../../content/entries/slug.ts'
import { maxBioChars, maxPictureChars, readPicture } from '../../identity/profile.ts'
import type { Change } from '../../store/change/change.ts'
import { keepComment, keepMember } from '../../imports/behind/kept-people.ts'
import { toTime } from '../../content/types/field-values.ts'
import { checkAddress } from '../../mail/mail-address.ts'
import { restoreSubscribers } from '../../mail/newsletter/subscriber-store.ts'
import { newsletterLanguages } from '../subscribers/subscriber-item.ts'
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

const subscriber = closed({
  email: nonEmptyText('An address that is here stays as it is.', 254),
  name: Type.Optional(boundedText('The name.', 200)),
  language: nonEmptyText('Language of the mails.', 35),
  state: Type.Enum(['active', 'ended']),
  reason: Type.Optional(Type.Enum(['unsubscribed', 'bounced'])),
  source: Type.Enum(['form', 'admin', 'import']),
  consent: Type.Optional(boundedText('How the person agreed.', 500)),
  consent_at: Type.Optional(nonEmptyText('ISO 8601.', 100)),
  created_at: nonEmptyText('ISO 8601.', 100),
})

const several = <T extends typeof comment | typeof member | typeof author | typeof subscriber>(row: T, description: string) =>
  Type.Optional(Type.Array(row, { maxItems: 500, description }))
const instead = 'of an old site, each instead of the one with the same id.'

export const putPeople = action('SVC_Import.put-people', {
  title: 'Take back authors, comments and subscribers of an export',
  summary:
    'Takes back the authors of an export, as profiles that cannot sign in, its subscribers, and comments and members of old sites.',
  did: 'took back authors, comments and subscribers of an export',
  tier: 'admin',
  effect: 'act',
  touches: 'unlimited',
  batchable: false,
  input: closed({
    authors: several(author, 'Authors of the export.'),
    comments: several(comment, `Comments ${instead}`),
    members: several(member, `Members ${instead}`),
    subscribers: several(subscriber, 'Subscribers of the export. Nobody gets a mail about it.'),
  }),
  output: Type.Object({
    authors: Type.Integer({ description: 'How many profiles were made.' }),
    comments: Type.Integer(),
    members: Type.Integer(),
    subscribers: Type.Integer({ description: 'How many were added.' }),
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
  async run({ change, db, site, now }, { authors = [], comments = [], members = [], subscribers = [] }, cleaned) {
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
    const languages = newsletterLanguages(site)
    const kept = await restoreSubscribers(
      db,
      subscribers.map((one, at) => {
        const timeOf = (name: 'created_at' | 'consent_at') =>
          toTime(one[name] ?? '', { field: `subscribers[${at}].${name}`, timeZone })
        return {
          ...one,
          email: checkAddress(`subscribers[${at}].email`, one.email).toLowerCase(),
          name: one.name || null,
          language: languages.includes(one.language) ? one.language : (languages[0] ?? 'en'),
          reason: one.state === 'ended' ? (one.reason ?? 'unsubscribed') : null,
          consent: one.consent || null,
          consent_at: one.consent_at === undefined ? null : timeOf('consent_at'),
          created_at: timeOf('created_at'),
        }
      }),
      now,
    )
    const counted = { authors: made, comments: comments.length, members: members.length, subscribers: kept }
    return { ...counted, warnings: [], activity_id: null }
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
