// The page as it will look, beside the text, in a frame without script. It follows the text while it is open.

const restMs = 1200

export function addPreview(entry: HTMLFormElement): void {
  const bar = entry.querySelector('.preview-bar .actions')
  if (!bar) return
  const toggle = document.createElement('button')
  const frame = document.createElement('iframe')
  toggle.type = 'button'
  toggle.textContent = 'Show the page'
  toggle.setAttribute('aria-expanded', 'false')
  frame.title = 'The page as it will look'
  frame.className = 'preview'
  frame.setAttribute('sandbox', '')
  frame.hidden = true
  bar.append(toggle)
  entry.querySelector('.entry-text')?.after(frame)
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = async (): Promise<void> => {
    const url = await makeLink(entry)
    if (url !== undefined && !frame.hidden) frame.src = url
  }
  toggle.addEventListener('click', () => {
    frame.hidden = !frame.hidden
    toggle.textContent = frame.hidden ? 'Show the page' : 'Hide the page'
    toggle.setAttribute('aria-expanded', String(!frame.hidden))
    entry.classList.toggle('previewing', !frame.hidden)
    if (!frame.hidden) void refresh()
  })
  entry.addEventListener('input', () => {
    clearTimeout(timer)
    if (!frame.hidden) timer = setTimeout(() => void refresh(), restMs)
  })
}

async function makeLink(entry: HTMLFormElement): Promise<string | undefined> {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(entry)) if (typeof value === 'string') body.append(name, value)
  body.set('id', entry.dataset['entry'] ?? '')
  const query = entry.dataset['entry'] === '' ? new URL(entry.action, location.href).search : ''
  try {
    const answer = await fetch((entry.dataset['preview'] ?? '') + query, { method: 'POST', body })
    return answer.ok ? ((await answer.json()) as { url: string }).url : undefined
  } catch {
    // Without a connection the frame shows the last state.
    return undefined
  }
}
