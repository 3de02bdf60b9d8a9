// Sends the editor's form beside its own way, without leaving the page.

/** What a server answered; `status` is 0 without a connection, and `answer` is undefined where it is no JSON. */
export interface Sent<T> {
  readonly status: number
  readonly answer: T | undefined
}

/**
 * @param path the value of a `data-` attribute of the form
 * @param without names of fields that keep the values that are stored
 */
export async function sendForm<T>(entry: HTMLFormElement, path: string, without: readonly string[] = []): Promise<Sent<T>> {
  const id = entry.dataset['entry'] ?? ''
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(entry)) if (typeof value === 'string') body.append(name, value)
  body.set('id', id)
  for (const name of without) body.delete(name)
  const shown = (body.get('shown') ?? '').split(' ').filter((name) => !without.includes(name))
  body.set('shown', shown.join(' '))
  // A new entry has its type in the address.
  const query = id === '' ? new URL(entry.action, location.href).search : ''
  try {
    const answer = await fetch(path + query, { method: 'POST', body })
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return { status: answer.status, answer: isJson ? ((await answer.json()) as T) : undefined }
  } catch {
    return { status: 0, answer: undefined }
  }
}
