// A site with a row in every table that its own actions fill: moved to PostgreSQL and back, and restored there from a backup, row by row.

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { unsaved } from '../../src/backup/single-use.ts'
import { fillHome } from '../home-template.ts'
import { makePostgresDatabase } from '../postgres.ts'
import { postern } from '../postern.ts'
import { writeRows } from '../rows.ts'
import { oldItem, oldSite } from '../imports/old-site.ts'
import { fullSite } from '../full-site.ts'
import { openSite, type TestSite } from '../site.ts'
import { agents } from '../statistics/visitor.ts'
import { until } from '../until.ts'
import { readAllRows } from '../backup/all-rows.ts'
import { openBackupSite } from '../backup/backup-site.ts'

/** Tables of sign-in and of machines, which other tests fill (`backup-site.ts`, `rights.test.ts`). */
const elsewhere: ReadonlySet<string> = new Set(
  `access_token app_grant auth_code backup_copy backup_schedule backup_target consent_answer job one_time_link plugin plugin_job recent_change refresh_token session sign_in_attempt token_use`.split(
    ' ',
  ),
)

/** Imports a post with a comment. */
async function importOldSite(site: TestSite, token: string) {
  const { url } = await site.call('SVC_Import.begin-upload', { filename: 'old.xml' }, { token })
  const comment = `<wp:comment><wp:comment_id>9</wp:comment_id><wp:comment_author>Bo</wp:comment_author><wp:comment_date_gmt>2019-05-05 10:00:00</wp:comment_date_gmt><wp:comment_content>Good</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>`
  await fetch(url, { method: 'PUT', body: oldSite(oldItem({ id: 1, title: 'Old', slug: 'old', more: comment })) })
  await site.call('SVC_Import.run', { file: 'latest', media: 'none' }, { token })
}

/** Rows of webhooks, whose addresses must be found by their names. */
const webhooks = [
  `insert into webhook (id, url, events, signing, secret, state, by_name, created_at, updated_at)
   values ('hook', 'https://hooks.example.org/', '["*"]', 'hmac', 'sealed', 'off', 'Owner', 5, 5)`,
  `insert into webhook_delivery (id, webhook_id, event, body, state, tries, created_at)
   values ('msg_1', 'hook', 'content.publish', '{}', 'sent', 1, 5)`,
]

/** Rows of mails, for which a relay must answer. */
const mails = [
  `insert into mail_relay (name, host, port, security, from_address, from_name, per_minute, updated_at)
   values ('relay', 'mail.example.org', 465, 'tls', 'site@example.org', 'Site', 30, 5)`,
  `insert into mail (id, kind, recipient, subject, state, tries, created_at)
   values ('mail_1', 'test', 'owner@example.org', 'A test', 'sent', 1, 5)`,
  "insert into mail_receiver (address, confirmed_at) values ('owner@example.org', 5)",
]

/** Rows of subscribers, who confirm by mail, of newsletters, which a relay sends, and of links that other sites tell of. */
const letters = [
  `insert into subscriber (id, email, language, state, source, bounces, created_at, updated_at)
   values ('sub_1', 'jo@example.org', 'en', 'active', 'form', 0, 5, 5)`,
  `insert into newsletter (id, entry_id, subject, excluded, origin, text, html, state, cursor, sent, failed, refusals, created_at, updated_at)
   values ('news_1', 'gone', 'News', '[]', 'https://example.org', 'News', '<p>News</p>', 'done', '', 1, 0, 0, 5, 5)`,
  `insert into webmention (id, direction, entry_id, source, target, state, tries, created_at)
   select 'wm_1', 'in', id, 'https://other.example/', 'https://example.org/boat/white-gull', 'waiting', 0, 5 from entry limit 1`,
]

/** Rows of second factors, which a person makes in the admin with a device. */
const secondFactors = [
  "insert into totp (account_id, secret, last_step, created_at) select id, 'sealed', 4000000000, 2 from account",
  `insert into passkey (id, account_id, name, rp_id, public_key, counter, transports, created_at, used_at)
   select 'credential', id, 'Key', 'example.org', 'cose', 3, '[]', 4, null from account`,
  "insert into recovery_code (hash, account_id, used_at) select 'hash', id, null from account",
  "insert into spent_challenge (id, expires_at) values ('challenge', 4000000000000)",
]

test('every table of the site is carried between engines and by backups, with the rows that its actions make', async () => {
  const home = await mkdtemp(join(tmpdir(), 'postern-full-'))
  try {
    const token = await fillHome(home, false)
    const site = await openSite({ home, database: 'sqlite', env: { POSTERN_BACKUPS: join(home, 'backups') } })
    const photo = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#369' } })
      .jpeg()
      .toBuffer()
    const upload = { base64: photo.toString('base64'), filename: 'photo.jpg', alt: 'Blue' }
    for (const [call, input] of [...fullSite, ['SVC_Media.upload', upload] as const]) await site.call(call, input, { token })
    assert.equal((await site.send('/old-boats', { token: null })).status, 301)
    assert.equal((await site.send('/nothing-here', { token: null })).status, 404)
    await until(
      'the sizes are made',
      async () => (await site.call('SVC_Media.get', { id: '/media/photo.jpg' }, { token })).item.sizes === 'ready',
    )
    for (const statement of [...secondFactors, ...webhooks, ...mails, ...letters]) await writeRows(home, statement)
    await site.call('SVC_Redirects.missing', {}, { token })
    assert.equal((await site.send('/', { token: null, headers: { 'user-agent': agents.firefox } })).status, 200)
    await site.call('SVC_Stats.visits', {}, { token })
    await importOldSite(site, token)
    await site.call('SVC_Backup.create', {}, { token })
    await site.stop()

    const file = join(home, 'data/postern.db')
    const rows = await readAllRows(file)
    assert.deepEqual([rows['import_comment']?.length, rows['import_member']?.length], [3, 2])
    const empty = Object.keys(rows).filter((table) => rows[table]?.length === 0 && !elsewhere.has(table))
    assert.deepEqual(empty, [], 'a new table needs a call above that fills it')

    await using there = await makePostgresDatabase()
    const move = (to: string, env: Record<string, string> = {}) => postern({ POSTERN_HOME: home, ...env }, ['move', '--to', to])
    const moved = await move(there.url)
    assert.equal(moved.code, 0, moved.stderr)
    assert.deepEqual(await readAllRows(there.url), rows)
    await rename(file, `${file}.before`)
    const back = await move('sqlite', { POSTERN_DATABASE_URL: there.url })
    assert.equal(back.code, 0, back.stderr)
    assert.deepEqual(await readAllRows(file), rows)

    await using other = await makePostgresDatabase()
    await using restored = await openBackupSite(other.url)
    const [backup = ''] = (await readdir(join(home, 'backups'))).filter((name) => name !== '.lock')
    await restored.restore(join(home, 'backups', backup), { keepTokens: true })
    const after = await readAllRows(other.url)
    // What belongs to the machine, what a restore writes itself, and what it takes from no backup.
    const own = new Set([
      ...elsewhere,
      'account',
      'activity',
      'activity_object',
      'backup',
      'version',
      'recent_change',
      'recovery_code',
      'setting',
      'site_fact',
      // The calls since the backup are counted at the stop.
      'call_count',
      ...unsaved,
    ])
    for (const [table, before] of Object.entries(rows)) if (!own.has(table)) assert.deepEqual(after[table], before, table)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})
