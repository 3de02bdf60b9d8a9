// Every table of the domain is in the export of a whole site, or is left out for a reason that its description gives. A row that is
// exported comes back on an empty site, column by column.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Schema } from '../../src/store/core/schema.ts'
import { fullSite } from '../full-site.ts'
import { readRows, type Rows, writeRows } from '../rows.ts'
import { openSite } from '../site.ts'

type Table = keyof Schema

const folder = await mkdtemp(join(tmpdir(), 'postern-export-tables-'))
after(() => rm(folder, { recursive: true, force: true }))

/** A table in the export: the file that has a row of it, the columns that come back as they were, and those that don't. */
interface Exported {
  readonly file: string
  readonly same: string
  /** Ids are made anew, and references are names in the files. */
  readonly other: string
}

const exported: Readonly<Partial<Record<Table, Exported>>> = {
  setting: { file: 'settings.yaml', same: 'key value', other: '' },
  // The live text and the changes that wait are two files. A password is left out, and the file says `protected`.
  entry: {
    file: 'content/boat/white-gull/index.md',
    same: 'type title slug path body excerpt status published_at unpublish_at position locale fields staged comments',
    other: 'id author_id parent_id translation_of terms seo cover live_revision password_hash',
  },
  entry_pending: { file: 'content/boat/white-gull/staged.md', same: '', other: 'entry_id changes account_id by_name at' },
  former_path: { file: 'content/boat/white-gull/index.md', same: 'path', other: 'entry_id' },
  entry_type: { file: 'types.yaml', same: 'slug name path fields taxonomies feed list', other: 'dropped' },
  taxonomy: { file: 'taxonomies.yaml', same: 'slug name types tree', other: 'deleted' },
  term: { file: 'terms.yaml', same: 'taxonomy slug name ref text', other: 'id parent_id seo' },
  menu: { file: 'menus.yaml', same: 'slug name location', other: 'id items' },
  // The digest is that of the file as it was sent, before it was cleaned.
  media: {
    file: 'media/logo.svg',
    same: 'kind filename folder path bytes width height alt caption focus protected',
    other: 'id sha256 file file_key placeholder held earlier deleted_at',
  },
  media_former: { file: 'media.yaml', same: 'path', other: 'media_id' },
  redirect: { file: 'redirects.csv', same: 'source target status note', other: 'id origin' },
  old_address: { file: 'old-addresses.csv', same: 'site kind old target_kind', other: 'id target_id' },
  comment: {
    file: 'comments.csv',
    same: 'id parent_id name email website body state',
    other: 'entry_id account_id source confirmed_at',
  },
  import_comment: {
    file: 'imported-comments.csv',
    same: 'source old_id parent_id name email website posted_at html approved',
    other: 'id entry_id run_id',
  },
  import_member: { file: 'imported-members.csv', same: 'source old_id email name joined_at subscribed', other: 'id run_id' },
  // The secret words about a person stay: how the address was confirmed, and its bounces.
  subscriber: {
    file: 'subscribers.csv',
    same: 'email name language state reason source consent consent_at created_at',
    other: 'id consent_from bounces',
  },
  form: {
    file: 'forms.yaml',
    same: 'slug name fields thanks thanks_page reply consent keep_days open',
    other: 'id receivers',
  },
  skill: { file: 'skills.yaml', same: 'slug when text', other: '' },
  theme: { file: 'themes.yaml', same: 'slug active settings', other: '' },
  theme_file: { file: 'themes/mine/theme.json', same: 'theme path text', other: 'id vouched' },
  site_file: { file: 'root/ads.txt', same: 'path text', other: '' },
}

/** The tables that no export has, by the words of the description that say so. */
const leftOut: Readonly<Record<string, string>> = {
  'accounts, and whatever signs in':
    'account token token_use app_grant auth_code access_token refresh_token session sign_in_attempt one_time_link consent_answer totp passkey recovery_code spent_challenge',
  plugins: 'plugin plugin_job',
  'mail relay, webhooks and places of backups': 'mail_relay mail_receiver webhook backup_target backup_schedule',
  'what visitors sent by forms': 'form_submission',
  'proposals that wait': 'proposal',
  'the activity and earlier revisions': 'activity activity_object entry_revision theme_revision import_run import_item',
  statistics: 'visit_count visit_salt visitor_seen call_count redirect_hit missing_path',
  'what the site sent and received': 'mail newsletter webmention webhook_delivery',
  'the work of the service itself': 'job idempotency version recent_change preview upload_link backup backup_copy site_fact',
  'what is made anew from the rest':
    'entry_folded entry_folded_body entry_search_due entry_search_term entry_value entry_term menu_reference media_use media_picture',
}

const listed = (words: string): string[] => words.split(' ').filter((word) => word !== '')

test('every table is exported, or the description of the export says that it is not', async () => {
  await using site = await openSite()
  const tables = Object.keys(await readRows(site.home, []))
  const out = Object.values(leftOut).flatMap(listed)
  const search = tables.filter((name) => name.startsWith('entry_search'))
  const known = [...Object.keys(exported), ...out, ...search, 'kysely_migration', 'kysely_migration_lock']
  assert.deepEqual(
    tables.filter((name) => !known.includes(name)),
    [],
    'a new table is exported, or named here and in the document `files`',
  )
  const text = (await readFile('src/docs/files.md', 'utf8')).replaceAll(/\s+/g, ' ')
  for (const words of Object.keys(leftOut)) assert.ok(text.includes(words), `the document \`files\` does not name: ${words}`)
  for (const { file } of Object.values(exported)) {
    const [top = ''] = file.split('/')
    assert.ok(text.includes(top), `the document \`files\` does not name ${file}`)
  }
})

const comment = { entry: '/boat/white-gull', posted_at: '2020-01-02T03:04:05Z', name: 'Ann', email: 'ann@example.net' }

/** The rows that no call makes without a mail relay. */
const subscribers = [
  `insert into subscriber (id, email, name, language, state, source, consent, consent_at, consent_from, bounces, created_at, updated_at)
   values ('sub_1', 'jo@example.net', 'Jo', 'de', 'active', 'form', 'Yes, "please"', 7000, 'keyed', 1, 5000, 6000)`,
  `insert into subscriber (id, email, language, state, reason, source, bounces, created_at, updated_at)
   values ('sub_2', 'al@example.net', 'en', 'ended', 'bounced', 'import', 3, 5000, 6000)`,
  `insert into subscriber (id, email, language, state, source, bounces, created_at, updated_at)
   values ('sub_3', 'unconfirmed@example.net', 'en', 'pending', 'form', 0, 5000, 6000)`,
]

const bookkeeping = ['created_at', 'updated_at', 'revision']

test('a row of each exported table comes back as it was, and a second export is equal', async () => {
  await using site = await openSite()
  for (const [call, input] of fullSite) await site.call(call, input)
  await site.call('SVC_Import.put-comments', {
    comments: [
      { ...comment, id: 'b-first-comment-0123456789', text: 'Good.', approved: true },
      { ...comment, id: 'a-answer-to-it-01234567890', parent: 'b-first-comment-0123456789', text: 'So it is.', approved: false },
    ],
  })
  await site.call('SVC_Content.update', { id: '/de/boat/taube', comments: 'closed' })
  await site.call('SVC_Settings.update', { set: { comments: ['boat'] } })
  await site.call('SVC_Forms.update', { id: 'contact', receivers: ['owner@example.org'], reply: 'Thanks.', open: false })
  for (const statement of subscribers) await writeRows(site.home, statement)
  const [out, back] = [join(folder, 'out'), join(folder, 'back')]
  const first = await site.postern(['export', '--json', out])
  assert.equal(first.code, 0, first.stderr)
  const before = await readRows(site.home, [])
  for (const [table, { file }] of Object.entries(exported)) {
    assert.notEqual(before[table]?.length ?? 0, 0, `no row of ${table} is made here`)
    assert.ok((await readFile(join(out, file))).length > 0, `${table}: ${file}`)
  }
  const people = await readFile(join(out, 'subscribers.csv'), 'utf8')
  assert.doesNotMatch(people + (await readFile(join(out, 'forms.yaml'), 'utf8')), /unconfirmed@|keyed|owner@example/)

  await using other = await openSite()
  const imported = await other.postern(['import', out])
  assert.equal(imported.code, 0, imported.stderr + imported.stdout)
  const there = await readRows(other.home, [])
  for (const [table, facts] of Object.entries(exported)) {
    const { same, other: others } = facts
    const columns = Object.keys(before[table]?.[0] ?? {}).filter((name) => !bookkeeping.includes(name))
    const known = [...listed(same), ...listed(others)]
    assert.deepEqual(
      columns.filter((name) => !known.includes(name)),
      [],
      `${table}: a column comes back, or is named as one that does not`,
    )
    assert.deepEqual(shown(there, table, listed(same)), shown(before, table, listed(same)), table)
  }
  assert.equal((await other.postern(['export', back])).code, 0)
  const again = JSON.parse((await other.postern(['import', '--json', '--delete-missing', out])).stdout)
  assert.deepEqual([again.called, again.failed], [[], []])
  // The address that a file had before leads to it on the new site, too.
  assert.equal((await other.send('/media/old-logo.svg', { token: null })).status, 301)
})

/** The rows of a table in these columns. Rows that the site of each test has of its own accord are the same on both sides. */
const shown = (rows: Rows, table: string, columns: readonly string[]): readonly string[] =>
  (rows[table] ?? [])
    .filter((row) => row['state'] !== 'pending' || table !== 'subscriber')
    .map((row) => JSON.stringify(columns.map((name) => row[name])))
    .sort()
