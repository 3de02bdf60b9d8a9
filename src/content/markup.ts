// What a person would have noticed about a text that was just written: the warnings of a write. None of them stops it.

/** A warning of a write's answer. */
export interface Warning {
  readonly code: 'markup_removed' | 'slug_adjusted' | 'alt_missing' | 'body_shrank'
  readonly message: string
  /** What it is about: names of markup, images. */
  readonly found?: readonly string[]
}

/** Whether rendering might take something out of a text, or take long; a short one without markup, links or images is neither. */
export function mayLoseMarkup(body: string): boolean {
  return body.length > 2000 || /<|\]\(|\]:/.test(body)
}

/** @param removed as the renderer tells it */
export function markupRemoved(removed: readonly string[]): Warning[] {
  if (removed.length === 0) return []
  return [
    {
      code: 'markup_removed',
      message: `The public page leaves this out: ${removed.join(', ')}. The text is stored as written.`,
      found: removed,
    },
  ]
}

/** A slug that was taken or reserved, and what it became. */
export function slugAdjusted(from: string | undefined, to: string): Warning[] {
  if (from === undefined || from === to) return []
  return [{ code: 'slug_adjusted', message: `The slug ${from} is taken or reserved: this is ${to}.` }]
}

const maxImages = 20

/** Images of a Markdown text that say nothing to who can't see them; those in code don't count. */
export function altMissing(body: string): Warning[] {
  if (!/!\[|<img/i.test(body)) return []
  const text = withoutCode(body)
  const found = [
    ...text.matchAll(
      /!\[\s{0,20}\](?:\(<?([^()\s<>]{0,300})|\[([^\]]{0,100})\])|<img(?=[\s/>])(?![^<>]{0,2000}\salt\s{0,9}=)([^<>]{0,200})/gi,
    ),
  ]
  if (found.length === 0) return []
  const names = found.slice(0, maxImages).map(([, address, reference, tag]) => address ?? reference ?? srcOf(tag ?? ''))
  const message = `${found.length === 1 ? 'An image has' : `${found.length} images have`} no description (alt) for who can't see them.`
  return [{ code: 'alt_missing', message, found: names }]
}

const srcOf = (tag: string): string => /\ssrc\s{0,9}=\s{0,9}["']?([^"'\s>]{0,200})/i.exec(tag)?.[1] ?? '<img>'

/** A text without its fenced blocks and its spans of code, line by line. */
function withoutCode(body: string): string {
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

/** A body that is less than half of what it was, and more than 500 characters shorter: often one that was cut off on its way. */
export function bodyShrank(before: string, after: string): Warning[] {
  if (after.length >= before.length / 2 || before.length - after.length <= 500) return []
  const message = `The body went from ${before.length} to ${after.length} characters. SVC_Content.revert brings the earlier one back.`
  return [{ code: 'body_shrank', message }]
}
