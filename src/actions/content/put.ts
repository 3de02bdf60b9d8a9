// SVC_Content.put: makes the entry at a path equal to a Markdown file. Repeating it with the same file changes nothing.

import { type Static, Type } from 'typebox'
import { keepAliases } from '../../content/entries/aliases.ts'
import { findEntry, pathNamed } from '../../content/entries/entry.ts'
import type { EntryInput } from '../../content/entries/entry-input.ts'
import { foreignKeyNames, hasForeignKeys, type OwnKeys, toOwnKeys } from '../../content/entries/foreign-keys.ts'
import { maxBodyBytes } from '../../content/entries/entry-text.ts'
import { basePathOf, usualType } from '../../content/types/entry-types.ts'
import { resolveSchema } from '../../content/types/followed-schemas.ts'
import { frontMatter, maxFieldsChars } from '../../content/entries/file-form.ts'
import { branchOf, languageAt, languageOf, mayBeLanguage, prefixOf, readLanguages } from '../../content/languages/languages.ts'
import { toLocale } from '../../content/types/field-values.ts'
import { checkSlug } from '../../content/entries/slug.ts'
import { insertEntry, type NewEntry, type WrittenEntry } from '../../content/entries/write-entry.ts'
import type { FrontMatter } from '../../content/entries/front-matter.ts'
import type { Warning } from '../../content/markdown/markup.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { trimEndOf } from '../../base/trim-text.ts'
import type { EntryRow } from '../../store/core/schema.ts'
import { action, type Context, type WriteContext } from '../call/action.ts'
import { checkAgainst } from '../call/validate.ts'
import { runsOfTerms, termsCreateProperty, termsOf } from './made-terms.ts'
import { columnsFrom, fileProperties } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { named } from './named.ts'
import { checkMayLock, hashedPassword, type PasswordColumn, passwordProperty, passwordSecrets } from './page-password.ts'
import { sideOf, stageProperty, writeSide } from './side.ts'
import { findingsIn, warningsOf } from './warnings.ts'
import { writingOf, entryWrite, publishedSummary } from './writing.ts'
import { boundedText, closed, flag, nonEmptyText } from '../../base/schema.ts'

const fileSchema = closed({
  ...fileProperties,
  protected: flag('Whether the entry has a password. An entry without one is then not published.'),
})

export const put = action('SVC_Content.put', {
  title: 'Write [{title}|an entry] from a file',
  summary: 'Writes a Markdown file with front matter to a path: changes the entry there, or creates it.',
  did: 'wrote [{title}|an entry] from a file',
  ...entryWrite,
  recorded: publishedSummary,
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use', 'unprocessable'],
  revisioned: true,
  runs: runsOfTerms,
  input: closed({
    path: nonEmptyText('Path of the entry, such as `/about/team`; the page above it must exist.', 1000),
    markdown: boundedText(
      `Front matter, then the body. YAML stands between two lines of \`---\`, TOML between two of \`+++\`, JSON is an object. Keys: ${Object.keys(fileSchema.properties).join(', ')}. Those of other systems are understood: ${foreignKeyNames.join(', ')}.`,
      maxBodyBytes + maxFieldsChars + 100,
    ),
    terms_create: termsCreateProperty,
    stage: stageProperty,
    password: Type.Optional(passwordProperty),
  }),
  secrets: passwordSecrets,
  output: writeOutput({ created: Type.Boolean() }),
  examples: [
    {
      title: 'A page from a file',
      input: { path: '/opening-hours', markdown: '---\ntitle: Opening hours\nstatus: published\n---\n\nMondays to Fridays.\n' },
    },
  ],
  prepares: ['markdown', 'password'],
  async prepare(context, { path, markdown, password }) {
    const { readFrontMatter } = await frontMatter()
    const read = readFrontMatter(markdown)
    const parsed = fileOf(context, read)
    return {
      read,
      parsed,
      types: context.site.types.current,
      found: await findingsIn(context, read.body),
      heading: await firstHeading(context, parsed.file),
      secret: await hashedPassword(context, password, path),
    }
  },
  async run(context, { path, stage, terms_create: makes }, { read, parsed, types, found, heading, secret }) {
    const entry = await findEntry(context.db, pathNamed(named(context, path)))
    const side = entry && (await sideOf(context, entry, stage))
    const before = side?.row
    const { parts, locale } = await readPath(context, path, parsed.file.locale && toLocale(parsed.file.locale))
    const type = parsed.file.type ?? before?.type ?? typeAt(context, parts)
    // Fields of the type count before the keys of other systems. In a batch, an earlier call may have changed the types.
    const isSettled = types === context.site.types.current && !hasForeignKeys(read.fields)
    const { file: given, aliases, ...told } = isSettled ? parsed : fileOf(context, read, type)
    const { file, warnings: lacking } = withoutPassword(given, before, secret)
    const place = before ? undefined : await placeOf(context, parts, type, file.title ?? heading)
    const terms = termsOf(context, makes)
    if (side) checkMayLock(context, side.entry, secret)
    const columns = { ...(await columnsFrom(context, { ...(place && { type: place.type }), ...file }, before, terms)), ...secret }
    const author_id = context.caller.account?.id ?? null
    const written: WrittenEntry & { staged?: boolean } = side
      ? await writeSide(context, side, columns)
      : await insertEntry(writingOf(context), { author_id, ...columns, ...place, locale } as NewEntry)
    const warnings = [
      ...(await warningsOf(context, before, written, found)),
      ...terms.warnings,
      ...told.warnings,
      ...lacking,
      ...comparePlaces(written.row, told.places),
      ...(await keepAliases(context.change, written.row, aliases)),
    ]
    return { ...wrote(context, written.row, written.changed, warnings, written.staged), created: before === undefined }
  },
})

type File = Static<typeof fileSchema> & Pick<EntryInput, 'body'>

interface Parsed extends Pick<OwnKeys, 'aliases' | 'places' | 'warnings'> {
  readonly file: File & { readonly body: string }
}

/**
 * Returns a file in Postern's own keys.
 * @param type of the entry, as soon as it is known
 * @throws Failure `invalid` for a member of the front matter that entries don't have
 */
function fileOf({ site }: Pick<Context, 'site'>, { fields, body }: FrontMatter, type?: string): Parsed {
  const types = site.types.current
  const ownFields = type === undefined ? [] : types.of(type).fields
  const { fields: own, ...told } = toOwnKeys(fields, new Set(ownFields.map(({ name }) => name)))
  checkAgainst(resolveSchema(fileSchema, types), own)
  return { file: { ...own, body }, ...told }
}

/**
 * Returns the fields of a file. A file that was exported from an entry with a password does not publish its text where no password
 * is known, because exports have none.
 */
function withoutPassword(
  { protected: isProtected, ...file }: Parsed['file'],
  before: EntryRow | undefined,
  { password_hash: given = before?.password_hash ?? null }: PasswordColumn,
): { readonly file: EntryInput; readonly warnings: readonly Warning[] } {
  const status = file.status ?? before?.status
  if (isProtected !== true || given !== null || (status !== 'published' && status !== 'scheduled')) return { file, warnings: [] }
  const message = 'The file says `protected`, and the entry has no password here: it is a draft. Set a password, then publish it.'
  return { file: { ...file, status: 'draft' }, warnings: [{ code: 'password_missing', message }] }
}

/** Returns the warning about an address in the file that isn't the entry's. The argument `path` decides. */
function comparePlaces({ path, slug }: EntryRow, places: Parsed['places']): readonly Warning[] {
  const here = (key: string) => (key === 'slug' ? slug : path)
  const pathOf = (place: string) => trimEndOf(place.replace(/^https?:\/\/[^/]*/, ''), '/')
  const differ = Object.entries(places).filter(([key, place]) => pathOf(place) !== here(key))
  if (differ.length === 0) return []
  const shown = differ.map(([key, place]) => `\`${key}: ${place}\``).join(' and ')
  const message = `The entry is at ${path}, as \`path\` says; ${shown} in the front matter did not count.`
  return [{ code: 'path_differs', message, found: differ.map(([key]) => key) }]
}

/** Returns the title of a new entry whose file has none: its first `# Heading`. */
async function firstHeading({ site }: Context, { title, body }: File): Promise<string | undefined> {
  if (title !== undefined || !body) return undefined
  return (await site.renderer.outline(body)).find(({ level }) => level === 1)?.title
}

interface NewPath {
  /** The path of the language: empty, or such as `/de`. */
  readonly above: string
  /** The slugs of the pages above the entry, and its own slug. */
  readonly parts: readonly string[]
}

/**
 * Returns the slugs of a path below the path of its language, and the locale of a new entry there.
 * @param given the locale in the file, if any
 * @throws Failure `invalid` for a locale of another language than the path's: the file would not find its entry again
 */
async function readPath(
  { db }: WriteContext,
  path: string,
  given: string | null | undefined,
): Promise<{ parts: NewPath; locale: string | null | undefined }> {
  const [first = '', ...rest] = pathNamed(path).split('/').slice(1)
  if (given === undefined && !mayBeLanguage(first)) return { parts: { above: '', parts: [first, ...rest] }, locale: given }
  const languages = await readLanguages(db)
  const branch = rest.length > 0 ? languageAt(languages, `/${first}`) : undefined
  if (given !== undefined && branchOf(languages, given) !== (branch ?? null))
    throw invalid(
      'markdown',
      `${pathNamed(path)} is not a path of the language ${JSON.stringify(languageOf(languages, given))}.`,
      `a path below ${prefixOf(languages, given) || '/'}, or another \`locale\``,
    )
  const parts = branch === undefined ? { above: '', parts: [first, ...rest] } : { above: `/${first}`, parts: rest }
  return { parts, locale: given === undefined ? branch : given }
}

/** Returns the type of a new entry whose file names none: the type that has its entries there. */
function typeAt({ site }: Pick<Context, 'site'>, { parts }: NewPath): string {
  const above = aboveOf(parts)
  return site.types.current.all.find((one) => above !== '' && basePathOf(one) === above)?.slug ?? usualType
}

const aboveOf = (parts: readonly string[]): string =>
  parts
    .slice(0, -1)
    .map((part) => `/${part}`)
    .join('')

/** Returns the type, title, slug and parent of a new entry, from its path and its file. */
async function placeOf(
  context: WriteContext,
  { above: prefix, parts }: NewPath,
  type: string,
  title: string | undefined,
): Promise<Pick<NewEntry, 'type' | 'title' | 'slug' | 'parent_id'>> {
  const guarded = context.site.release.reservedSlugs
  for (const [place, part] of parts.entries()) checkSlug(part, { top: place === 0, guarded, field: 'path' })
  const slug = parts.at(-1) ?? ''
  const row = context.site.types.current.of(type)
  if (!row.hierarchical && basePathOf(row) !== aboveOf(parts))
    throw invalid('path', `This is no path for ${row.plural}.`, `${prefix}${basePathOf(row)}/${slug}`)
  if (title === undefined)
    throw invalid('markdown', 'A new entry needs a title.', '`title` in the front matter, or a `# Heading`')
  const parentId = row.hierarchical ? await parentOf(context, prefix, parts.slice(0, -1)) : null
  return { type, title: title.slice(0, 300).toWellFormed(), slug, parent_id: parentId }
}

async function parentOf({ db }: WriteContext, prefix: string, above: readonly string[]): Promise<string | null> {
  if (above.length === 0) return null
  const path = `${prefix}/${above.join('/')}`
  const parent = await findEntry(db, path)
  if (parent) return parent.id
  throw new Failure('invalid', `There is no page ${path} to be the parent.`, {
    field: 'path',
    expected: 'a path below an existing page',
    hint: `Put ${path} first.`,
  })
}
