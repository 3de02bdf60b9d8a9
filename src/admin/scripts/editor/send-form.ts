// Sends the editor's form from the script, without leaving the page.

/** The answer of the server. `status` is 0 without a connection, and `answer` is undefined if it is not JSON. */
export interface Sent<T> {
  readonly status: number
  readonly answer: T | undefined
}

/** The fields of the password. It takes effect at once, so only the buttons of the form send it. */
export const passwordFields: readonly string[] = ['password', 'password_remove']

/** The fields of the form. @param left fields that keep their stored values */
export function bodyOf(entry: HTMLFormElement, left: readonly { readonly name: string }[] = []): URLSearchParams {
  const without = [...left.map(({ name }) => name), ...passwordFields]
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(entry)) if (typeof value === 'string') body.append(name, value)
  body.set('id', entry.dataset['entry'] ?? '')
  for (const name of without) body.delete(name)
  const shown = (body.get('shown') ?? '').split(' ').filter((name) => !without.includes(name))
  body.set('shown', shown.join(' '))
  return body
}

/** @param path the value of a `data-` attribute of the form */
export async function sendBody<T>(entry: HTMLFormElement, path: string, body: URLSearchParams): Promise<Sent<T>> {
  // A new entry has its type in the address.
  const query = body.get('id') === '' ? new URL(entry.action, location.href).search : ''
  try {
    const answer = await fetch(path + query, { method: 'POST', body })
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return { status: answer.status, answer: isJson ? ((await answer.json()) as T) : undefined }
  } catch {
    return { status: 0, answer: undefined }
  }
}
