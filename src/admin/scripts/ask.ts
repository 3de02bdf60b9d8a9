// In the browser: what a page asks of the site beside its forms. The token of a form shows that the page asks, and not a script of a public page.

/** The JSON at an address of this site; undefined where the session has ended, and without a connection. */
export async function ask<T>(address: string, csrf: string): Promise<T | undefined> {
  try {
    const answer = await fetch(address, { headers: { accept: 'application/json', 'x-csrf': csrf }, redirect: 'error' })
    return answer.ok ? ((await answer.json()) as T) : undefined
  } catch {
    return undefined
  }
}

/** The token in a form. */
export const csrfOf = (form: Element): string => form.querySelector<HTMLInputElement>('[name="csrf"]')?.value ?? ''
