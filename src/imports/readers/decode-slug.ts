// Slugs and addresses as old systems wrote them: in percent code, sometimes twice, sometimes cut in the middle of a character.

/** Decodes percent code as far as it is whole. */
export function decodeSlug(slug: string): string {
  if (!slug.includes('%')) return slug
  const whole = slug.replace(/%[0-9a-f]?$/i, '')
  for (let end = whole.length; end > 0; end = whole.lastIndexOf('%', end - 1)) {
    try {
      return decodeURIComponent(whole.slice(0, end))
    } catch {
      continue
    }
  }
  return whole
}
