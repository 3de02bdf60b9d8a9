// SVC_Site.put-file: other services take such a file as proof of who owns the site, so no token with limits writes one.

import { Type } from 'typebox'
import { Failure, invalid } from '../../base/failure.ts'
import { boundedText, closed } from '../../base/schema.ts'
import {
  hasAllRootFiles,
  isServicePath,
  maxRootFileBytes,
  maxRootFiles,
  rootFileType,
} from '../../content/root-files/root-files.ts'
import type { Db } from '../../store/core/database.ts'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { itemOf, nameProperty, pathOfName, rootFileItem } from './root-file.ts'

export const putFile = action('SVC_Site.put-file', {
  title: 'Write [the root file {title}|a root file]',
  summary: 'Writes or replaces a small text file at the top of the site, such as ads.txt or google123.html.',
  did: 'wrote [the root file {title}|a root file]',
  tier: 'admin',
  effect: 'write',
  failures: ['exists'],
  touches: 'unlimited',
  revisioned: true,
  input: closed({ name: nameProperty, text: boundedText('The whole file.', maxRootFileBytes) }),
  output: Type.Object({
    item: rootFileItem,
    created: Type.Boolean(),
    changed: Type.Array(Type.String()),
    ...writeProperties,
  }),
  examples: [{ title: 'Who may sell advertisements', input: { name: 'ads.txt', text: 'example.com, 12345, DIRECT\n' } }],
  async run(context, { name, text: given }) {
    const { change, db, select } = context
    const [path, text] = [pathOfName(name), given.toWellFormed()]
    checkName(name, path)
    if (Buffer.byteLength(text) > maxRootFileBytes)
      throw new Failure('too_large', 'A root file may have at most 64 KiB.', { field: 'text', limit: maxRootFileBytes })
    const answered = { warnings: [], activity_id: null }
    const before = await db.selectFrom('site_file').selectAll().where('path', '=', path).executeTakeFirst()
    if (before) {
      const { row, changed } = await change.update('site_file', before, { text })
      return { item: itemOf(context, row, !!select), created: false, changed: [...changed], ...answered }
    }
    await checkFree(db, path)
    const row = await change.insert('site_file', { path, text })
    return { item: itemOf(context, row, !!select), created: true, changed: ['path', 'text'], ...answered }
  },
})

/** @throws Failure `invalid` for a name that no root file has, `refused` for one that the service needs */
function checkName(name: string, path: string): void {
  if (isServicePath(path))
    throw new Failure('refused', `The service answers ${path} itself.`, {
      field: 'name',
      rule: 'paths of the service',
      hint: 'Choose another name.',
    })
  if (rootFileType(path) !== undefined) return
  throw invalid(
    'name',
    `${JSON.stringify(name.slice(0, 120).toWellFormed())} is no name of a root file.`,
    'up to 80 letters without accents, digits, dots, hyphens and underscores, ending in .txt, .xml, .json or .html; or ' +
      '.well-known/ with security.txt, apple-app-site-association or assetlinks.json',
  )
}

/** @throws Failure `exists` for the path of an entry or a redirect, `refused` for more files than a site has */
async function checkFree(db: Db, path: string): Promise<void> {
  const entry = await db.selectFrom('entry').select(['id', 'title', 'path']).where('path', '=', path).executeTakeFirst()
  if (entry) throw new Failure('exists', `There already is an entry at ${path}.`, { field: 'name', by: entry })
  const redirect = await db.selectFrom('redirect').select(['id', 'target']).where('source', '=', path).executeTakeFirst()
  if (redirect)
    throw new Failure('exists', `There is a redirect from ${path} already.`, {
      field: 'name',
      by: { id: redirect.id, to: redirect.target },
      hint: 'SVC_Redirects.delete removes it.',
    })
  if (await hasAllRootFiles(db))
    throw new Failure('refused', `A site has at most ${maxRootFiles} root files.`, {
      rule: 'number of root files',
      hint: 'SVC_Site.files lists them, and SVC_Site.remove-file removes one.',
    })
}
