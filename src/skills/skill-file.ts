// A skill as a Markdown file: front matter with `when`, then the text. `skill-folder.ts` manages the files.

import { frontMatter } from '../content/entries/file-form.ts'
import { Failure } from '../base/failure.ts'

/** The owner's instructions for assistants. */
export interface Skill {
  readonly slug: string
  /** The situation in which an assistant should read it, in one line; may be empty. */
  readonly when: string
  readonly text: string
}

/** The pattern of slugs, which are file names too. */
export const slugPattern = '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'
export const maxWhenLength = 500
/** The largest file, in bytes. */
export const maxFileBytes = 64 * 1024

const slugForm = new RegExp(slugPattern)

/** The slug in a file name; undefined for the name of another file. */
export function slugOf(fileName: string): string | undefined {
  const slug = fileName.endsWith('.md') ? fileName.slice(0, -'.md'.length) : ''
  return slugForm.test(slug) ? slug : undefined
}

/** The content of a skill's file; `parseSkill` reads the same skill from it. @throws Failure `too_large` */
export async function formatSkill({ when, text }: Skill): Promise<Buffer> {
  const { formatFrontMatter } = await frontMatter()
  const bytes = Buffer.from(formatFrontMatter({ when }, text))
  if (bytes.length <= maxFileBytes) return bytes
  throw new Failure('too_large', `A skill may have at most ${maxFileBytes / 1024} KiB as a file, its front matter included.`, {
    field: 'text',
    limit: maxFileBytes,
  })
}

/** Parses a skill's file; returns the skill, or a description of the file's problem. */
export async function parseSkill(slug: string, bytes: Uint8Array): Promise<Skill | { readonly fault: string }> {
  if (bytes.length > maxFileBytes) return { fault: `longer than ${maxFileBytes} bytes` }
  const { readFrontMatter } = await frontMatter()
  try {
    const { fields, body } = readFrontMatter(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const when = fields['when'] ?? ''
    if (typeof when !== 'string') return { fault: '`when` is not a text' }
    const line = oneLine(when)
    return line.length > maxWhenLength ? { fault: `\`when\` is longer than ${maxWhenLength}` } : { slug, when: line, text: body }
  } catch (error) {
    return { fault: error instanceof Failure ? error.message : 'not valid UTF-8' }
  }
}

/** Puts a text on one line, because lists show `when`. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
