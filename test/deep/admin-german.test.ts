// The whole admin in German: no page has a sentence in English. Documents, the console and plugins speak English alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DefaultTreeAdapterMap, parse } from 'parse5'
import { openVisitor, type Page } from '../admin/visitor.ts'
import { walkAdmin } from '../admin/walk-admin.ts'
import { openSite, type TestSite } from '../site.ts'

type Node = DefaultTreeAdapterMap['node']

/** Elements whose text is written by nobody who speaks the language of the page. */
const quiet: ReadonlySet<string> = new Set(['code', 'pre', 'script', 'style', 'textarea'])
const spoken: ReadonlySet<string> = new Set(['title', 'placeholder', 'aria-label', 'alt'])

/** What a page says: its texts, and the attributes that are read out. */
function saidBy(page: Page): ReadonlySet<string> {
  const said = new Set<string>()
  const walk = (node: Node): void => {
    if ('value' in node) said.add(node.value.replace(/\s+/g, ' ').trim())
    if (!('childNodes' in node)) return
    if ('attrs' in node) for (const { name, value } of node.attrs) if (spoken.has(name)) said.add(value)
    if (!quiet.has(node.nodeName)) node.childNodes.forEach(walk)
  }
  walk(parse(page.text))
  return said
}

const isEnglish = (text: string): boolean =>
  /\b(?:the|of|to|is|and|with|your|this|an?|for|not|are|command) [a-z]{2}/.test(text.slice(0, 1).toLowerCase() + text.slice(1))

/** Pages with words in English alone: documents, the console, files and texts of plugins. */
const inEnglish = /^\/admin\/(?:documents|console|plugins|activity\/take-back)/

/** One thing of each kind, and changes by all who make some. */
async function fill(site: TestSite): Promise<void> {
  // Mails to readers are in the language of the site.
  await site.call('SVC_Settings.update', { set: { language: 'de' } })
  const body = 'Neun. [weg](/gone)\n\n::: hero {image="/media/x.jpg"}\n## Zeiten\n:::\n'
  await site.call('SVC_Content.create', { type: 'page', title: 'Zeiten', slug: 'zeiten', status: 'published', body })
  await site.call('SVC_Content.update', { id: '/zeiten', title: 'Neue Zeiten', stage: true })
  await site.call('SVC_Types.create', { slug: 'boot', name: 'Boot', fields: [{ name: 'segel', kind: 'number' }] })
  await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'Neues' })
  await site.call('SVC_Redirects.create', { from: '/alt', to: '/zeiten' })
  await site.call('SVC_Skills.put', { slug: 'stil', when: 'Immer', text: 'Kurz.' })
  await site.call('SVC_Themes.create', { slug: 'mein', base: 'business' })
  const { token } = await site.call('SVC_Tokens.create', { name: 'Fragt', scope: 'content', limits: { ask: ['*'] } })
  await site.api('SVC_Content.update', { id: '/zeiten', body: 'Zehn.' }, { token })
  await site.call('SVC_Backup.create')
}

test('no page of the admin has a sentence in English for a person who reads German', async () => {
  await using site = await openSite()
  await fill(site)
  const pagesIn = async (language: string): Promise<ReadonlyMap<string, Page>> => {
    const owner = openVisitor(site, { 'accept-language': language })
    await owner.signIn()
    return walkAdmin(owner)
  }
  const [german, english] = [await pagesIn('de'), await pagesIn('en')]
  assert.ok(german.size > 80, 'the walk found too few pages')
  const found: string[] = []
  for (const [address, page] of german) {
    const same = english.get(address)
    if (!same || inEnglish.test(address)) continue
    const inBoth = saidBy(same)
    for (const text of saidBy(page)) if (inBoth.has(text) && isEnglish(text)) found.push(`${address}: ${text}`)
  }
  assert.deepEqual(found, [])
  const said = [...german].flatMap(([address, page]) => (/^\/admin\/(?:types|terms)/.test(address) ? [...saidBy(page)] : []))
  assert.deepEqual(
    ['Categories', 'Page', 'Post'].filter((name) => said.includes(name)),
    [],
  )
})
