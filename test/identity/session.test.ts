// Sessions and what is sealed, by their rules and against texts that were tampered with.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fc } from '../properties.ts'
import { csrfToken, isCsrfToken } from '../../src/identity/csrf.ts'
import { findLinkAccount, linkMs, makeLink, takeLink } from '../../src/identity/one-time-link.ts'
import { seal, unseal } from '../../src/identity/sealed.ts'
import {
  endSession,
  endSessionsOf,
  findSession,
  freshMs,
  idleMs,
  isFresh,
  longestMs,
  noteSeen,
  openSession,
} from '../../src/identity/session.ts'
import { isSetUpCode, setUpCode, takeSetUp } from '../../src/identity/set-up.ts'
import { windowMs } from '../../src/identity/attempts.ts'
import { checkSignIn } from '../../src/identity/sign-in.ts'
import { createSiteKey } from '../../src/identity/site-key.ts'
import { openTestSite, start } from './open-test-site.ts'

const secret = randomBytes(32)
const key = createSiteKey(secret)
const sealable = fc.jsonValue({ maxDepth: 3 })

test('what is sealed opens as it was, with its own purpose and key alone', () =>
  fc.assert(
    fc.property(sealable, fc.string(), fc.string(), (value, purpose, other) => {
      const text = seal(key, purpose, value)
      assert.match(text, /^[A-Za-z0-9_-]+$/)
      assert.deepEqual(unseal(key, purpose, text), JSON.parse(JSON.stringify(value)))
      if (other !== purpose) assert.equal(unseal(key, other, text), undefined)
      assert.equal(unseal(createSiteKey(randomBytes(32)), purpose, text), undefined)
    }),
    { numRuns: 60 },
  ))

test('a sealed text has one spelling: whatever is changed, cut, added or doubled opens nothing', () => {
  const edits = fc.oneof(
    fc.tuple(fc.nat(), fc.constantFrom(...'AZaz09_-=+/.! \n')).map(([at, char]) => (text: string) => {
      const index = at % text.length
      return text.slice(0, index) + char + text.slice(index + 1)
    }),
    fc.nat().map((at) => (text: string) => text.slice(0, at % text.length)),
    fc.constantFrom('=', '==', 'A', '\n', ' ', '.').map((more) => (text: string) => text + more),
    fc.constant((text: string) => text + text),
    fc.string().map((other) => () => other),
  )
  fc.assert(
    fc.property(sealable, edits, (value, edit) => {
      const text = seal(key, 'session', value)
      const edited = edit(text)
      if (edited !== text) assert.equal(unseal(key, 'session', edited), undefined)
    }),
    { numRuns: 300 },
  )
})

test('what was sealed under an earlier secret of the site still opens, and new seals use the new one', () => {
  const changed = createSiteKey(Buffer.concat([randomBytes(32), secret]))
  assert.deepEqual(unseal(changed, 'session', seal(key, 'session', { a: 1 })), { a: 1 })
  assert.equal(unseal(key, 'session', seal(changed, 'session', { a: 1 })), undefined)
})

test('attack 34: a sealed cookie, a form token and a set-up code are of no use for one another', () => {
  const cookie = seal(key, 'session', { session: 'x' })
  assert.equal(unseal(key, 'known-browser', cookie), undefined)
  assert.equal(unseal(key, 'consent', cookie), undefined)
  assert.equal(isSetUpCode(key, csrfToken(key, 'x', 'set-up')), false)
  assert.equal(isCsrfToken(key, 'x', 'sign-in', setUpCode(key)), false)
})

test('attack 69: a form token is good for its holder and purpose alone', () =>
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (holder, purpose, otherHolder, otherPurpose) => {
      const token = csrfToken(key, holder, purpose)
      assert.equal(isCsrfToken(key, holder, purpose, token), true)
      const same = holder === otherHolder && purpose === otherPurpose
      assert.equal(isCsrfToken(key, otherHolder, otherPurpose, token), same)
    }),
    { numRuns: 60 },
  ))

test('a session ends after eight hours without use and after seven days of it', async () => {
  await using opened = await openTestSite()
  const { store } = opened.site
  const { id } = await openSession(store.write, opened.owner, start)
  assert.ok(await findSession(store.read, id, start + idleMs - 1))
  assert.equal(await findSession(store.read, id, start + idleMs), undefined)
  for (let at = start; at < start + longestMs; at += idleMs - 60_000) {
    const session = await findSession(store.read, id, at)
    assert.ok(session, `at ${at - start}`)
    await noteSeen(store.write, session.row, at)
  }
  assert.equal(await findSession(store.read, id, start + longestMs), undefined)
})

test('attack 67: signing out, ending all sessions, disabling and a new epoch each end a session that is shown again', async () => {
  await using opened = await openTestSite()
  const { site, owner } = opened
  const { store } = site
  const open = async () => (await openSession(store.write, owner, start)).id
  const [one, two] = [await open(), await open()]
  await endSession(store.write, one, start)
  assert.equal(await findSession(store.read, one, start), undefined)
  assert.ok(await findSession(store.read, two, start))
  await endSessionsOf(store.write, owner.id, start)
  assert.equal(await findSession(store.read, two, start), undefined)
  const three = await open()
  await opened.account('second@example.org', 'admin')
  await opened.ok('SVC_Accounts.update', { id: owner.email, disabled: true }, opened.admin)
  assert.equal(await findSession(store.read, three, start), undefined)
  await opened.ok('SVC_Accounts.update', { id: owner.email, disabled: false }, opened.admin)
  assert.equal(await findSession(store.read, three, start), undefined)
})

test('a password that was given a quarter of an hour ago is no longer fresh', () => {
  assert.equal(isFresh({ authenticated_at: start }, start + freshMs - 1), true)
  assert.equal(isFresh({ authenticated_at: start }, start + freshMs), false)
})

test('a one-time link is good once, for three days, for the newest of an account, and not after another reset', async () => {
  await using opened = await openTestSite()
  const { store } = opened.site
  const old = await makeLink(store.write, opened.owner, start)
  const code = await makeLink(store.write, opened.owner, start)
  assert.equal(await findLinkAccount(store.read, old, start), undefined)
  assert.equal((await findLinkAccount(store.read, code, start + linkMs - 1))?.id, opened.owner.id)
  assert.equal(await findLinkAccount(store.read, code, start + linkMs), undefined)
  assert.deepEqual([await takeLink(store.write, code, start), await takeLink(store.write, code, start)], [true, false])
  assert.equal(await findLinkAccount(store.read, code, start), undefined)
  const { link } = await opened.ok('SVC_Accounts.reset', { id: opened.owner.email })
  const fresh = new URL(link as string).searchParams.get('code') ?? ''
  assert.ok(await findLinkAccount(store.read, fresh, start))
  await opened.ok('SVC_Accounts.reset', { id: opened.owner.email })
  assert.equal(await findLinkAccount(store.read, fresh, start), undefined)
})

test('attack 21: of two set-ups in two processes one succeeds, and none where there is an account', async () => {
  await using opened = await openTestSite()
  const other = await opened.other()
  const take = (site: typeof other, id: string) => site.store.transaction((db) => takeSetUp(db, id))
  assert.equal(await take(other, 'a'), false)
  await opened.site.store.write.deleteFrom('account').execute()
  const taken = await Promise.all([take(opened.site, 'a'), take(other, 'b')])
  assert.equal(taken.filter(Boolean).length, 1)
})

const attempt = { email: 'owner@example.org', password: 'wrong', address: '192.0.2.1', knownAs: undefined }
const limits = { perAccount: 5, perAddress: 20 }

test('attack 63: attempts of one account count together in all processes, whatever the letter case, and again after 15 minutes', async () => {
  await using opened = await openTestSite()
  const stores = [opened.site.store, (await opened.other()).store]
  const emails = ['owner@example.org', 'OWNER@example.org', ' Owner@Example.ORG ']
  const tried = await Promise.all(
    Array.from({ length: 8 }, (_, at) => {
      const store = stores[at % 2]!
      return checkSignIn(store, { ...attempt, email: emails[at % 3] ?? '' }, limits, start)
    }),
  )
  const reasons = tried.map((result) => ('refused' in result ? result.refused : 'in'))
  assert.equal(reasons.filter((reason) => reason === 'wrong').length, 5)
  assert.equal(reasons.filter((reason) => reason === 'throttled').length, 3)
  const later = await checkSignIn(opened.site.store, attempt, limits, start + windowMs)
  assert.deepEqual(later, { refused: 'wrong' })
})

test('attack 63: one address may fail 20 times, whichever the accounts', async () => {
  await using opened = await openTestSite()
  const small = { perAccount: 5, perAddress: 4 }
  const reasons: string[] = []
  for (let at = 0; at < 5; at++) {
    const result = await checkSignIn(opened.site.store, { ...attempt, email: `nobody${at}@example.org` }, small, start)
    reasons.push('refused' in result ? result.refused : 'in')
  }
  assert.deepEqual(reasons, ['wrong', 'wrong', 'wrong', 'wrong', 'throttled'])
})
