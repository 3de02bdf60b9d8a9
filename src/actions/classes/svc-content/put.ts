// SVC_Content.put: makes the entry at a path equal to a Markdown file, and creates the entry if there is none. This is for scripts and git:
// putting the same file again changes nothing.

import { type Static, Type } from 'typebox'
import { findEntry, pathNamed } from '../../../content/entry.ts'
import type { EntryInput } from '../../../content/entry-input.ts'
import { maxBodyBytes } from '../../../content/entry-text.ts'
import { entryTypeOf, usualType } from '../../../content/entry-types.ts'
import { maxFieldsChars, readFrontMatter } from '../../../content/front-matter.ts'
import { checkSlug } from '../../../content/slug.ts'
import { insertEntry, type NewEntry, type WrittenEntry } from '../../../content/write-entry.ts'
import { Failure } from '../../../failure.ts'
import { action, type Context, type WriteContext } from '../../action.ts'
import { checkAgainst } from '../../validate.ts'
import { columnsFrom, fileProperties } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { named } from './named.ts'
import { sideOf, stageProperty, writeSide } from './side.ts'
import { findingsIn, warningsOf } from './warnings.ts'
import { writingOf } from './writing.ts'

const fileSchema = Type.Object(fileProperties, { additionalProperties: false })

export const put = action({
  class: 'SVC_Content',
  name: 'put',
  summary: 'Writes a Markdown file with front matter to a path: changes the entry there, or creates it.',
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use', 'unprocessable'],
  touches: 'entries',
  revisioned: true,
  input: Type.Object(
    {
      path: Type.String({
        description: 'Path of the entry, such as `/about/team`; the page above it must exist.',
        minLength: 1,
        maxLength: 1000,
      }),
      markdown: Type.String({
        description: `Front matter between two lines of \`---\` (${Object.keys(fileProperties).join(', ')}), then the body.`,
        maxLength: maxBodyBytes + maxFieldsChars + 100,
      }),
      stage: stageProperty,
    },
    { additionalProperties: false },
  ),
  output: writeOutput({ created: Type.Boolean() }),
  examples: [
    {
      title: 'A page from a file',
      input: { path: '/opening-hours', markdown: '---\ntitle: Opening hours\nstatus: published\n---\n\nMondays to Fridays.\n' },
    },
  ],
  prepares: ['markdown'],
  async prepare(context, { markdown }) {
    const file = readEntryFile(markdown)
    return { file, found: await findingsIn(context, file.body), heading: await firstHeading(context, file) }
  },
  async run(context, { path, stage }, prepared) {
    const file = prepared.file
    const entry = await findEntry(context.db, pathNamed(named(context, path)))
    const side = entry && (await sideOf(context, entry, stage))
    const before = side?.row
    const columns = await columnsFrom(context, file, before)
    const place = before ? {} : await placeOf(context, path, file.type, file.title ?? prepared?.heading)
    const written: WrittenEntry & { staged?: boolean } = side
      ? await writeSide(context, side, columns)
      : await insertEntry(writingOf(context), { author_id: context.caller.account?.id ?? null, ...columns, ...place } as NewEntry)
    const warnings = warningsOf(before?.body ?? '', written, prepared.found)
    return { ...wrote(context, written.row, written.changed, warnings, written.staged), created: before === undefined }
  },
})

type File = Static<typeof fileSchema> & Pick<EntryInput, 'body'>

function readEntryFile(markdown: string): File & { readonly body: string } {
  const { fields, body } = readFrontMatter(markdown)
  checkAgainst(fileSchema, fields)
  return { ...fields, body }
}

/** The title of a new entry whose file has none: its first `# Heading`. */
async function firstHeading({ site }: Context, { title, body }: File): Promise<string | undefined> {
  if (title !== undefined || !body) return undefined
  return (await site.renderer.outline(body)).find(({ level }) => level === 1)?.title
}

/** Type, title, slug and parent of a new entry, from its path and its file. */
async function placeOf(
  context: WriteContext,
  path: string,
  type: File['type'] = usualType,
  title: string | undefined,
): Promise<Pick<NewEntry, 'type' | 'title' | 'slug' | 'parent_id'>> {
  const parts = pathNamed(path).split('/').slice(1)
  const guarded = context.site.release.reservedSlugs
  for (const [place, part] of parts.entries()) checkSlug(part, { top: place === 0, guarded, field: 'path' })
  const slug = parts.at(-1) ?? ''
  const { hierarchical, plural } = entryTypeOf(type)
  if (parts.length > 1 && !hierarchical)
    throw new Failure('invalid', `Only a top-level path is possible for ${plural}.`, { field: 'path', expected: `/${slug}` })
  if (title === undefined)
    throw new Failure('invalid', 'A new entry needs a title.', {
      field: 'markdown',
      expected: '`title` in the front matter, or a `# Heading`',
    })
  return { type, title: title.slice(0, 300).toWellFormed(), slug, parent_id: await parentOf(context, parts.slice(0, -1)) }
}

async function parentOf({ db }: WriteContext, above: readonly string[]): Promise<string | null> {
  if (above.length === 0) return null
  const path = `/${above.join('/')}`
  const parent = await findEntry(db, path)
  if (parent) return parent.id
  throw new Failure('invalid', `There is no page ${path} to be the parent.`, {
    field: 'path',
    expected: 'a path below an existing page',
    hint: `Put ${path} first.`,
  })
}
