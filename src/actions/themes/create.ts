import { readFile } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { Failure, invalid } from '../../base/failure.ts'
import { checkScripts, digestOf, vouchedBy } from '../../themes/scripts.ts'
import { baseForm, makeTheme, type Theme, type ThemeFiles } from '../../themes/theme.ts'
import { findTheme, getTheme } from '../../themes/theme-store.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { shippedThemes } from '../../themes/shipped.ts'
import { packageDeadlineMs } from '../../plugins/package-limits.ts'
import { readZip } from '../../plugins/read-zip.ts'
import { checkFileText, fileLimits, isBinary, isThemePath } from '../../themes/theme-path.ts'
import { action, type Context } from '../call/action.ts'
import { adoptThemes } from '../shared/adopt-files.ts'
import { packageProperties, withPackage } from '../plugins/package-input.ts'
import { checkChange, writeFiles } from './changing.ts'
import { slugProperty, writeOutput, wrote, themeWrite } from './item.ts'

const { path: _path, ...zipProperties } = packageProperties

const request = closed({
  slug: slugProperty,
  base: Type.Optional(
    nonEmptyText('Slug of a shipped theme. The new one has only what differs, and follows upgrades of the rest.', 64),
  ),
  from: Type.Optional(nonEmptyText('Slug of the theme to copy; `default` unless a base or a zip is given.', 64)),
  ...zipProperties,
})

export const create = action('SVC_Themes.create', {
  title: 'Create [the theme {title}|a theme]',
  summary: 'Creates a theme to work on: on a shipped one, a copy, or from a zip. Visitors see it when it is activated.',
  did: 'created [the theme {title}|a theme]',
  ...themeWrite,
  effect: 'write',
  failures: ['not_found', 'exists', 'unprocessable', 'unreachable'],
  input: request,
  output: writeOutput,
  examples: [
    { title: 'A theme on a shipped one', input: { slug: 'autumn', base: 'default' } },
    { title: 'A copy of all files', input: { slug: 'autumn', from: 'default' } },
  ],
  prepares: Object.keys(request.properties),
  async prepare(context, input) {
    await adoptThemes(context, { always: true })
    const given = await filesGiven(context, input)
    for (const [path, text] of given.files) checkScripts(context.caller, path, text)
    const theme = makeTheme({
      slug: input.slug,
      shipped: false,
      active: false,
      own: given.files,
      limited: new Set(),
      chosen: given.chosen ?? {},
    })
    return { ...given, problems: (await checkChange(context, theme, {})).problems }
  },
  async run(context, { slug }, prepared) {
    const { files, limited, problems, chosen = {} } = prepared
    if (await findTheme(context.db, slug))
      throw new Failure('exists', `There is a theme ${JSON.stringify(slug)} already.`, { field: 'slug', by: slug })
    await context.change.insert('theme', { slug, active: 0, settings: JSON.stringify(chosen) })
    // A copy keeps the facts about the writers of its source.
    const vouching = (path: string, text: string) =>
      limited ? (limited.has(path) ? '' : digestOf(text)) : vouchedBy(context.caller, text)
    const changed = await writeFiles(context, slug, files, { vouching })
    return wrote(context.db, slug, changed, { problems })
  },
})

/** @returns the files; for a copy, also the files that were written with limits, and the settings that the owner has chosen */
async function filesGiven(
  context: Context,
  { slug, base, from, ...zip }: Static<typeof request>,
): Promise<{ readonly files: ThemeFiles; readonly limited?: ReadonlySet<string>; readonly chosen?: Theme['chosen'] }> {
  const isZip = zip.upload_id !== undefined || zip.url !== undefined || zip.base64 !== undefined
  if ([isZip, from !== undefined, base !== undefined].filter(Boolean).length > 1) {
    const field = from === undefined ? 'base' : 'from'
    throw invalid(field, 'Give one of `base`, `from` and a zip.', 'left out where another is given')
  }
  if (base !== undefined) return { files: filesOn(base, slug) }
  if (!isZip) {
    const { own: files, limited, chosen } = await getTheme(context.db, from ?? 'default')
    return { files, limited, chosen }
  }
  return withPackage(context, zip, async (source) => {
    if ('folder' in source) throw new Failure('invalid', 'A theme is created from a zip.', { field: 'base64' })
    return { files: await unzipped('zip' in source ? source.zip : await readFile(source.zipFile)) }
  })
}

/** Returns the first files of a theme based on a shipped one. @throws Failure `invalid` */
function filesOn(base: string, slug: string): ThemeFiles {
  if (!shippedThemes().has(base)) throw invalid('base', `"base" ${baseForm()}.`, baseForm())
  const name = (slug.slice(0, 1).toUpperCase() + slug.slice(1)).replaceAll('-', ' ')
  return new Map([
    ['theme.json', `${JSON.stringify({ name, version: '1.0.0', contract: 1, base }, null, 2)}\n`],
    ['assets/style.css', `/* These rules follow those of the theme ${base}. */\n`],
  ])
}

/** @throws Failure `unprocessable` for an entry that is not a file of a theme, or is too large (attacks 109, 118) */
async function unzipped(zip: Uint8Array): Promise<ThemeFiles> {
  const entries = await readZip(zip, AbortSignal.timeout(packageDeadlineMs))
  if (entries.length > fileLimits.files) throw new Failure('unprocessable', `A theme has at most ${fileLimits.files} files.`)
  const files = new Map<string, string>()
  for (const { path, read } of entries) {
    if (!isThemePath(path))
      throw new Failure('unprocessable', `The zip has ${JSON.stringify(path.slice(0, 200))}, which is no file of a theme.`, {
        file: path.slice(0, 200),
        expected: 'theme.json, templates that end in .liquid, partials/, assets/ and locales/',
      })
    files.set(path, await textOf(path, read()))
  }
  return files
}

async function textOf(path: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > fileLimits.binaryBytes)
      throw new Failure('unprocessable', `${path} is larger than ${fileLimits.binaryBytes / 1024} KiB.`, { file: path })
    parts.push(chunk)
  }
  const whole = Buffer.concat(parts)
  const text = isBinary(path) ? whole.toString('base64') : decoded(path, whole)
  checkFileText(path, text)
  return text
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new Failure('unprocessable', `${path} is not UTF-8.`, { file: path }, { cause: error })
  }
}
