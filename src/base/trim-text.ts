// Trims characters from the ends of a text in linear time. A pattern such as /-+$/ starts again at each character of a long run
// that does not reach the end, so its time is quadratic.

/** Removes the characters of a set from the end of a text. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Removes the characters of a set from the start of a text. */
export function trimStartOf(text: string, characters: string): string {
  let start = 0
  while (start < text.length && characters.includes(text.charAt(start))) start += 1
  return text.slice(start)
}
