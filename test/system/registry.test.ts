// What holds for every action, whichever it is: read off the registry of the running service, so that a new one is held to it too.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isDeep } from '../deep-run.ts'
import { openS3Server, type S3Server } from '../backup/elsewhere/s3-server.ts'
import { readObjects, readRows, writeRows } from '../rows.ts'
import { connect, openOwner, type Owner } from '../doors/oauth/flow.ts'
import { smallPlugin, zipOfFixture } from '../packages.ts'
import { usesPostgres } from '../postgres.ts'
import sharp from 'sharp'
import { oldItem, oldSite, oldUrl } from '../imports/old-site.ts'
import { openSite, type TestSite } from '../site.ts'

interface Described {
  readonly class: string
  readonly action: string
  readonly tier: 'any' | 'read' | 'content' | 'admin'
  readonly effect: 'read' | 'write' | 'act' | 'destroy'
  readonly summary: string
  readonly examples: readonly { title: string; input: Record<string, unknown> }[]
  readonly input: { properties: Record<string, { description?: string }>; additionalProperties: boolean }
  readonly options: readonly string[]
  readonly errors: readonly string[]
  readonly job?: string
}

const tiers = ['any', 'read', 'content', 'admin'] as const
const optionNames = ['class', 'action', 'arguments', 'select', 'dry_run', 'if_revision', 'idempotency_key']

let site: TestSite
let owner: Owner
let s3: S3Server
let secretFolder: string
let actions: Described[]
const tokens: Record<string, string | null> = { any: null }

before(async () => {
  secretFolder = await mkdtemp(join(tmpdir(), 'postern-registry-'))
  const passphrase = join(secretFolder, 'passphrase')
  await writeFile(passphrase, 'correct horse battery staple', { mode: 0o600 })
  s3 = await openS3Server()
  site = await openSite({
    env: {
      POSTERN_ANONYMOUS_CALLS_PER_MINUTE: '3000',
      POSTERN_BACKUP_PASSPHRASE_FILE: passphrase,
      POSTERN_JOB_WAIT_SECONDS: '120',
    },
  })
  await site.call('SVC_Content.create', { type: 'page', title: 'About', status: 'published', body: '# About\n\nWho we are.' })
  await site.call('SVC_Content.create', { type: 'post', title: 'Hello', body: 'First words.' })
  await writeFile(join(site.home, 'user-content', 'uploads', 'protected', 'report.pdf'), '%PDF-1.7')
  await site.call('SVC_Types.create', { slug: 'recipe', name: 'Recipe' })
  await makeSorting()
  await makeForm()
  await makeMedia()
  await site.call('SVC_Site.put-file', { name: 'ads.txt', text: 'example.com, 1, DIRECT' })
  await site.call('SVC_Skills.put', { slug: 'house-style', when: 'Before writing', text: 'Be kind.' })
  await site.call('SVC_Themes.create', { slug: 'my-theme', from: 'default' })
  if (!usesPostgres) {
    await setPlace()
    await site.call('SVC_Backup.create', { note: 'The one of which the examples speak' })
    await site.call('SVC_Backup.send', {})
  }
  await installPlugin(smallPlugin('hello'))
  await installPlugin(zipOfFixture('useful'))
  await makeNamedToken()
  await makeEditor()
  await makeJobs()
  await makeProposal()
  await makePreview()
  await makeImport()
  await makeWebhook()
  await makeMail()
  await makeComments()
  owner = await openOwner(site)
  await connect(site, owner)
  for (const scope of ['read', 'content', 'admin']) {
    const { token } = await site.call('SVC_Tokens.create', { name: `tier ${scope}`, scope })
    tokens[scope] = token as string
  }
  const listed = (await site.call('SVC_API.list-actions', { full: true })).items as { class: string; action: string }[]
  actions = []
  for (const { class: ofClass, action } of listed)
    actions.push(await site.call('SVC_API.describe-action', { arguments: { class: ofClass, action, full: true } }))
})
after(async () => {
  await owner[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
  await s3[Symbol.asyncDispose]()
  await rm(secretFolder, { recursive: true })
})

/** The place elsewhere of which the examples speak. */
async function setPlace(): Promise<void> {
  const { host_key: _host, key_file: _file, ...settings } = s3.settings
  await site.call('SVC_Backup.set-target', { ...settings, secret: s3.secret })
}

/** The app of which the examples speak, connected anew. */
async function reconnect() {
  const { items } = await site.call('SVC_Apps.list', { where: { name: 'Claude' } })
  await site.api('SVC_Apps.revoke', { ids: items.map(({ id }: { id: string }) => id), expect: items.length })
  await connect(site, owner)
}

/** The token of which the examples speak. */
const makeNamedToken = () => site.call('SVC_Tokens.create', { name: 'Nightly export', scope: 'content' })

/** An import, and the file of another, of which the examples speak. */
async function makeImport() {
  for (const name of ['first', 'second']) {
    const { url } = await site.call('SVC_Import.begin-upload', { filename: `${name}.xml` })
    const text = oldSite(oldItem({ id: 1, title: name, slug: `imported-${name}` })).replaceAll(oldUrl, `https://${name}.example`)
    await fetch(url, { method: 'PUT', body: text })
    if (name === 'first') await site.call('SVC_Import.run', { file: 'latest', media: 'none' })
  }
}

/** The webhook of which the examples speak, with a delivery. Its event is none of the examples. */
async function makeWebhook() {
  const id = '01k8zq4v6m3t5c9e2n7r1x0bfd'
  for (const { id: known } of (await site.call('SVC_Webhooks.list')).items) await site.call('SVC_Webhooks.delete', { id: known })
  // A private address is refused at once, and no name has to be looked up.
  const { item } = await site.call('SVC_Webhooks.create', { url: 'http://127.0.0.1/', events: ['search.reindex'] })
  await writeRows(site.home, 'update webhook set id = ? where id = ?', [id, item.id])
  await writeRows(
    site.home,
    `insert into webhook_delivery (id, webhook_id, event, body, state, tries, created_at) values (?, ?, 'search.reindex', '{}', 'sent', 1, ?)`,
    [`msg_${id}`, id, Date.now()],
  )
}

/** The form of which the examples speak, with a submission. */
async function makeForm() {
  for (const { id: known } of (await site.call('SVC_Forms.list')).items) await site.call('SVC_Forms.delete', { id: known })
  const text = (name: string) => ({ name, label: name, kind: 'text' })
  const { item } = await site.call('SVC_Forms.create', {
    slug: 'contact',
    name: 'Contact',
    fields: ['name', 'email', 'message'].map(text),
  })
  await writeRows(site.home, 'delete from form_submission', [])
  await writeRows(
    site.home,
    `insert into form_submission (id, form_id, state, contents, digest, created_at, expires_at) values ('01k8zq4v6m3t5c9e2n7r1x0bfd', ?, 'new', '{}', 'd', ?, ?)`,
    [item.id, Date.now(), Date.now() + 1e9],
  )
}

/** The newsletter of which the examples speak, nobody who gets it, and a relay that is gone, so that it is never sent. */
async function makeNewsletter() {
  await site.call('SVC_Mail.set-relay', { host: '127.0.0.1', port: 9, from: 'site@example.org', site_url: 'https://example.org' })
  await writeRows(site.home, 'update mail_relay set verified_at = 1', [])
  await writeRows(site.home, 'delete from subscriber', [])
  await writeRows(site.home, 'delete from newsletter', [])
  // What waits would be tried meanwhile.
  await writeRows(site.home, "delete from mail where state = 'waiting'", [])
  await writeRows(
    site.home,
    `insert into newsletter (id, entry_id, subject, excluded, origin, text, html, state, cursor, sent, failed, refusals, created_at, updated_at)
     values ('01k8zq4v6m3t5c9e2n7r1x0bfd', 'e', 'News', '[]', 'https://example.org', '', '', 'stopped', '', 0, 0, 0, 1, 1)`,
    [],
  )
}

/** The mail of which the examples speak, and a relay that is gone, so that it is never sent. */
async function makeMail() {
  const id = '01k8zq4v6m3t5c9e2n7r1x0bfd'
  await site.call('SVC_Mail.set-relay', { host: '127.0.0.1', port: 9, from: 'site@example.org' })
  await writeRows(site.home, 'delete from mail', [])
  await writeRows(
    site.home,
    `insert into mail (id, kind, recipient, subject, body, state, tries, created_at) values (?, 'test', 'a@example.org', 'A', 'x', 'failed', 1, ?)`,
    [id, Date.now()],
  )
}

/** The comments of which the examples speak: one that waits, and one in the trash. */
async function makeComments() {
  await site.call('SVC_Settings.update', { set: { comments: ['page', 'post'] } })
  const { item } = await site.call('SVC_Content.get', { id: '/about' })
  await writeRows(site.home, 'delete from comment', [])
  for (const [id, state] of [
    ['01k8zq4v6m3t5c9e2n7r1x0bcm', 'pending'],
    ['01k8zq4v6m3t5c9e2n7r1x0bct', 'trash'],
  ])
    await writeRows(
      site.home,
      `insert into comment (id, entry_id, state, name, body, source, created_at, updated_at, revision) values (?, ?, ?, 'Ben', 'Soup', 'visitor', ?, ?, 1)`,
      [id, item.id, state, Date.now(), Date.now()],
    )
}

/** The link of which the examples speak. */
const makePreview = (token = site.token) => site.call('SVC_Content.preview', { id: '/hello' }, { token })

/** The terms, the menu and the redirect of which the examples speak. */
async function makeSorting() {
  await site.call('SVC_Terms.save-taxonomy', { slug: 'region', name: 'Regions' })
  for (const [taxonomy, name] of [
    ['category', 'News'],
    ['tag', 'Sale'],
    ['tag', 'Offers'],
  ])
    await site.call('SVC_Terms.create', { taxonomy, name })
  await site.call('SVC_Content.update', { id: '/hello', terms: ['category/news', 'tag/sale'] })
  await site.call('SVC_Menus.create', { slug: 'main', location: 'main', items: [{ id: 'about', entry: '/about' }] })
  await site.call('SVC_Redirects.create', { from: '/old-shop', to: '/about' })
}

/** A picture that is wider than high. */
const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#b5651d' } })
  .png()
  .toBuffer()

/** The files of which the examples speak: a logo, a photo, and an older one in the trash. */
async function makeMedia() {
  const drawing = (radius: number) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="${radius}"/></svg>`
  if ((await site.api('SVC_Media.get', { id: '/media/old-logo.svg' })).status === 200) return
  await site.api('SVC_Media.upload', { text: drawing(4), filename: 'logo.svg', alt: 'A mark' })
  await site.api('SVC_Media.upload', { base64: photo.toString('base64'), filename: 'team.png', alt: 'Three people' })
  await site.api('SVC_Media.upload', { text: drawing(3), filename: 'old-logo.svg' })
  await site.api('SVC_Media.delete', { ids: ['/media/old-logo.svg'] })
}

/** The plugins of which the examples speak. */
async function installPlugin(zip: Promise<Uint8Array>) {
  await site.call('SVC_Plugins.install', { base64: Buffer.from(await zip).toString('base64') })
}

/** The jobs of which the examples speak: one that another process runs, and one that failed. */
async function makeJobs(tokenId: string | null = null) {
  const far = Date.now() + 3_600_000
  for (const [state, runner] of [
    ['running', 'other'],
    ['failed', null],
  ])
    await writeRows(
      site.home,
      `insert into job (id, token_id, call, arguments, by_name, state, attempts, cancel, runner, lease_until, created_at)
       values (?, ?, 'SVC_Health.check', '{"input":{"only":["disk"]},"options":{}}', 'Owner', ?, 1, 0, ?, ?, ?)`,
      [randomBytes(13).toString('hex'), tokenId, state, runner, far, Date.now()],
    )
}

/** The proposal of which the examples speak. Another token makes it, because none approves its own. */
async function makeProposal() {
  proposer ??= ((await site.call('SVC_Tokens.create', { name: 'proposer', scope: 'content' })) as { token: string }).token
  const calls = [{ action: 'SVC_Content.create', arguments: { type: 'page', title: 'Opening hours of the proposal' } }]
  const made = await site.api('SVC_Proposals.create', { title: 'A page with our opening hours', calls }, { token: proposer })
  assert.equal(made.json.success, true, made.text)
  proposalDigest = (await site.call('SVC_Proposals.get', { id: made.json.data.item.id })).item.digest as string
}
let proposer: string | undefined
let proposalDigest = ''

/** The account of which the examples speak. */
const makeEditor = () => site.api('SVC_Accounts.create', { email: 'editor@example.org', name: 'Editor', role: 'content' })

/** Actions that a site with entries refuses; `deep/first-hour-browser.test.ts` runs them and takes them back. */
const ofEmptySites: ReadonlySet<string> = new Set(['SVC_Site.begin', 'SVC_Site.remove-examples'])

/** What derives the key of a backup, and opens the site in it, takes a second each time: a usual run does each once. */
const heavy: ReadonlySet<string> = new Set(['create', 'send', 'verify', 'verify-copy'].map((name) => `SVC_Backup.${name}`))
const isHeavy = (one: Described): boolean => !isDeep && heavy.has(nameOf(one))

/** Backups of a PostgreSQL database are refused, whatever the arguments are. */
const examplesOf = (one: Described): Described['examples'] =>
  (usesPostgres && one.class === 'SVC_Backup') || ofEmptySites.has(nameOf(one))
    ? []
    : one.examples
        .slice(0, isHeavy(one) ? 1 : undefined)
        .map(({ title, input }) => ({ title, input: 'digest' in input ? { ...input, digest: proposalDigest } : input }))

/** `deep/registry-postgres.test.ts` runs the examples alone. */
const also: typeof test = process.env['TEST_REGISTRY'] === 'examples' ? ((async () => undefined) as typeof test) : test

const nameOf = ({ class: ofClass, action }: Described) => `${ofClass}.${action}`

/** The same call through the other door; what comes back is the same object. */
async function overMcp(
  call: string,
  input: unknown,
  options: Record<string, unknown> = {},
  token: string | null = site.token,
): Promise<{ success: boolean; data?: any; error?: any }> {
  const params = { name: 'SVC_API__call-action', arguments: { action: call, arguments: input, ...options } }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const answer = await site.send('/mcp/', { method: 'POST', headers, body, token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.result.structuredContent
}

async function overRest(
  call: string,
  input: unknown,
  options: Record<string, unknown> = {},
  token: string | null = site.token,
): Promise<{ success: boolean; data?: any; error?: any }> {
  return (await site.api(call, { arguments: input, ...options }, { token })).json
}

const doors = { rest: overRest, mcp: overMcp }

let turn = 0

/** Both doors in a deep run. In a usual run each example goes over one of them, by turns. */
function doorsInTurn(): readonly (readonly [name: string, run: typeof overRest])[] {
  const all = Object.entries(doors)
  return isDeep ? all : all.slice(turn++ % 2).slice(0, 1)
}

also('every action has a summary of one line, an example, and words for each argument; none is named like an option', () => {
  for (const one of actions) {
    assert.match(one.summary, /^[A-Z].*\.$/, nameOf(one))
    assert.ok(!one.summary.includes('\n') && one.summary.length <= 140, nameOf(one))
    assert.ok(one.examples.length > 0, nameOf(one))
    assert.equal(one.input.additionalProperties, false, nameOf(one))
    for (const [field, { description }] of Object.entries(one.input.properties)) {
      assert.ok(description, `${nameOf(one)}.${field} has no description`)
      if (one.class !== 'SVC_API') assert.ok(!optionNames.includes(field), `${nameOf(one)}.${field}`)
    }
  }
})

test('every reading example runs on both doors, with the same answer', async () => {
  for (const one of actions.filter(({ effect }) => effect === 'read')) {
    for (const { title, input } of examplesOf(one)) {
      const rest = await overRest(nameOf(one), input)
      const mcp = isHeavy(one) ? rest : await overMcp(nameOf(one), input)
      assert.equal(rest.success, true, `${nameOf(one)} (${title}): ${JSON.stringify(rest)}`)
      assert.deepEqual(Object.keys(mcp.data), Object.keys(rest.data), nameOf(one))
    }
  }
})

also('dry_run of every example on both doors leaves every row as it was but a token’s last use', async () => {
  await makeNewsletter()
  const rows = await readRows(site.home)
  const changing = actions.filter(({ effect }) => effect !== 'read')
  for (const [place, one] of changing.entries()) {
    for (const { title, input } of examplesOf(one)) {
      for (const [door, run] of doorsInTurn()) {
        const answer = await run(nameOf(one), input, { dry_run: true })
        assert.equal(answer.success, true, `${nameOf(one)} (${title}) over ${door}: ${JSON.stringify(answer)}`)
      }
    }
    // To read all rows takes longer than most calls: a usual run does it once for each class.
    if (isDeep || changing[place + 1]?.class !== one.class)
      assert.deepEqual(await readRows(site.home), rows, `${nameOf(one)}, or one of its class before it, left something behind`)
  }
})

test('every write’s example runs on both doors, and undo restores every object but its revision, updated_at, history and activity', async () => {
  // With a relay that works, some writes queue mails, which no undo takes back.
  await writeRows(site.home, 'delete from mail_relay', [])
  let before = await readObjects(site.home)
  for (const one of actions.filter(({ effect, action }) => effect === 'write' && action !== 'undo')) {
    for (const { title, input } of examplesOf(one)) {
      for (const [door, run] of doorsInTurn()) {
        const what = `${nameOf(one)} (${title}) over ${door}`
        const answer = await run(nameOf(one), input)
        assert.equal(answer.success, true, `${what}: ${JSON.stringify(answer)}`)
        const activity = answer.data.activity_id as string | null
        // What a visitor sent stands in no record, so that it can be erased.
        if (nameOf(one) === 'SVC_Forms.submit') before = await readObjects(site.home)
        if (activity === null) continue
        assert.notDeepEqual(await readObjects(site.home), before, `${what} said that it did something`)
        await site.call('SVC_Activity.undo', { ids: [activity] })
        const restored = await readObjects(site.home)
        // Undoing the creation of a token revokes it: its row stays, so that nothing revives it.
        const tokenIds = new Set(before['token']?.map(({ id }) => id))
        const tokenRows = restored['token']?.filter(({ id, revoked_at: revokedAt }) => tokenIds.has(id) || revokedAt === null)
        assert.deepEqual({ ...restored, token: tokenRows }, before, `${what} was not undone`)
        before = restored
      }
    }
  }
})

for (const [level, tier] of tiers.entries()) {
  also(
    `attack 84: a caller of tier “${tier}” sees and runs exactly what it may, and what it may not changes nothing`,
    async () => {
      const may = new Set(actions.filter((one) => tiers.indexOf(one.tier) <= level).map(nameOf))
      const listed = await overRest('SVC_API.list-actions', { full: true }, {}, tokens[tier] ?? null)
      assert.deepEqual(new Set(listed.data.items.map((one: Described) => nameOf(one))), may)
      const rows = await readRows(site.home)
      for (const one of actions.filter((hidden) => !may.has(nameOf(hidden)))) {
        const answer = await overRest(nameOf(one), one.examples[0]?.input, {}, tokens[tier] ?? null)
        assert.equal(answer.success, false, nameOf(one))
        assert.equal(answer.error.code, 'unknown_action', nameOf(one))
        assert.equal(answer.error.message, `Unknown tool: ${nameOf(one)}`)
        const described = await overRest(
          'SVC_API.describe-action',
          { class: one.class, action: one.action },
          {},
          tokens[tier] ?? null,
        )
        assert.equal(described.error.message, `Unknown tool: ${nameOf(one)}`)
      }
      assert.deepEqual(await readRows(site.home), rows)
      const reading = actions.filter((open) => may.has(nameOf(open)) && open.effect === 'read' && examplesOf(open).length > 0)
      for (const one of reading.filter((open) => !isHeavy(open))) {
        const answer = await overRest(nameOf(one), one.examples[0]?.input, {}, tokens[tier] ?? null)
        // What this caller may not see of an action that it may run is simply not there.
        assert.ok(answer.success || answer.error.code === 'not_found', `${nameOf(one)}: ${JSON.stringify(answer)}`)
      }
    },
  )
}

/** What each kind of action leaves to a token of scope `admin` with limits: every action stands in exactly one row. */
const touching = {
  nothing: `SVC_API.welcome SVC_API.list-actions SVC_API.describe-action SVC_Docs.list SVC_Docs.get SVC_Docs.search SVC_Search.query
    SVC_Search.similar SVC_Content.list SVC_Content.get SVC_Content.revisions SVC_Media.list SVC_Media.get SVC_Settings.list
    SVC_Redirects.old SVC_Skills.list SVC_Skills.get SVC_Accounts.list SVC_Accounts.get SVC_Accounts.me SVC_Tokens.list SVC_Apps.list SVC_Apps.get
    SVC_Plugins.list SVC_Plugins.get SVC_Activity.list SVC_Activity.get SVC_Proposals.list SVC_Proposals.get SVC_Backup.list
    SVC_Backup.get SVC_Jobs.list SVC_Jobs.get SVC_Health.check SVC_Logs.list SVC_API.openapi SVC_Activity.digest SVC_Activity.mark
    SVC_Comments.list SVC_Types.list SVC_Types.get SVC_Content.diff SVC_Content.previews SVC_Content.check SVC_Content.links SVC_Content.sections SVC_Terms.taxonomies
    SVC_Terms.list SVC_Terms.get SVC_Menus.list SVC_Menus.get SVC_Redirects.list SVC_Redirects.get SVC_Redirects.resolve
    SVC_Redirects.missing SVC_Media.read SVC_Themes.list SVC_Themes.get SVC_Themes.read SVC_Themes.search SVC_Themes.export SVC_Themes.check SVC_Media.uploads SVC_Search.everything
    SVC_Themes.revisions SVC_Export.run SVC_Stats.site SVC_Stats.visits SVC_Stats.calls SVC_Site.files SVC_Site.page SVC_Import.formats SVC_Import.list SVC_Import.get
    SVC_Forms.list SVC_Forms.get`,
  entries: `SVC_Content.create SVC_Content.create-many SVC_Content.fix SVC_Content.update SVC_Content.edit SVC_Content.put SVC_Content.publish SVC_Content.unpublish
    SVC_Content.delete SVC_Content.restore SVC_Content.revert SVC_Content.purge SVC_Content.discard SVC_Content.duplicate
    SVC_Content.move SVC_Content.update-many SVC_Content.replace-all SVC_Content.preview SVC_Content.end-preview`,
  calls: `SVC_API.batch SVC_Activity.undo SVC_Proposals.create SVC_Proposals.reject SVC_Jobs.cancel SVC_Jobs.retry`,
  tokens: `SVC_Tokens.create SVC_Tokens.rotate`,
  site: `SVC_Settings.update SVC_Settings.maintenance SVC_Skills.put SVC_Skills.delete SVC_Accounts.update SVC_Accounts.delete
    SVC_Tokens.update SVC_Tokens.revoke SVC_Apps.update SVC_Apps.revoke SVC_Plugins.deactivate SVC_Plugins.delete
    SVC_Backup.create SVC_Backup.verify SVC_Backup.get-target SVC_Backup.test-target SVC_Backup.list-copies SVC_Backup.verify-copy
    SVC_Backup.send SVC_Search.reindex SVC_Health.clear-caches SVC_Health.doctor-key SVC_Types.create
    SVC_Types.update SVC_Types.delete SVC_Terms.save-taxonomy SVC_Terms.delete-taxonomy SVC_Terms.create SVC_Terms.update
    SVC_Terms.delete SVC_Terms.merge SVC_Site.begin SVC_Site.remove-examples SVC_Menus.create SVC_Menus.update SVC_Menus.add SVC_Menus.remove SVC_Menus.delete
    SVC_Redirects.create SVC_Redirects.update SVC_Redirects.put-many SVC_Redirects.put-old SVC_Redirects.delete SVC_Media.update SVC_Media.replace
    SVC_Media.delete SVC_Media.restore SVC_Media.purge SVC_Themes.create SVC_Themes.write SVC_Themes.edit SVC_Themes.remove
    SVC_Themes.configure SVC_Themes.move-texts SVC_Themes.preview SVC_Themes.activate SVC_Themes.revert SVC_Themes.delete SVC_Webhooks.list SVC_Webhooks.get
    SVC_Webhooks.deliveries SVC_Webhooks.delete SVC_Webhooks.test SVC_Webhooks.redeliver SVC_Mail.list SVC_Mail.get-relay
    SVC_Forms.create SVC_Forms.submit SVC_Forms.delete SVC_Forms.submissions SVC_Forms.mark SVC_Forms.erase
    SVC_Subscribers.list SVC_Subscribers.add SVC_Subscribers.remove SVC_Subscribers.import SVC_Subscribers.preview SVC_Subscribers.sent SVC_Subscribers.stop
    SVC_Comments.create SVC_Comments.moderate SVC_Comments.update SVC_Comments.purge`,
  backups: `SVC_Backup.delete SVC_Backup.schedule`,
  unlimited: `SVC_Accounts.create SVC_Accounts.reset SVC_Plugins.install SVC_Plugins.update SVC_Plugins.activate SVC_Plugins.configure
    SVC_Backup.restore SVC_Backup.set-target SVC_Proposals.approve SVC_Proposals.revise SVC_Site.put-file SVC_Site.remove-file SVC_Import.inspect SVC_Import.run
    SVC_Import.begin-upload SVC_Import.put-people SVC_Import.put-comments SVC_Webhooks.create SVC_Webhooks.update SVC_Mail.set-relay SVC_Mail.test SVC_Mail.resend SVC_Forms.update
    SVC_Subscribers.send SVC_Subscribers.resume`,
  media: `SVC_Media.upload SVC_Media.crop SVC_Media.begin-upload`,
} as const
type Touched = keyof typeof touching

const touchedBy = new Map(
  Object.entries(touching).flatMap(([touched, names]) => names.split(/\s+/).map((name) => [name, touched as Touched] as const)),
)

also('attack 140: what a limited token may do with an action is written down here for every action', () => {
  assert.deepEqual(new Set(actions.map(nameOf)), new Set(touchedBy.keys()))
})

/** Limits that leave as much as limits can, and what each refuses of the rows above. */
const limitRows: readonly { readonly limits: Record<string, unknown>; readonly refused: readonly Touched[] }[] = [
  {
    limits: { classes: [...new Set([...touchedBy.keys()].map((name) => name.slice(0, name.indexOf('.'))))] },
    refused: ['backups', 'unlimited'],
  },
  { limits: { types: ['page', 'post'] }, refused: ['unlimited'] },
  { limits: { drafts_only: true }, refused: ['site', 'backups', 'unlimited'] },
  { limits: { addresses: ['127.0.0.1'] }, refused: ['unlimited'] },
  { limits: { per_minute: 100_000 }, refused: ['unlimited'] },
  { limits: { ask: ['SVC_Skills.put'] }, refused: ['unlimited'] },
]

/** The limits that refuse most. A deep run tries all of them. */
const usual = limitRows.filter(({ limits }) => 'drafts_only' in limits || 'ask' in limits)

for (const { limits, refused } of isDeep ? limitRows : usual) {
  const [limit = ''] = Object.keys(limits)
  also(
    `attack 140: a token of scope admin limited in ${limit} is refused what would give more, by itself and in a batch, and no more`,
    async () => {
      const { token, item } = await site.call('SVC_Tokens.create', { name: `limited in ${limit}`, scope: 'admin', limits })
      await makeJobs(item.id)
      await makePreview(token)
      await makeNewsletter()
      // Verifying a backup notes what came of it.
      const rows = async () => ({ ...(await readObjects(site.home)), backup: [], backup_copy: [] })
      const before = await rows()
      for (const one of actions) {
        const name = nameOf(one)
        const isRefused = refused.includes(touchedBy.get(name) as Touched)
        if (!isRefused && isHeavy(one)) continue
        const options = one.effect === 'read' ? {} : { dry_run: true }
        for (const { title, input } of examplesOf(one)) {
          const answers = []
          for (const [, run] of doorsInTurn()) answers.push(await run(name, input, options, token))
          if (isRefused && one.effect !== 'destroy') {
            const calls = [{ action: name, arguments: input }]
            const { error } = await overRest('SVC_API.batch', { calls }, {}, token)
            assert.equal(error.code, 'refused', `${name} in a batch`)
          }
          for (const { success, error } of answers) {
            const what = `${name} (${title}): ${JSON.stringify(error)}`
            // Examples that publish are held by the entry's own check, and those that make a token without these limits by that token's.
            if (success || error.rule === `token limit ${limit}` || error.field === `limits.${limit}`)
              assert.equal(isRefused, false, what)
            else {
              assert.deepEqual([isRefused, error.code], [true, 'refused'], what)
              assert.ok(error.message.startsWith(`Your token is limited in ${limit}, which refuses ${name}.`), what)
              assert.match(error.hint, /^Do what your limits allow/)
            }
          }
        }
      }
      assert.deepEqual(await rows(), before)
    },
  )
}

also(
  'the failures that an action declares cover its answers to an unknown id, a stale revision and a wrong number of things',
  async () => {
    const absent = { id: 'no-such-thing', ids: ['no-such-thing'], doc: 'no-such-thing', parent: '/no-such-page', expect: 7 }
    const met = new Set<string>()
    for (const one of actions) {
      const names = Object.keys(absent).filter((name) => Object.hasOwn(one.input.properties, name))
      const wrong = names.map((name) => ({ [name]: absent[name as keyof typeof absent] }))
      const options = one.effect === 'read' ? {} : { dry_run: true }
      const stale = one.options.includes('if_revision') ? [{ if_revision: 999_999 }] : []
      for (const { title, input } of examplesOf(one)) {
        const { id: _id, ...rest } = input
        const tries = [
          ...wrong.map((part) => [{ ...('ids' in part ? rest : input), ...part }, options]),
          ...stale.map((part) => [input, { ...options, ...part }]),
        ]
        for (const [given, asked] of tries) {
          const { success, error } = await overRest(nameOf(one), given, asked)
          if (success) continue
          met.add(error.code as string)
          assert.ok(one.errors.includes(error.code as string), `${nameOf(one)} (${title}): ${JSON.stringify(error)}`)
        }
      }
    }
    assert.ok(met.has('not_found') && met.has('conflict'), [...met].join())
  },
)

also('an action that may answer a job before its work is done says so when it is described, and no other does', () => {
  const jobs = actions.filter(({ job }) => job !== undefined)
  assert.deepEqual(jobs.map(nameOf).sort(), [
    'SVC_Backup.create',
    'SVC_Backup.send',
    'SVC_Backup.test-target',
    'SVC_Backup.verify',
    'SVC_Backup.verify-copy',
    'SVC_Content.check',
    'SVC_Health.check',
    'SVC_Import.inspect',
    'SVC_Import.run',
    'SVC_Plugins.install',
    'SVC_Plugins.update',
    'SVC_Search.reindex',
  ])
  for (const { job } of jobs) assert.match(job ?? '', /`\{job: .*SVC_Jobs\.get/)
})

also('an unknown argument of any action is invalid, and named', async () => {
  for (const one of actions) {
    const input = { ...one.examples[0]?.input, surely_no_argument: 1 }
    for (const [, run] of doorsInTurn()) {
      const answer = await run(nameOf(one), input)
      assert.equal(answer.success, false, nameOf(one))
      assert.equal(answer.error.code, 'invalid', `${nameOf(one)}: ${JSON.stringify(answer)}`)
      assert.equal(answer.error.field, 'surely_no_argument', nameOf(one))
    }
  }
})

also('attack 79: tier, caller and __proto__ among the arguments of any action are invalid, and change no prototype', async () => {
  const names = ['tier', 'caller', '__proto__', 'constructor']
  for (const [place, one] of actions.entries()) {
    for (const name of isDeep ? names : [names[place % names.length]]) {
      const input = JSON.stringify(one.examples[0]?.input ?? {})
        .replace(/^\{/, `{${JSON.stringify(name)}:{"tier":"admin"},`)
        .replace(',}', '}')
      const body = `{"action":"${nameOf(one)}","arguments":${input}}`
      const answer = await site.send('/api/', { method: 'POST', body })
      assert.equal(answer.json.success, false, `${nameOf(one)} ${name}`)
      assert.equal(answer.json.error.code, 'invalid', `${nameOf(one)} ${name}: ${answer.text}`)
    }
  }
  assert.equal(({} as { tier?: string }).tier, undefined)
})

/** A running service can't replace its own database: it refuses, and tells the command that does. */
const refusing = 'SVC_Backup.restore'

also('what acts on credentials or destroys does so on both doors, and undo refuses to take it back', async () => {
  for (const one of actions.filter(({ effect }) => effect === 'act' || effect === 'destroy')) {
    if (nameOf(one) === refusing) continue
    for (const { title, input } of examplesOf(one)) {
      for (const [door, run] of doorsInTurn()) {
        const { token } = site
        const named = (await site.call('SVC_Tokens.list', { where: { name: 'Nightly export' } })).items as { id: string }[]
        await site.api('SVC_Tokens.revoke', { ids: named.map(({ id }) => id), expect: named.length })
        await makeNamedToken()
        if (one.class === 'SVC_Apps') await reconnect()
        if (one.class === 'SVC_Backup') await setPlace()
        if (one.class === 'SVC_Media') await makeMedia()
        if (one.class === 'SVC_Webhooks') await makeWebhook()
        if (one.class === 'SVC_Mail') await makeMail()
        if (one.class === 'SVC_Forms') await makeForm()
        if (one.class === 'SVC_Subscribers') await makeNewsletter()
        if (one.class === 'SVC_Comments') await makeComments()
        if (one.class === 'SVC_Jobs') await makeJobs()
        if (one.action === 'end-preview') await makePreview()
        if (one.class === 'SVC_Proposals') await makeProposal()
        if (one.class === 'SVC_Accounts') await makeEditor()
        if (one.class === 'SVC_Plugins') await installPlugin(zipOfFixture('useful'))
        const answer = await run(nameOf(one), input, {}, token)
        assert.equal(answer.success, true, `${nameOf(one)} (${title}) over ${door}: ${JSON.stringify(answer)}`)
        // While maintenance is on, nothing but itself is answered.
        if (one.action === 'maintenance') await site.call(nameOf(one), { on: false })
        const undone = await site.api('SVC_Activity.undo', { ids: [answer.data.activity_id as string] })
        assert.equal(undone.json.error?.code, 'refused', `${nameOf(one)}: ${undone.text}`)
      }
    }
  }
})

also('destroying without saying how many is invalid', async () => {
  for (const one of actions.filter(({ effect }) => effect === 'destroy')) {
    const { expect: _expect, ...input } = one.examples[0]?.input ?? {}
    assert.equal((await overRest(nameOf(one), input)).error.field, 'expect', nameOf(one))
  }
})
