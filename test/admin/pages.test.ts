// Pages of the admin as functions: from a made visit to markup, and from the fields of a form to what its action stores.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addPerson, showPeople } from '../../src/admin/people/people-page.ts'
import { changePerson, deletePerson, showPerson } from '../../src/admin/people/person-page.ts'
import { showAccount } from '../../src/admin/account/account-page.ts'
import { takePasskey } from '../../src/admin/account/passkeys.ts'
import { saveProfile } from '../../src/admin/account/save-profile.ts'
import { showThemes, takeThemesForm } from '../../src/admin/appearance/themes-page.ts'
import { changeToken, showToken } from '../../src/admin/connections/credential-page.ts'
import { saveSkill, showSkills } from '../../src/admin/connections/skills-page.ts'
import { mintToken, showTokens } from '../../src/admin/connections/tokens-page.ts'
import { adminPaths } from '../../src/admin/paths.ts'
import { showMenu } from '../../src/admin/structure/menu-page.ts'
import { takeMenuForm } from '../../src/admin/structure/menu-forms.ts'
import { showMenus, takeMenusForm } from '../../src/admin/structure/menus-page.ts'
import { showRedirects, takeRedirectsForm } from '../../src/admin/structure/redirects-page.ts'
import { showTerm, takeTermForm } from '../../src/admin/structure/term-page.ts'
import { showTerms, takeTermsForm } from '../../src/admin/structure/terms-page.ts'
import { showType, takeTypeForm } from '../../src/admin/structure/type-page.ts'
import { showTypes, takeTypesForm } from '../../src/admin/structure/types-page.ts'
import type { SignedIn } from '../../src/admin/visit.ts'
import type { Reply } from '../../src/http/reply.ts'
import type { AccountRow } from '../../src/store/core/schema.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'
import { all, attr, type Element, parsed, textOf } from './visitor.ts'
import { htmlOf, makeVisit } from './visit.ts'

type Values = Readonly<Record<string, string | readonly string[]>>
type Handler = (visit: SignedIn) => Promise<Reply>

let made: TestSite
before(async () => {
  made = await openTestSite()
})
after(() => made[Symbol.asyncDispose]())

const visitOf = async (path: string, as?: AccountRow): Promise<SignedIn> =>
  makeVisit({ site: made.site, account: as ?? made.owner, path, now: made.clock.at })

const shown = async (show: Handler, path: string, as?: AccountRow): Promise<Page> => pageOf(await show(await visitOf(path, as)))

async function sent(take: Handler, path: string, values: Values, purpose = path.replace(/\?.*/, '')): Promise<Page> {
  const form = { purpose, values }
  return pageOf(await take(await makeVisit({ site: made.site, account: made.owner, path, now: made.clock.at, form })))
}

interface Page {
  readonly status: number
  readonly location: unknown
  readonly text: string
  /** The texts of the elements with this tag. */
  texts(tag: string): readonly string[]
  /** The value of the field with this id. */
  value(id: string): string | undefined
  /** The sentence in the banner of a refused form. */
  readonly banner: string
  /** The ids to which the banner links. */
  readonly faults: readonly string[]
}

function pageOf(reply: Reply): Page {
  const text = reply.status === 303 ? '' : htmlOf(reply)
  const elements = all(parsed(text))
  const byId = (id: string) => elements.find((one) => attr(one, 'id') === id)
  const words = (one: Element | undefined) => (one ? textOf(one).replace(/\s+/g, ' ').trim() : '')
  const banner = byId('refusal')
  return {
    status: reply.status,
    location: reply.headers['location'],
    text,
    texts: (tag) => elements.filter(({ tagName }) => tagName === tag).map(words),
    value(id) {
      const one = byId(id)
      if (one?.tagName === 'textarea') return textOf(one)
      if (one?.tagName === 'select')
        return attr(
          all(one).find((option) => attr(option, 'selected') !== undefined)!,
          'value',
        )
      return one && attr(one, 'value')
    },
    banner: words(banner),
    faults: banner ? all(banner).flatMap((one) => attr(one, 'href')?.slice(1) ?? []) : [],
  }
}

test('redirects: the list and the form of one of them, and what its fields store', async () => {
  const saved = await sent(takeRedirectsForm, adminPaths.redirects, {
    do: 'save',
    from: ' /a ',
    to: ' /b ',
    status: '307',
    note: '',
  })
  assert.deepEqual([saved.status, saved.location], [303, '/admin/redirects?done=redirects.create'])
  const { item } = await made.ok('SVC_Redirects.get', { id: '/a' })
  assert.deepEqual([item.from, item.to, item.status, item.note], ['/a', '/b', 307, null])
  const page = await shown(showRedirects, `${adminPaths.redirects}?edit=${item.id}`)
  assert.ok(page.texts('th').includes('/a'))
  assert.deepEqual(
    ['from', 'to', 'status', 'note'].map((name) => page.value(`f-${name}`)),
    ['/a', '/b', '307', ''],
  )
  const gone = { do: 'save', id: item.id, revision: String(item.revision), from: '/a', to: ' ', status: '301', note: 'Old' }
  assert.equal((await sent(takeRedirectsForm, adminPaths.redirects, gone)).status, 303)
  const { item: after } = await made.ok('SVC_Redirects.get', { id: '/a' })
  assert.deepEqual([after.to, after.note], [null, 'Old'])
})

test('redirects: an old address of an import is found by its path, its whole address or its number, and shows where it leads', async () => {
  const site = 'https://old.example.org'
  await made.ok('SVC_Content.create', { type: 'page', title: 'Rye', slug: 'old-rye', status: 'published' })
  await made.ok('SVC_Redirects.put-old', {
    rows: [
      { site, kind: 'path', old: '/2019/05/rye/', to: '/old-rye' },
      { site, kind: 'item', old: '4711', to: '/old-rye' },
    ],
  })
  for (const [search, row] of [
    ['/2019/05/rye/', '/2019/05/rye'],
    [`${site}/2019/05/rye/?utm=1`, '/2019/05/rye'],
    [`${site}/?p=4711`, '/?p=4711'],
  ] as const) {
    const page = await shown(showRedirects, `${adminPaths.redirects}?list=imported&search=${encodeURIComponent(search)}`)
    const texts = [...page.texts('th'), ...page.texts('td')]
    assert.ok(texts.includes(row) && texts.includes('/old-rye'), `${search}: ${texts.join(' | ')}`)
  }
  const none = await shown(showRedirects, `${adminPaths.redirects}?list=imported&search=/2018/nothing`)
  assert.equal(none.texts('td').length, 0)
})

test('redirects: a refused form keeps its texts and its revision, and says what is wrong at the field', async () => {
  const { item } = await made.ok('SVC_Redirects.create', { from: '/mine', to: '/there' })
  const refused = await sent(takeRedirectsForm, adminPaths.redirects, {
    do: 'save',
    from: '/mine',
    to: '/other',
    status: '302',
    note: 'N',
  })
  assert.equal(refused.status, 409)
  assert.deepEqual(refused.faults, ['f-from'])
  assert.deepEqual(
    ['from', 'to', 'status', 'note'].map((name) => refused.value(`f-${name}`)),
    ['/mine', '/other', '302', 'N'],
  )
  await made.ok('SVC_Redirects.update', { id: item.id, from: '/mine', to: '/newer' })
  const late = { do: 'save', id: item.id, revision: '1', from: '/mine', to: '/late', status: '301', note: '' }
  const again = await sent(takeRedirectsForm, adminPaths.redirects, late)
  assert.equal(again.status, 409)
  assert.match(again.text, /name="revision" value="1"/)
  const paste = await sent(takeRedirectsForm, adminPaths.redirects, { do: 'paste', csv: '/c-old,/c\n/d-old,/d,999' })
  assert.deepEqual([paste.status, paste.faults, paste.value('f-csv')], [422, ['f-csv'], '/c-old,/c\n/d-old,/d,999'])
  assert.match(paste.text, /<details class="panel" open="">/)
  assert.match(paste.text, /Line 2/)
  const none = await sent(takeRedirectsForm, adminPaths.redirects, { do: 'delete' })
  assert.deepEqual([none.status, none.faults], [422, ['first-box']])
})

test('terms: what the form of a new term stores, and a taxonomy with and without a tree', async () => {
  const path = `${adminPaths.terms}?taxonomy=category`
  assert.equal((await sent(takeTermsForm, path, { do: 'create', name: ' News ', slug: '', parent: '' })).status, 303)
  const { item: news } = await made.ok('SVC_Terms.get', { id: 'category/news' })
  assert.deepEqual([news.name, news.parent], ['News', null])
  assert.equal((await sent(takeTermsForm, path, { do: 'create', name: 'Local', parent: news.id })).status, 303)
  assert.equal((await made.ok('SVC_Terms.get', { id: 'category/local' })).item.parent, news.id)
  const wrong = await sent(takeTermsForm, path, { do: 'create', name: 'News', slug: 'news', parent: news.id })
  assert.deepEqual([wrong.status, wrong.faults], [409, ['f-slug']])
  assert.deepEqual([wrong.value('f-name'), wrong.value('f-parent')], ['News', news.id])
  const page = await shown(showTerms, path)
  assert.match(page.text, /News<\/a>[^]*<ul class="tree">[^]*Local<\/a>/)
  assert.match((await shown(showTerms, `${adminPaths.terms}?taxonomy=tag`)).text, /^(?![^]*name="parent")/)
})

test('terms: a term is changed with its parent, and the forms of taxonomies store their boxes', async () => {
  const { item } = await made.ok('SVC_Terms.create', { taxonomy: 'category', name: 'Near', text: '\nAbout' })
  const page = await shown(showTerm, `${adminPaths.term}?id=${item.id}`)
  assert.deepEqual(
    ['name', 'slug', 'text'].map((name) => page.value(`f-${name}`)),
    ['Near', 'near', '\nAbout'],
  )
  const values = {
    do: 'save',
    id: item.id,
    revision: String(item.revision),
    name: 'Near <us>',
    slug: 'near',
    parent: '',
    text: ' T ',
  }
  assert.equal((await sent(takeTermForm, adminPaths.term, values)).status, 303)
  assert.equal((await made.ok('SVC_Terms.get', { id: item.id })).item.text, ' T ')
  const late = await sent(takeTermForm, adminPaths.term, { ...values, name: 'Late' })
  assert.deepEqual([late.status, late.value('f-name')], [409, 'Late'])
  const kind = { do: 'new-taxonomy', name: 'Kinds', slug: 'kind', tree: 'yes' }
  assert.equal(
    (await sent(takeTermsForm, adminPaths.terms, kind)).location,
    '/admin/terms?taxonomy=kind&done=terms.save-taxonomy',
  )
  const change = { do: 'taxonomy', name: 'Kinds', types: ['page'] }
  assert.equal((await sent(takeTermsForm, `${adminPaths.terms}?taxonomy=kind`, change)).status, 303)
  const taxonomyNow = async () =>
    (await made.ok('SVC_Terms.taxonomies')).items.find(({ slug }: { slug: string }) => slug === 'kind')
  assert.deepEqual(await taxonomyNow().then(({ types, tree }) => [types, tree]), [['page'], false])
  assert.equal((await sent(takeTermsForm, `${adminPaths.terms}?taxonomy=kind`, { do: 'taxonomy', name: 'Kinds' })).status, 303)
  assert.equal((await taxonomyNow()).types, null)
})

test('menus: one is added and renamed, and each refused form shows its own texts', async () => {
  assert.equal(
    (await sent(takeMenusForm, adminPaths.menus, { do: 'create', name: 'Foot', slug: 'foot', location: ' ' })).status,
    303,
  )
  const { item } = await made.ok('SVC_Menus.get', { id: 'foot' })
  assert.equal(item.location, null)
  const taken = await sent(takeMenusForm, adminPaths.menus, { do: 'create', name: 'Foot 2', slug: 'foot', location: 'main' })
  assert.deepEqual(
    [taken.status, taken.faults, taken.value('f-name'), taken.value('f-location')],
    [409, ['f-slug'], 'Foot 2', 'main'],
  )
  const values = { do: 'rename', id: item.id, revision: String(item.revision), name: 'Feet', slug: 'feet', location: 'footer' }
  assert.equal((await sent(takeMenuForm, adminPaths.menu, values)).status, 303)
  const page = await shown(showMenu, `${adminPaths.menu}?id=feet`)
  assert.deepEqual(
    ['name', 'slug', 'location'].map((name) => page.value(`f-${name}`)),
    ['Feet', 'feet', 'footer'],
  )
  const bad = await sent(takeMenuForm, adminPaths.menu, { do: 'add', id: item.id, label: 'L', url: 'javascript:x' })
  assert.deepEqual([bad.faults, bad.value('f-label'), bad.value('f-name')], [['f-url'], 'L', 'Feet'])
  assert.match((await shown(showMenus, adminPaths.menus)).text, /Feet<\/a>/)
})

test('types: one is added and changed, its boxes with it, and a wrong address is told at its field', async () => {
  assert.equal(
    (await sent(takeTypesForm, adminPaths.types, { do: 'create', name: 'Product', slug: 'product', path: '' })).status,
    303,
  )
  const { item } = await made.ok('SVC_Types.get', { id: 'product' })
  assert.deepEqual([item.path, item.feed], ['/{type}/{slug}', false])
  const values = { do: 'settings', id: 'product', revision: String(item.revision), name: 'Goods' }
  const wrong = await sent(takeTypeForm, adminPaths.type, { ...values, path: 'nowhere', feed: 'yes', taxonomies: 'tag' })
  assert.deepEqual([wrong.status, wrong.faults, wrong.value('f-name')], [422, ['f-path'], 'Goods'])
  assert.match(wrong.text, /value="tag" checked[^]*name="feed" value="yes"\s+checked/)
  assert.equal(
    (await sent(takeTypeForm, adminPaths.type, { ...values, path: '/shop/{slug}', feed: 'yes', taxonomies: 'tag' })).status,
    303,
  )
  const { item: after } = await made.ok('SVC_Types.get', { id: 'product' })
  assert.deepEqual([after.name, after.path, after.feed, after.taxonomies], ['Goods', '/shop/{slug}', true, ['tag']])
  assert.ok((await shown(showTypes, adminPaths.types)).texts('th').includes('Goods'))
  assert.equal((await shown(showType, `${adminPaths.type}?id=page`)).value('f-path'), undefined)
})

test('types: a field that is not possible says why, and the form keeps what was filled in', async () => {
  const { item } = await made.ok('SVC_Types.create', { slug: 'lamp', name: 'Lamp' })
  for (const [filled, expected] of [
    [{ name: 'Bad Name', kind: 'text' }, /name/],
    [{ name: 'amount', kind: 'number', default: 'five' }, /"default" is not JSON/],
  ] as const) {
    const field = { do: 'field', id: 'lamp', revision: String(item.revision), field: '', label: 'Kept', ...filled }
    const page = await sent(takeTypeForm, adminPaths.type, field)
    assert.equal(page.status, 422)
    assert.match(page.banner, expected)
    assert.match(page.text, /name="label" value="Kept"/)
  }
  const late = await sent(takeTypeForm, adminPaths.type, { do: 'up', id: 'lamp', revision: 'x', field: 'a' })
  assert.match(late.banner, /"revision" must be a whole number/)
})

test('people: an account is added with its link, and changed; a refused deletion leaves the form beside it alone', async () => {
  const added = await sent(addPerson, adminPaths.people, { name: ' Ann ', email: ' ann@example.org ', role: 'content' })
  assert.match(added.text, /\/admin\/new-password\?code=/)
  const taken = await sent(addPerson, adminPaths.people, { name: 'Ann', email: 'ann@example.org', role: 'read' })
  assert.deepEqual([taken.status, taken.faults, taken.value('f-name')], [409, ['f-email'], 'Ann'])
  const { item } = await made.ok('SVC_Accounts.get', { id: 'ann@example.org' })
  const values = {
    id: item.id,
    revision: String(item.revision),
    name: 'Ann',
    email: item.email,
    role: 'content',
    slug: '',
    picture: '',
  }
  const changed = await sent(changePerson, adminPaths.person, { ...values, bio: ' Bakes. ', public: 'yes', disabled: 'yes' })
  assert.equal(changed.status, 303)
  const { item: after } = await made.ok('SVC_Accounts.get', { id: item.id })
  assert.deepEqual([after.bio, after.public, after.disabled, after.picture], ['Bakes.', true, true, null])
  const refused = await sent(deletePerson, adminPaths.deletePerson, { id: item.id, give_to: 'nobody' })
  assert.equal(refused.value('f-bio'), 'Bakes.')
  assert.match(refused.text, /name="disabled" value="yes"\s+checked/)
  assert.match((await shown(showPeople, adminPaths.people)).text, /Ann<\/a>[^]*ann@example\.org/)
  assert.equal((await shown(showPerson, `${adminPaths.person}?id=${item.id}`)).value('f-email'), 'ann@example.org')
})

test('the own account: only people who may publish have a public profile, and a refused one keeps its texts', async () => {
  const reader = await made.account('reader@example.org', 'read')
  assert.equal((await shown(showAccount, adminPaths.account, reader)).value('f-bio'), undefined)
  const refused = await sent(saveProfile, adminPaths.profile, { name: 'Me', slug: '', bio: 'Typed', picture: 'nothing' })
  assert.deepEqual([refused.status, refused.faults, refused.value('f-bio')], [422, ['f-picture'], 'Typed'])
  const saved = await sent(saveProfile, adminPaths.profile, {
    id: 'other',
    name: ' Me ',
    slug: 'me',
    bio: '',
    picture: '',
    public: 'yes',
  })
  assert.equal(saved.status, 303)
  const { item } = await made.ok('SVC_Accounts.get', { id: 'owner@example.org' })
  assert.deepEqual([item.name, item.slug, item.bio, item.public], ['Me', 'me', null, true])
})

test('the own account: a refused passkey leaves the profile beside it alone', async () => {
  const refused = await sent(takePasskey, adminPaths.passkeys, { name: 'My key', credential: '', challenge: '' })
  assert.equal(refused.status, 403)
  assert.match(refused.banner, /\S/)
  assert.equal(refused.value('f-name'), made.owner.name)
})

test('tokens: a preset and limits are stored, the secret is shown once, and a wrong limit is told at its field', async () => {
  const values = { name: ' Desk ', scope: 'drafts', addresses: '192.0.2.1, ::1', per_minute: '7', expires_at: '' }
  const secret = await sent(mintToken, adminPaths.tokens, { ...values, key: 'k'.repeat(20) })
  assert.match(secret.text, /Authorization: Bearer/)
  const { items } = await made.ok('SVC_Tokens.list')
  const { id, name, scope, limits } = items.find((one: { name: string }) => one.name === 'Desk')
  assert.deepEqual(
    [name, scope, limits],
    ['Desk', 'content', { drafts_only: true, addresses: ['192.0.2.1', '::1'], per_minute: 7 }],
  )
  const wrong = await sent(mintToken, adminPaths.tokens, { ...values, addresses: 'nowhere', key: '' })
  assert.deepEqual([wrong.status, wrong.faults, wrong.value('f-per_minute')], [422, ['f-addresses'], '7'])
  assert.match(wrong.text, /value="drafts"[^>]*checked/)
  assert.match((await shown(showTokens, adminPaths.tokens)).text, /Desk<\/a>/)
  const looser = { id, name: 'Desk', drafts_only: 'yes', addresses: '192.0.2.1, ::1', per_minute: '9' }
  const refused = await sent(changeToken, adminPaths.token, looser)
  assert.deepEqual([refused.faults, refused.value('f-per_minute')], [['f-per_minute'], '9'])
  assert.match(refused.banner, /limits only tighten\. Give the same limits or tighter ones\./)
  assert.equal((await sent(changeToken, adminPaths.token, { ...looser, per_minute: '5' })).status, 303)
  assert.equal((await shown(showToken, `${adminPaths.token}?id=${id}`)).value('f-per_minute'), '5')
})

test('skills: one is added, changed under its name, and refused with its texts', async () => {
  const bad = await sent(saveSkill, adminPaths.skills, { slug: 'Bad Name', when: 'Now', text: '\nT' })
  assert.deepEqual([bad.status, bad.faults], [422, ['f-slug']])
  assert.deepEqual(
    ['slug', 'when', 'text'].map((name) => bad.value(`f-${name}`)),
    ['Bad Name', 'Now', '\nT'],
  )
  assert.equal((await sent(saveSkill, adminPaths.skills, { slug: ' tone ', when: 'Now', text: 'T' })).status, 303)
  const page = await shown(showSkills, `${adminPaths.skills}?edit=tone`)
  assert.deepEqual([page.value('f-slug'), page.value('f-when'), page.value('f-text')], [undefined, 'Now', 'T'])
  assert.equal((await sent(saveSkill, adminPaths.skills, { slug: 'tone', revision: '1', when: '', text: 'T2' })).status, 303)
  const late = await sent(saveSkill, adminPaths.skills, { slug: 'tone', revision: '1', when: '', text: 'T3' })
  assert.deepEqual([late.status, late.value('f-text')], [409, 'T3'])
})

test('themes: a copy is made in either way, and a slug that is taken is told at its field', async () => {
  const page = await shown(showThemes, adminPaths.themes)
  assert.ok(page.texts('h2').some((text) => text.includes('Active')))
  for (const way of ['base', 'copy'])
    assert.equal(
      (await sent(takeThemesForm, adminPaths.themes, { do: 'copy', from: 'default', slug: ` by-${way} `, way })).status,
      303,
    )
  const taken = await sent(takeThemesForm, adminPaths.themes, { do: 'copy', from: 'default', slug: 'by-base', way: 'copy' })
  assert.deepEqual([taken.status, taken.faults, taken.value('f-slug')], [409, ['f-slug'], 'by-base'])
  assert.match(taken.text, /value="copy"[^>]*checked/)
})
