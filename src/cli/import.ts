// `postern import`: another site from its export, or a folder that `postern export` wrote.

import { createWriteStream } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AnswerOf } from '../actions/call/call-action.ts'
import type { importActions } from '../actions/imports/index.ts'
import type { Site } from '../app/compose.ts'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { incomplete } from '../imports/stream.ts'
import { type Command, flag, type Io, oneWord, readWords, UsageError } from './command.ts'
import { exit } from './exit.ts'
import { callerFor, originOf, withSite } from './open-site.ts'
import { progressTeller } from './tell-progress.ts'

const options = {
  inspect: flag,
  media: { type: 'string' },
  'time-zone': { type: 'string' },
  format: { type: 'string' },
  'site-url': { type: 'string' },
  'on-clash': { type: 'string' },
  status: { type: 'string' },
  site: { type: 'string' },
  map: { type: 'string', multiple: true },
  type: { type: 'string' },
  addresses: { type: 'string' },
  'delete-missing': flag,
  'dry-run': flag,
  as: { type: 'string' },
  json: flag,
} as const

type Values = ReturnType<typeof readWords<typeof options>>['values']

export const importSite: Command = {
  usage:
    'import [--inspect] [--media DIR|fetch|files|none] [--time-zone ZONE] [--on-clash skip|update|copy] [--status as_is|draft] [--site if_unset|always|never] [--map FROM=TO] [--type TYPE] [--format NAME] [--site-url URL] [--addresses CSV] [--delete-missing] [--dry-run] [--as EMAIL] [--json] FILE',
  summary: 'Imports another site from its export, or makes the site equal to what `postern export` wrote.',
  details: [
    'FILE is an export of WordPress or Ghost, a folder of texts, or an archive of one. Its format is recognised.',
    '--inspect          Tells what would come and what would not, and changes nothing.',
    '--media DIR        Takes pictures from this folder, such as a copy of wp-content/uploads, and the others from the old site. Without',
    '                   a folder: `fetch`, the default, asks the old site for those that are not in FILE, `files` does not, and `none`',
    '                   leaves all out.',
    '--time-zone ZONE   Zone of the old site, for times that FILE has without one.',
    '--on-clash WHAT    At a path that an entry of this site has: skip, update, or copy to a free path. The default is copy.',
    '--site-url URL     Address of the old site, where FILE does not tell it.',
    '--status draft     Makes everything a draft.',
    '--site WHAT        Title, tagline, language and time zone of the old site: if_unset (the default) where this site has none of its',
    '                   own, always, or never.',
    '--map type:A=B     Makes entries of the type A entries of the type B here. COLUMN=FIELD for a',
    '                   table, KEY=FIELD for front matter and WordPress. Equal names need no map.',
    '--type TYPE        Type of the rows of a table. The default is post.',
    '--addresses CSV    Afterwards writes every old address and its new one to this file.',
    '--delete-missing   Of a folder or archive of `postern export`: also deletes entries, media, terms, menus and old addresses that it lacks.',
    '--dry-run          Of such an export: prints the calls, and makes none.',
    '--as EMAIL         Makes the calls as this account. The default is the oldest admin.',
    'An import that was stopped goes on when the same command runs again.',
  ],
  async run(args, io) {
    const { values, positionals } = readWords(args, options)
    const path = resolve(oneWord(positionals, 'Import which file?', 'postern import export.xml'))
    return withSite(io, async (site) => {
      const { openOwnFolder } = await import('../actions/imports/own/own-folder.ts')
      const own = await openOwnFolder(path, join(site.config.POSTERN_HOME, 'data', 'imports'))
      if (own) {
        try {
          const { importFolder } = await import('./import-folder.ts')
          return await importFolder(io, site, own.folder, { ...values, as: values.as })
        } finally {
          await own.close()
        }
      }
      if (values['delete-missing'] || values['dry-run'])
        throw new UsageError(
          '--delete-missing and --dry-run are for what `postern export` wrote.',
          'postern import --inspect FILE',
        )
      return importFile(io, site, path, values)
    })
  },
}

async function importFile(io: Io, site: Site, path: string, values: Values): Promise<number> {
  const { stageLocal } = await import('../imports/staged-imports.ts')
  const { importActions: actions } = await import('../actions/imports/index.ts')
  const { callAction } = await import('../actions/call/call-action.ts')
  const real = await unlessMissing(realpath(path))
  if (real === undefined) throw new Failure('not_found', `There is no file ${JSON.stringify(path)}.`)
  const isWord = values.media === undefined || ['files', 'fetch', 'none'].includes(values.media)
  const folder = isWord ? undefined : await unlessMissing(realpath(resolve(values.media ?? '')))
  if (!isWord && folder === undefined) throw new Failure('not_found', `There is no folder ${JSON.stringify(values.media)}.`)
  const { id } = await stageLocal(site.config.POSTERN_HOME, real, site.clock.now(), folder)
  const input = {
    file: id,
    ...(values.format !== undefined && { format: values.format }),
    ...(values['site-url'] !== undefined && { site_url: values['site-url'] }),
    ...(values['time-zone'] !== undefined && { time_zone: values['time-zone'] }),
    ...(values.site !== undefined && { site: values.site as 'never' }),
    ...(values['on-clash'] !== undefined && { on_clash: values['on-clash'] as 'copy' }),
    ...(values.type !== undefined && { type: values.type }),
    ...(values.map !== undefined && { map: Object.fromEntries(values.map.map(pair)) }),
  }
  const caller = await callerFor(site, values.as)
  const around = {
    origin: originOf(site.config),
    jobWaitMs: Infinity,
    onProgress: progressTeller(io),
  }
  if (values.inspect) {
    const { data, failure } = await callAction(site, caller, actions.inspect, input, {}, around)
    if (failure) throw failure
    if (values.json) io.out(`${JSON.stringify(data)}\n`)
    else tellInspected(io, data)
    return exit.ok
  }
  const more = {
    ...(isWord && values.media !== undefined && { media: values.media as 'fetch' }),
    ...(values.status !== undefined && { status: values.status as 'draft' }),
  }
  const { data, failure } = await callAction(site, caller, actions.run, { ...input, ...more }, {}, around)
  if (failure) throw failure
  const report = await callAction(site, caller, actions.get, { id: data.run }, {}, around)
  if (report.failure) throw report.failure
  const { item } = report.data
  if (values.addresses !== undefined) {
    const { oldAddressesCsv } = await import('../imports/behind/old-address-list.ts')
    const lines = oldAddressesCsv(site.store.read, item.source, originOf(site.config))
    await pipeline(Readable.from(lines), createWriteStream(resolve(values.addresses), { mode: 0o600 }))
  }
  if (values.json) io.out(`${JSON.stringify({ ...item, ...data })}\n`)
  else {
    tellReport(io, item)
    io.out(`\npostern call SVC_Import.get id=${data.run}            the report\n`)
    io.out(`postern call SVC_Activity.undo ids='["${data.activity_id}"]'  takes the import back\n`)
  }
  return exit.ok
}

function pair(text: string): [string, string] {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new UsageError('--map needs FROM=TO.', '--map type:recipe=page')
  return [text.slice(0, at), text.slice(at + 1)]
}

type Inspected = AnswerOf<typeof importActions.inspect.output>
type Report = Pick<Inspected, 'counts' | 'losses' | 'conflicts' | 'clashes' | 'links' | 'constructs' | 'left_out' | 'settings'>

function tellInspected(io: Io, found: Inspected): void {
  io.out(
    `${found.file}: ${found.format}${found.site.title === null ? '' : `, ${JSON.stringify(found.site.title)}`} (${found.site.key})\n`,
  )
  for (const { type, count, becomes } of found.types) io.out(`  ${count} ${type}${type === becomes ? '' : ` → ${becomes}`}\n`)
  const { media, time_zone: zone } = found
  io.out(`  ${media.count} files: ${media.in_files} in the import (${media.bytes} bytes), ${media.elsewhere} on the old site`)
  io.out(media.asked > 0 ? `, of which ${media.reachable} of ${media.asked} answered\n` : '\n')
  if (zone.question)
    io.out(
      `  Some times have no zone. ${zone.used} is taken; --time-zone names another${zone.commonest_offset === null ? '' : ` (the commonest offset is ${zone.commonest_offset})`}.\n`,
    )
  tellReport(io, found)
}

function tellReport(
  io: Io,
  { counts, losses, conflicts, clashes, links, constructs, settings, left_out: leftOut }: Report,
): void {
  for (const { name, reason } of losses.filter(({ group }) => group === incomplete))
    io.err(`${name}: ${reason}. This is not the whole site: export it again.\n`)
  for (const [name, count] of Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))) io.out(`  ${count} ${name}\n`)
  for (const [key, value] of Object.entries(settings)) io.out(`  ${key}: ${value}\n`)
  if (losses.length > 0) io.out('\nNot carried over:\n')
  for (const { group, name, reason, count, where } of losses)
    io.out(`  ${count} × ${group} ${name}: ${reason}${where.length > 0 ? ` (${where.join(', ')})` : ''}\n`)
  const lists = { 'Changed here, and left as it is': conflicts, 'Paths that are taken': clashes }
  for (const [title, list] of Object.entries(lists)) {
    if (list.length > 0) io.out(`\n${title}:\n`)
    for (const one of list) io.out(`  ${one.title}${one.path === null ? '' : ` (${one.path})`}: ${one.why}\n`)
  }
  if (links.length > 0) io.out('\nLinks that lead nowhere:\n')
  for (const { name, count, where } of links) io.out(`  ${count} × ${name} (${where.join(', ')})\n`)
  if (constructs.length > 0) io.out('\nParts of the old texts, carried over or not:\n')
  for (const { group, name, count, where } of constructs) io.out(`  ${count} × ${group} ${name} (${where})\n`)
  if (leftOut > 0) io.out(`\nand ${leftOut} more.\n`)
}
