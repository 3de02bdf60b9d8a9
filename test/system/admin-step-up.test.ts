// Attack 128: a session whose last proof is more than a quarter of an hour ago is asked for the password by every form that destroys for ever or gives access.
// The table names every form of the admin, so that a new one has to say which it is, and why.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Services } from '../../src/actions/call/services.ts'
import { adminPaths } from '../../src/admin/paths.ts'
import { adminRoutes } from '../../src/admin/routes.ts'
import { openVisitor, type Form, type Visitor } from '../admin/visitor.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
/** What the forms are about. */
const ids: Record<string, string> = {}
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
  const { item: trashed } = await site.call('SVC_Content.create', { type: 'page', title: 'Old' })
  await site.call('SVC_Content.delete', { ids: [trashed.id] })
  const { item: file } = await site.call('SVC_Media.upload', {
    text: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    filename: 'old.svg',
  })
  await site.call('SVC_Media.delete', { ids: [file.id] })
  const { item: bob } = await site.call('SVC_Accounts.create', { email: 'bob@example.org', name: 'Bob', role: 'read' })
  const { item: token } = await site.call('SVC_Tokens.create', { name: 'Script', scope: 'read' })
  await site.call('SVC_Site.put-file', { name: 'security.txt', text: 'Contact: mailto:a@example.org' })
  const { item: backup } = await site.call('SVC_Backup.create', {})
  const asks = await site.call('SVC_Tokens.create', { name: 'Asks', scope: 'admin', limits: { ask: ['*'] } })
  const waits = await site.api('SVC_Content.purge', { ids: [trashed.id], expect: 1 }, { token: asks.token as string })
  Object.assign(ids, {
    trashed: trashed.id,
    file: file.id,
    bob: bob.id,
    token: token.id,
    backup: backup.id,
    proposal: waits.json.data?.proposal.id ?? assert.fail(waits.text),
  })
  await editRows(site.home, 'update session set authenticated_at = 0')
})
after(() => site[Symbol.asyncDispose]())

/** A form, and what somebody fills in. */
interface Sensitive {
  /** The page that shows the form. */
  readonly page: () => string
  readonly action: string
  /** Which of the page's forms with that action. */
  readonly work?: string
  /** The page asks once more, and the password is asked for there. */
  readonly asksOnceMore?: true
  readonly fields?: () => Readonly<Record<string, string>>
}

/** The forms that ask, each by the path that takes it. Plugins are in admin-plugins.test.ts, as they take a package; consent is in oauth tests. */
const asking: Readonly<Record<string, Sensitive>> = {
  'entries are deleted for ever': {
    page: () => '/admin/content?show=trash',
    action: adminPaths.content,
    asksOnceMore: true,
    fields: () => ({ do: 'purge-confirmed', ids: ids['trashed'] ?? '' }),
  },
  'a file is deleted for ever': {
    page: () => `/admin/media/file?id=${ids['file']}`,
    action: adminPaths.mediaFile,
    work: 'purge',
  },
  'selected files are deleted for ever': {
    page: () => '/admin/media?trash=yes&view=table',
    action: adminPaths.media,
    asksOnceMore: true,
    fields: () => ({ do: 'purge', ids: ids['file'] ?? '', expect: '1' }),
  },
  'an account is added': {
    page: () => adminPaths.people,
    action: adminPaths.people,
    fields: () => ({ name: 'Eve', email: 'eve2@example.org', role: 'admin' }),
  },
  'an account is changed': { page: () => `/admin/people/person?id=${ids['bob']}`, action: adminPaths.person },
  'an account gets a new link': { page: () => `/admin/people/person?id=${ids['bob']}`, action: adminPaths.resetPerson },
  'an account is deleted': { page: () => `/admin/people/person?id=${ids['bob']}`, action: adminPaths.deletePerson },
  'a token is created': { page: () => adminPaths.tokens, action: adminPaths.tokens, fields: () => ({ name: 'New' }) },
  'a token gets a new secret': { page: () => `/admin/tokens/token?id=${ids['token']}`, action: adminPaths.rotateToken },
  'a root file is written': {
    page: () => adminPaths.rootFiles,
    action: adminPaths.rootFiles,
    fields: () => ({ name: 'ads.txt', text: 'a' }),
  },
  'a root file is deleted': { page: () => adminPaths.rootFiles, action: adminPaths.deleteRootFile },
  'a backup is made': { page: () => adminPaths.backups, action: adminPaths.backups },
  'backups are kept for a time': { page: () => adminPaths.backups, action: adminPaths.backupSchedule },
  'backups are sent to a place': {
    page: () => `${adminPaths.backupsElsewhere}?kind=webdav`,
    action: adminPaths.backupsElsewhere,
    work: 'set',
    fields: () => ({ address: 'https://cloud.example.org', user: 'me', secret: 'a password' }),
  },
  'a backup is deleted': { page: () => `/admin/backups?id=${ids['backup']}`, action: adminPaths.deleteBackup },
  'a proposal that deletes for ever is accepted': {
    page: () => `/admin/approvals?id=${ids['proposal']}`,
    action: adminPaths.approvals,
    fields: () => ({ decide: 'approve' }),
  },
  'the console creates a token': {
    page: () => '/admin/console?action=SVC_Tokens.create',
    action: '/admin/console?action=SVC_Tokens.create',
    fields: () => ({ name: 'New', dry_run: '' }),
  },
  'the console deletes for ever': {
    page: () => '/admin/console?action=SVC_Content.purge',
    action: '/admin/console?action=SVC_Content.purge',
    fields: () => ({ ids: ids['trashed'] ?? '' }),
  },
  'the console shows the link of a backup': {
    page: () => '/admin/console?action=SVC_Backup.get',
    action: '/admin/console?action=SVC_Backup.get',
    fields: () => ({ id: ids['backup'] ?? '' }),
  },
}

for (const [what, { page, action, work, asksOnceMore, fields }] of Object.entries(asking))
  test(`attack 128: ${what} only by somebody who proved lately who they are`, async () => {
    const last = await newest()
    const shown = await owner.open(page())
    const form = shown.forms.find(
      (one: Form) =>
        one.method === 'post' &&
        one.action.split('?')[0] === action.split('?')[0] &&
        (work === undefined || one.fields['do'] === work),
    )
    assert.ok(form, `${page()} shows the form: ${shown.text}`)
    const { dry_run: _, ...filled } = { ...form.fields, ...fields?.() }
    if (!asksOnceMore) assert.equal(form.fields['password'], '', `the form asks: ${JSON.stringify(form.fields)}`)
    const answer = await owner.submit({ ...form, fields: filled }, { password: 'wrong wrong wrong' })
    assert.equal(answer.status, 403, answer.text)
    assert.match(answer.text, /name="password"/)
    assert.match(answer.text, /That is not your password/)
    assert.equal(await newest(), last, 'nothing was done')
    await editRows(site.home, 'delete from sign_in_attempt')
  })

const newest = async (): Promise<string> => (await site.call('SVC_Activity.list', { limit: 1 })).items[0].id as string

test('attack 128: no link to a backup is shown to a session without a proof', async () => {
  const { text } = await owner.open(`/admin/backups?id=${ids['backup']}`)
  assert.doesNotMatch(text, /href="[^"]*\/download/)
})

/** Paths whose forms need no proof, and why. */
const without: Readonly<Record<string, string>> = {
  [adminPaths.home]: 'It puts a list away, or moves unchanged examples to the trash.',
  [adminPaths.start]: 'What it writes can be taken back.',
  [adminPaths.newEntry]: 'Entries have revisions.',
  [adminPaths.editEntry]: 'Entries have revisions, and a deleted one is in the trash.',
  [adminPaths.entryRevisions]: 'A revision that is brought back is a new one.',
  [adminPaths.autosaveEntry]: 'It is a draft.',
  [adminPaths.previewEntry]: 'It is for the browser of the person, for ten minutes.',
  [adminPaths.previews]: 'It takes a link from strangers, and has to be quick.',
  [adminPaths.uploadImage]: 'It adds a file.',
  [adminPaths.checks]: 'A check changes nothing, and what it mends can be taken back.',
  [adminPaths.undo]: 'It can be taken back itself.',
  [adminPaths.health]: 'It reads.',
  [adminPaths.verifyBackup]: 'It reads.',
  [adminPaths.cancelJob]: 'What a job had not finished is rolled back.',
  [adminPaths.retryJob]: 'It asks where the call that it repeats needs the proof.',
  [adminPaths.import]: 'It asks where the call that it makes needs the proof.',
  [adminPaths.sendImport]: 'It only looks at a file.',
  [adminPaths.uploadMedia]: 'It adds files.',
  [adminPaths.uploadMediaFile]: 'It adds a file.',
  [adminPaths.replaceMedia]: 'The file before it is kept.',
  [adminPaths.menus]: 'It can be taken back.',
  [adminPaths.framePicture]: 'It can be taken back.',
  [adminPaths.pasteHtml]: 'It only converts a text.',
  [adminPaths.lookTheme]: 'It only shows.',
  [adminPaths.menu]: 'It can be taken back.',
  [adminPaths.terms]: 'It can be taken back.',
  [adminPaths.term]: 'It can be taken back.',
  [adminPaths.redirects]: 'It can be taken back.',
  [adminPaths.comments]: 'It can be taken back; what is deleted for good was spam or in the trash.',
  [adminPaths.comment]: 'It can be taken back.',
  [adminPaths.decideComment]: 'The link says who is there, for one comment.',
  [adminPaths.types]: 'It adds a type.',
  [adminPaths.type]: 'Values of a removed field are kept for a time.',
  [adminPaths.themes]: 'Themes have revisions, and a deleted one can be taken back.',
  [adminPaths.theme]: 'Themes have revisions.',
  [adminPaths.setUp]: 'Its link is the proof.',
  [adminPaths.signIn]: 'It is the proof.',
  [adminPaths.secondStep]: 'It is the proof.',
  [adminPaths.signOut]: 'It takes access away.',
  [adminPaths.newPassword]: 'Its link is the proof.',
  [adminPaths.receiveMails]: 'Its link is the proof.',
  [adminPaths.forgot]: 'It changes nothing, and its mail goes to the owner of the account.',
  [adminPaths.ownMails]: 'It is about the number of mails.',
  [adminPaths.forms]: 'A new form sends mails to nobody.',
  [adminPaths.newsletter]: 'It asks where the call that it makes needs the proof.',
  [adminPaths.sendNewsletter]: 'It asks where the call that it makes needs the proof.',
  [adminPaths.importSubscribers]: 'It asks where the call that it makes needs the proof.',
  [adminPaths.profile]: 'A name is no access.',
  [adminPaths.writing]: 'It is about a key of the keyboard.',
  [adminPaths.password]: 'It always takes the present password.',
  [adminPaths.endSessions]: 'It takes access away.',
  [adminPaths.connect]: 'It reads.',
  [adminPaths.app]: 'It only tightens limits.',
  [adminPaths.token]: 'It only tightens limits.',
  [adminPaths.removeApp]: 'It takes access away.',
  [adminPaths.revokeToken]: 'It takes access away.',
  [adminPaths.skills]: 'It can be taken back.',
  [adminPaths.deleteSkill]: 'It can be taken back.',
  [adminPaths.settings]: 'It can be taken back.',
  [adminPaths.deactivatePlugin]: 'It takes rights away.',
  [adminPaths.configurePlugin]: 'It can be taken back, and gives a plugin no right.',
  [adminPaths.maintenance]: 'The same page opens the site again.',
}

/** Forms that ask, whose tests are elsewhere: they take a package, a code of an app, or an app's request. */
const askingElsewhere: readonly string[] = [
  adminPaths.authenticator,
  adminPaths.passkeys,
  adminPaths.confirm,
  adminPaths.recoveryCodes,
  adminPaths.removeFactor,
  adminPaths.consent,
  adminPaths.console,
  adminPaths.plugins,
  adminPaths.form,
  adminPaths.mail,
  adminPaths.webhooks,
  adminPaths.webhook,
  adminPaths.uploadRootFile,
  adminPaths.activatePlugin,
  adminPaths.deletePlugin,
]

test('attack 128: every form of the admin asks for a proof, or has a reason not to', () => {
  const asks = new Set([...Object.values(asking).map(({ action }) => action.split('?')[0] ?? ''), ...askingElsewhere])
  const takes = adminRoutes({} as Services).filter(({ path, methods }) => methods.POST && !/[*:]/.test(path))
  assert.deepEqual(
    takes.map(({ path }) => path).filter((path) => !asks.has(path) && !(path in without)),
    [],
  )
  assert.deepEqual(
    Object.keys(without).filter((path) => asks.has(path)),
    [],
  )
})
