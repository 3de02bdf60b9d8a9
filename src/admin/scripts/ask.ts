// In the browser: requests of a page without a form. The token of a form proves that the page sends the request, and not the script
// of a public page.

/** Requests JSON from an address of this site; undefined if the session has ended, or without a connection. */
export async function ask<T>(address: string, csrf: string): Promise<T | undefined> {
  try {
    const answer = await fetch(address, { headers: { accept: 'application/json', 'x-csrf': csrf }, redirect: 'error' })
    return answer.ok ? ((await answer.json()) as T) : undefined
  } catch {
    return undefined
  }
}

/** Finds the objects that the editor can refer to. Without a connection there are none, but a path can still be typed. */
export async function findLinks<T>(entry: HTMLElement, query: Readonly<Record<string, string>>): Promise<readonly T[]> {
  const address = `${entry.dataset['links'] ?? ''}?${new URLSearchParams(query).toString()}`
  return (await ask<{ readonly items: readonly T[] }>(address, csrfOf(entry)))?.items ?? []
}

/** Returns the CSRF token of a form, or of a field that has one of its own. */
export const csrfOf = (form: HTMLElement): string =>
  form.dataset['csrf'] ?? form.querySelector<HTMLInputElement>('[name="csrf"]')?.value ?? ''
