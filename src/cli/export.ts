// `postern export`: the site as files, into a folder or one file.

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exportFormats, type ExportFormat, isExportFormat } from '../exports/formats.ts'
import { replaceFile } from '../base/durable.ts'
import { unlessMissing } from '../base/missing.ts'
import { type Command, flag, readWords, oneWord, UsageError } from './command.ts'
import { originOf, withSite } from './open-site.ts'

const names = Object.keys(exportFormats)

export const exportSite: Command = {
  usage: 'export [--format FORMAT] [--base-url URL] [--json] TO',
  summary: 'Writes the site as files: into a folder, or as one file such as site.zip.',
  details: [
    'TO                A folder. A second export into it writes only what changed, and removes what the site no longer has.',
    '                  Or a file with the ending of the format: .zip, .csv or .xml.',
    '--base-url URL    The public address of the exported site, for canonical links. The default is that of the site.',
    `--format FORMAT   ${Object.entries(exportFormats)
      .map(([name, { help }]) => `${name}: ${help}`)
      .join('; ')}. The default is postern.`,
  ],
  async run(args, io) {
    const { values, positionals } = readWords(args, {
      format: { type: 'string', default: 'postern' },
      'base-url': { type: 'string' },
      json: flag,
    })
    const to = resolve(oneWord(positionals, 'Export to which folder or file?', 'postern export ./site-files'))
    const { format } = values
    if (!isExportFormat(format))
      throw new UsageError(`There is no format ${JSON.stringify(format)}.`, `one of ${names.join(', ')}`)
    const base = values['base-url'] === undefined ? undefined : readBase(values['base-url'])
    return withSite(io, async (site) => {
      const { exportParts } = await import('../actions/exports/parts.ts')
      const parts = exportParts(site, { tier: 'admin' }, base ?? originOf(site.config))
      if (await isFileName(to, format)) {
        const { exportBytes } = await import('../exports/make-files.ts')
        // A file that is there stays until the new one is whole.
        await replaceFile(to, exportBytes(format, parts), { mode: 0o600 })
        io.out(values.json ? `${JSON.stringify({ path: to })}\n` : `${to}\n`)
        return
      }
      const { writeFolder } = await import('../exports/folder.ts')
      const { exportFiles } = await import('../exports/make-files.ts')
      const { written, removed, unchanged } = await writeFolder(to, exportFiles(format, parts))
      if (values.json) io.out(`${JSON.stringify({ path: to, written, removed, unchanged })}\n`)
      else io.out(`${to}: ${written.length} written, ${removed.length} removed, ${unchanged} unchanged\n`)
    })
  },
}

/** True if the export is to be one file: the name has the ending of the format, and no folder has this name. */
async function isFileName(to: string, format: ExportFormat): Promise<boolean> {
  const { filename } = exportFormats[format]
  if (!to.toLowerCase().endsWith(filename.slice(filename.lastIndexOf('.')))) return false
  return (await unlessMissing(stat(to)))?.isDirectory() !== true
}

/** @throws UsageError for an address that no site can have */
function readBase(text: string): string {
  if (/^https?:\/\/[^/?#\s]+(?:\/[^?#\s]*)?$/.test(text) && URL.canParse(text)) return text.replace(/\/$/, '')
  throw new UsageError(`${JSON.stringify(text)} is no address of a site.`, '--base-url https://example.org')
}
