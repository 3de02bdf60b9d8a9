// The warnings of a write: problems of the new text that a person would notice. A warning never prevents the write.

import type { Notice } from './markdown-state.ts'
import type { Rendered } from './render.ts'

/** A warning in the answer of a write. */
export interface Warning {
  readonly code:
    | 'markup_removed'
    | 'not_understood'
    | 'slug_adjusted'
    | 'alt_missing'
    | 'body_shrank'
    | 'literal_newline'
    | 'title_repeated'
    | 'changes_wait'
    | 'changed_recently'
    | 'keys_passed_over'
    | 'alias_passed_over'
    | 'password_missing'
    | 'path_differs'
  readonly message: string
  /** The subjects of the warning: names of elements, attributes and fields, or addresses of images. */
  readonly found?: readonly string[]
}

/**
 * Matches anything that the renderer may warn about: markup, a definition of a link, a link or image whose address is not plain,
 * and anything that looks like a construct beyond emphasis and lists. A plain address is absolute with `http:` or `https:`, below
 * this site's root, or a fragment, and has no character that Markdown or a browser reads in a special way.
 */
const doubtful =
  /<|\]:|\]\((?!(?:https?:\/\/[a-z0-9]|\/(?!\/)|#)[\w./#?=&%+,~-]*\))|\[[!^[]|\[toc\]|```|~~~|:::|\$\$|\{[%{]|\^\[/i

/** The findings of the renderer in a text. */
export type Findings = Pick<Rendered, 'removed' | 'notices'>

export const noFindings: Findings = { removed: [], notices: [] }

/** True if rendering might find something in a text, or take long. Short texts that are not doubtful need no check. */
export function mayLoseMarkup(body: string): boolean {
  return body.length > 2000 || doubtful.test(body)
}

/** Makes one warning for everything that was removed, and one for each unsupported construct. */
export function markupWarnings({ removed, notices }: Findings): Warning[] {
  const found = removed.map(({ name }) => name)
  const places = removed.map(({ name, line }) => (line === undefined ? name : `${name} (line ${line})`))
  const message = `The public page leaves this out: ${places.join(', ')}. The text is stored as written.`
  return [
    ...(removed.length === 0 ? [] : [{ code: 'markup_removed' as const, message, found }]),
    ...notices.map(({ line, message: sentence }) => ({
      code: 'not_understood' as const,
      message: `Line ${line}: ${sentence}`,
    })),
  ]
}

/** The new findings in a changed text: those that the earlier text did not have in any place. */
export function newFindings(before: Findings, after: Findings): Findings {
  const names = new Set(before.removed.map(({ name }) => name))
  const left = new Map<string, number>()
  for (const { message } of before.notices) left.set(message, (left.get(message) ?? 0) + 1)
  const isNew = ({ message }: Notice): boolean => {
    const count = left.get(message) ?? 0
    left.set(message, count - 1)
    return count <= 0
  }
  return { removed: after.removed.filter(({ name }) => !names.has(name)), notices: after.notices.filter(isNew) }
}

/** The warning about a taken or reserved slug, with its replacement. */
export function slugAdjusted(from: string | undefined, to: string): Warning[] {
  if (from === undefined || from === to) return []
  return [{ code: 'slug_adjusted', message: `The slug ${from} is taken or reserved, so the entry got ${to}.` }]
}

const maxImages = 20

/** The addresses of the images without a description in a text, except in code. */
export function imagesWithoutAlt(body: string): readonly string[] {
  if (!/!\[|<img/i.test(body)) return []
  const text = withoutCode(body)
  const found = [
    ...text.matchAll(
      /!\[\s{0,20}\](?:\(<?([^()\s<>]{0,300})|\[([^\]]{0,100})\])|<img(?=[\s/>])(?![^<>]{0,2000}\salt\s{0,9}=)([^<>]{0,200})/gi,
    ),
  ]
  return found.map(([, address, reference, tag]) => address ?? reference ?? srcOf(tag ?? ''))
}

/** The warning about images without a description. */
export function altMissing(images: readonly string[]): Warning[] {
  if (images.length === 0) return []
  const message = `${images.length === 1 ? 'An image has' : `${images.length} images have`} no description (\`alt\`) for people who can't see them.`
  return [{ code: 'alt_missing', message, found: images.slice(0, maxImages) }]
}

const srcOf = (tag: string): string => /\ssrc\s{0,9}=\s{0,9}["']?([^"'\s>]{0,200})/i.exec(tag)?.[1] ?? '<img>'

/** A text without code blocks and code spans. */
export function withoutCode(body: string): string {
  let fence: string | undefined
  const kept: string[] = []
  for (const line of body.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined && mark === undefined) kept.push(line.replace(/(`{1,3})[^`]{0,500}\1/g, ''))
    else if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence)) fence = undefined
  }
  return kept.join('\n')
}

/** The warning about a body that lost more than half and 500 characters. Often the caller sent only a part. */
export function bodyShrank(before: string, after: string): Warning[] {
  if (after.length >= before.length / 2 || before.length - after.length <= 500) return []
  const message = `The body went from ${before.length} to ${after.length} characters. SVC_Content.revert brings the earlier one back.`
  return [{ code: 'body_shrank', message }]
}
