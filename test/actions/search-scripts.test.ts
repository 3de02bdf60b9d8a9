// Words of many scripts are found in any case, whichever locale the database was created with: letters are folded by Postern alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeep } from '../deep-run.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'
import { makePostgresDatabase } from '../postgres.ts'

interface Words {
  readonly script: string
  readonly text: string
  readonly finds: readonly string[]
  readonly not?: readonly string[]
  /** A search with a slip, and the word that it means. */
  readonly slip?: readonly [search: string, meant: string]
  /** Part of the text in the other case. */
  readonly has?: string
}

const rows: readonly Words[] = [
  { script: 'Latin', text: 'Żółw Ąbęcki', finds: ['ŻÓŁW', 'żółw', 'zołw', 'ĄBĘCKI'], slip: ['ABECKY', 'ąbęcki'], has: 'żÓŁ' },
  {
    script: 'Turkish',
    text: 'İstanbul ısırgan',
    finds: ['ISTANBUL', 'İSTANBUL', 'istanbul', 'ISIRGAN', 'ısırgan'],
    has: 'STANB',
  },
  { script: 'German', text: 'Große Straße', finds: ['GROSSE', 'GROẞE STRASSE', 'große'], slip: ['STRASE', 'straße'], has: 'gRO' },
  {
    script: 'Greek',
    text: 'Ελλάδα οδός',
    finds: ['ΕΛΛΑΔΑ', 'ελλαδα', 'Ελλάδα', 'ΟΔΟΣ', 'ΟΔΌΣ', 'οδοσ'],
    slip: ['ΕΛΑΔΑ', 'ελλάδα'],
    has: 'ΟΔΌΣ',
  },
  {
    script: 'Cyrillic',
    text: 'Привет за́мок Йод',
    finds: ['привет', 'ПРИВЕТ', 'ЗАМОК', 'йод'],
    not: ['иод'],
    slip: ['ПРИВТ', 'привет'],
    has: 'РИВЕ',
  },
  { script: 'Armenian', text: 'Հայաստան', finds: ['ՀԱՅԱՍՏԱՆ', 'հայաստան'], slip: ['ՀԱՅԱՍՏՆ', 'հայաստան'], has: 'ԱՅԱՍ' },
  { script: 'Georgian', text: 'საქართველო', finds: ['ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ', 'საქართველო'], slip: ['საქართვლო', 'საქართველო'], has: 'ᲥᲐᲠᲗ' },
  { script: 'Cherokee', text: 'ᏣᎳᎩ ꭶꮼꮒ', finds: ['ꮳꮃꭹ', 'ᏣᎳᎩ', 'ᎦᏬᏂ'], has: 'ꮃꭹ' },
  { script: 'Deseret', text: '𐐔𐐯𐑅𐐨𐑉𐐯𐐻', finds: ['𐐔𐐇𐐝𐐀𐐡𐐇𐐓', '𐐼𐐯𐑅𐐨𐑉𐐯𐐻'], has: '𐐝𐐀' },
  { script: 'Adlam', text: '𞤆𞤵𞤤𞤢𞤪', finds: ['𞤆𞤓𞤂𞤀𞤈', '𞤨𞤵𞤤𞤢𞤪'], has: '𞤓𞤂' },
  { script: 'Hebrew', text: 'שָׁלוֹם עולם', finds: ['שָׁלוֹם', 'עולם'] },
  { script: 'Arabic', text: 'مدرسة جديدة', finds: ['مدرسة', 'جديدة'] },
  { script: 'Devanagari', text: 'हिन्दी भाषा', finds: ['हिन्दी', 'भाषा'], not: ['हानदा', 'भूषा'] },
  { script: 'Thai', text: 'ภาษาไทย', finds: ['ภาษา', 'ไทย'] },
  { script: 'Hangul', text: '서울에서', finds: ['서울'] },
  { script: 'Han', text: '東京都', finds: ['京都', '東京'], not: ['都東'] },
  { script: 'full width', text: 'ＷＩＤＥ ⅷ', finds: ['wide', 'ｗｉｄｅ', 'VIII'] },
]

const locales: Readonly<Record<string, string | undefined>> = {
  SQLite: undefined,
  'PostgreSQL C.UTF-8': `template0 locale_provider libc lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'`,
  'PostgreSQL C': `template0 locale_provider libc lc_collate 'C' lc_ctype 'C'`,
  'PostgreSQL ICU': `template0 locale_provider icu icu_locale 'tr-TR' lc_collate 'C' lc_ctype 'C'`,
}

const idsOf = (answer: { items: readonly { id: string }[] }) => answer.items.map(({ id }) => id)

/** Checks what is found of one entry. */
async function checkWords({ ok }: TestSite, { script, text, finds, not = [], slip, has }: Words, id: string): Promise<void> {
  for (const query of finds) {
    assert.ok(idsOf(await ok('SVC_Search.query', { query, limit: 100 })).includes(id), `${script}: ${query}`)
    assert.ok(idsOf(await ok('SVC_Content.list', { search: query, limit: 100 })).includes(id), `${script}, a list: ${query}`)
  }
  for (const query of not)
    assert.ok(!idsOf(await ok('SVC_Search.query', { query, limit: 100 })).includes(id), `${script}: not ${query}`)
  if (slip) assert.equal((await ok('SVC_Search.query', { query: slip[0] })).did_you_mean, slip[1], script)
  if (has) {
    for (const field of ['title', 'body']) {
      const { items } = await ok('SVC_Content.list', { where: { [field]: { has } } })
      assert.ok(idsOf({ items }).includes(id), `${script}: ${field} has ${has}`)
    }
    const { items } = await ok('SVC_Terms.list', { taxonomy: 'tag', search: has })
    assert.deepEqual(
      items.map(({ name }: { name: string }) => name),
      [text],
      `${script}, tags`,
    )
  }
  const similar = await ok('SVC_Search.similar', { text: finds[0] })
  assert.ok(idsOf(similar).includes(id), `${script}: similar`)
}

// A run tries the two kinds of database; a deep run tries the locales too.
for (const [name, locale] of Object.entries(locales).slice(0, isDeep ? undefined : 2))
  test(`words of ${rows.length} kinds of writing are found in any case, on ${name}`, async () => {
    await using database = locale === undefined ? undefined : await makePostgresDatabase(locale)
    await using site = await openTestSite(database ? { POSTERN_DATABASE_URL: database.url } : {}, 'SQLite')
    const ids: string[] = []
    for (const [at, { text }] of rows.entries()) {
      await site.ok('SVC_Terms.create', { taxonomy: 'tag', name: text })
      const { item } = await site.ok('SVC_Content.create', { type: 'post', title: text, slug: `w${at}`, body: `${text}.` })
      ids.push(item.id)
    }
    for (const [at, row] of rows.entries()) await checkWords(site, row, ids[at] ?? '')
    const { items } = await site.ok('SVC_Content.list', { sort: 'title', limit: 100 })
    const byCode = rows.map(({ text }) => text).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    assert.deepEqual(
      items.map(({ title }: { title: string }) => title),
      byCode,
    )
  })
