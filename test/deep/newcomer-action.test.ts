// The job of a newcomer, counted: an action with a page of the admin, in a scratch copy of the tree. It touches at most eight files, and the copy then
// holds its types, the rules of the house about actions and words, and the new test, which goes the way a user goes.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../site.ts'

const maxFiles = 8

const action = `// SVC_Menus.sort: sorts the items of a menu by their words.

import { closed } from '../../base/schema.ts'
import { itemsOf } from '../../store/change/menu-references.ts'
import { action } from '../call/action.ts'
import { getMenu, idProperty, menuWrite, output, written } from './menu-writing.ts'

export const sort = action('SVC_Menus.sort', {
  title: 'Sort [the menu {title}|a menu]',
  summary: 'Sorts the items of a menu by their words.',
  did: 'sorted [the menu {title}|a menu]',
  ...menuWrite,
  effect: 'write',
  failures: ['not_found'],
  revisioned: true,
  input: closed({ id: idProperty }),
  output,
  examples: [{ title: 'The main menu', input: { id: 'main' } }],
  async run(context, { id }) {
    const before = await getMenu(context.db, id)
    const sorted = itemsOf(before).toSorted((a, b) => (a.label ?? '').localeCompare(b.label ?? ''))
    const { row, changed } = await context.change.update('menu', before, { items: JSON.stringify(sorted) })
    return written(context, row, changed)
  },
})
`

const page = `// The page that sorts menus.

import { menus } from '../../actions/menus/index.ts'
import { html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { formTaker, postForm, type Work } from '../parts/post-form.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** GET */
export const showSortMenus = (visit: SignedIn): Promise<Reply> => sortReply(visit)

async function sortReply(visit: SignedIn, refused?: Refused): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, menus.list, {})
  const form = ({ id, name }: { readonly id: string; readonly name: string }) =>
    postForm(visit, {
      path: adminPaths.sortMenus,
      purpose: 'sort-menus',
      hidden: { do: 'sort', id },
      body: html\`<button>\${t('structure.sort_menu', { name })}</button>\`,
    })
  const body = html\`\${pageHead(t('structure.sort_menus'))} \${items.map(form)}\`
  return framedReply(visit, { title: t('structure.sort_menus'), body }, refused)
}

const sort: Work = async (visit, fields) => {
  const { failure } = await run(visit, menus.sort, { id: fields.get('id') })
  return failure ?? goDone(visit, adminPaths.sortMenus, menus.sort)
}

/** POST */
export const takeSortForm = formTaker('sort-menus', { sort }, sortReply)
`

const test_ = `// The page that sorts menus.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVisitor } from '../admin/visitor.ts'
import { openSite } from '../site.ts'

test('a menu is sorted by a button, and activity says so in both languages', async () => {
  await using site = await openSite()
  const owner = openVisitor(site)
  await owner.signIn()
  await site.call('SVC_Menus.create', { slug: 'footer', items: ['Pears', 'Apples'].map((label) => ({ label, url: '/' + label })) })
  const page = await owner.open('/admin/menus/sort')
  assert.match(page.text, /aria-current="page"[^]*Sort menus/)
  const sorted = await owner.follow(await owner.submit(page.form('/admin/menus/sort')))
  assert.match(sorted.text, /Sorted a menu\\. <a href="\\/admin\\/activity">Activity<\\/a> can undo it\\./)
  const { item } = await site.call('SVC_Menus.get', { id: 'footer' })
  assert.deepEqual(item.items.map(({ label }: { label: string }) => label), ['Apples', 'Pears'])
  assert.match((await owner.open('/admin/activity')).text, /Sorted the menu <a href="\\/admin\\/menus\\/edit\\?id=\\w+">footer<\\/a>/)
  const german = await owner.open('/admin/activity', { 'accept-language': 'de' })
  assert.match(german.text, /Menü <a href="[^"]+">footer<\\/a> sortiert/)
})
`

/** The text of a file after the job. A text alone is a new file; otherwise each line is put before the line that begins with the other text. */
const job: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  'src/actions/menus/sort.ts': action,
  'src/actions/menus/index.ts': {
    'import { update }': "import { sort } from './sort.ts'",
    '  delete: ': '  sort,',
  },
  'src/admin/structure/sort-menus-page.ts': page,
  'src/admin/sections.ts': {
    '  themes: {': "  sortMenus: { ...shownAndSent('/admin/menus/sort'), label: 'structure.sort_menus', needs: menus.sort },",
  },
  'src/admin/pages.ts': {
    'import { showTerm,': "import { showSortMenus, takeSortForm } from './structure/sort-menus-page.ts'",
    '    menu: {': '    sortMenus: { GET: forSignedIn(site, showSortMenus), POST: forSignedIn(site, takeSortForm) },',
  },
  'src/admin/messages/en/structure.json': {
    '  "status"': '  "sort_menu": "Sort {name}",\n  "sort_menus": "Sort menus",',
  },
  'src/admin/messages/de/structure.json': {
    '  "status"': [
      '  "menus.sort.did": "Menü {title} sortiert",',
      '  "menus.sort.summary": "Sortiert die Punkte eines Menüs nach ihren Wörtern.",',
      '  "menus.sort.title": "Menü {title} sortieren",',
      '  "sort_menu": "{name} sortieren",',
      '  "sort_menus": "Menüs sortieren",',
    ].join('\n'),
  },
  'test/system/admin-sort-menus.test.ts': test_,
}

const run = promisify(execFile)
let scratch: string

before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'newcomer-'))
  const copied = [
    'src',
    'test',
    'scripts',
    'nginx',
    'systemd',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'README.md',
    'LICENSE',
  ]
  for (const name of copied) await cp(join(root, name), join(scratch, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(scratch, 'node_modules'))
})
after(() => rm(scratch, { recursive: true, force: true }))

test('an action with a page touches at most eight files, and needs nothing else', async () => {
  for (const [file, change] of Object.entries(job)) {
    const path = join(scratch, file)
    await writeFile(path, typeof change === 'string' ? change : inserted(await readFile(path, 'utf8'), change))
  }
  assert.ok(Object.keys(job).length <= maxFiles)
  // The copy has a test run of its own.
  const outer = /^(?:TEST_|NODE_TEST_CONTEXT$)/
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !outer.test(name)))
  const inScratch = { cwd: scratch, env }
  await run('npx', ['tsc', '--noEmit', '--checkers', '1'], inScratch)
  const held = ['test/system/admin-sort-menus.test.ts', 'test/admin/action-words.test.ts', 'test/house/admin-messages.test.ts']
  const { stdout } = await run(process.execPath, ['scripts/test.mjs', ...held], inScratch)
  assert.match(stdout, / passed, 0 failed, 0 skipped/)
})

/** The text with lines in front of the first lines that begin so. */
function inserted(text: string, lines: Readonly<Record<string, string>>): string {
  return Object.entries(lines).reduce((before, [beginning, line]) => {
    const at = `\n${before}`.indexOf(`\n${beginning}`)
    assert.ok(at >= 0, `no line begins with ${beginning}`)
    return `${before.slice(0, at)}${line}\n${before.slice(at)}`
  }, text)
}
