// A skill as a file that its owner edits: front matter that says when it is of use, and the text. Where the file lies is skill-folder.ts's.

import { formatFrontMatter, readFrontMatter } from '../content/front-matter.ts'
import { Failure } from '../failure.ts'

/** An instruction of the owner's to assistants. */
export interface Skill {
  readonly slug: string
  /** When an assistant should read it, in a line; `''` where nobody said. */
  readonly when: string
  readonly text: string
}

/** What a slug looks like: it is a file's name too. */
export const slugPattern = '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'
export const maxWhenLength = 500
/** Of a file, in bytes. */
export const maxFileBytes = 64 * 1024

const slugForm = new RegExp(slugPattern)

/** The slug of a file name; undefined for one that is no skill's. */
export function slugOf(fileName: string): string | undefined {
  const slug = fileName.endsWith('.md') ? fileName.slice(0, -'.md'.length) : ''
  return slugForm.test(slug) ? slug : undefined
}

/** The file of a skill, which `parseSkill` reads as the same. @throws Failure `too_large` */
export function formatSkill({ when, text }: Skill): Buffer {
  const bytes = Buffer.from(formatFrontMatter({ when }, text))
  if (bytes.length <= maxFileBytes) return bytes
  throw new Failure('too_large', `A skill may have at most ${maxFileBytes / 1024} KiB as a file, its front matter included.`, {
    field: 'text',
    limit: maxFileBytes,
  })
}

/** What a file says, or in a few words why that makes no sense. */
export function parseSkill(slug: string, bytes: Uint8Array): Skill | { readonly fault: string } {
  if (bytes.length > maxFileBytes) return { fault: `longer than ${maxFileBytes} bytes` }
  try {
    const { fields, body } = readFrontMatter(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    const when = fields['when'] ?? ''
    if (typeof when !== 'string') return { fault: '`when` is no text' }
    const line = oneLine(when)
    return line.length > maxWhenLength ? { fault: `\`when\` is longer than ${maxWhenLength}` } : { slug, when: line, text: body }
  } catch (error) {
    return { fault: error instanceof Failure ? error.message : 'not UTF-8' }
  }
}

/** `when` stands in lists: one line of it. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
