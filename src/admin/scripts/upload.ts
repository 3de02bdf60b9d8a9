// In the browser, on the media library: uploads files one by one, each with its progress. Files that are dropped onto the page are
// uploaded too. Without script the form sends all files at once.

import { make } from './element.ts'
import { word } from './words.ts'

const form = document.querySelector<HTMLFormElement>('form.upload')
const field = form?.querySelector<HTMLInputElement>('input[type="file"]')
const list = document.querySelector<HTMLElement>('#upload-list')

if (form && field && list) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void uploadAll([...(field.files ?? [])])
  })
  document.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dropping')
  })
  document.addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    document.body.classList.remove('dropping')
    void uploadAll(files)
  })

  const uploadAll = async (files: readonly File[]): Promise<void> => {
    list.className = 'uploads'
    list.setAttribute('role', 'status')
    list.replaceChildren()
    const button = form.querySelector('button')
    if (button) button.disabled = true
    let failed = 0
    for (const file of files) if (!(await uploadOne(file, list))) failed += 1
    if (button) button.disabled = false
    if (failed === 0 && files.length > 0) return location.assign(list.dataset['done'] ?? location.href)
    // The focus goes to the list of refused files, so that people see and hear it.
    list.tabIndex = -1
    list.focus()
  }

  /** Sends the form with one file. */
  const uploadOne = (file: File, list: HTMLElement): Promise<boolean> => {
    const text = make('span', {}, file.name)
    const bar = make('progress', { max: '100', value: '0', 'aria-label': file.name })
    const line = make('span', {}, text, bar)
    list.append(line)
    const data = new FormData(form)
    data.delete(field.name)
    data.append(field.name, file)
    return new Promise((resolve) => {
      const fail = (message: string): void => {
        bar.remove()
        line.classList.add('fault')
        text.textContent = message
        resolve(false)
      }
      const request = new XMLHttpRequest()
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        bar.value = total > 0 ? (loaded / total) * 100 : 0
      })
      request.addEventListener('load', () => {
        if (request.status < 400) {
          bar.value = 100
          resolve(true)
        } else fail(faultIn(request.responseText) ?? word('upload_failed', { name: file.name }))
      })
      request.addEventListener('error', () => fail(word('upload_lost', { name: file.name })))
      request.open('POST', list.dataset['send'] ?? '')
      request.send(data)
    })
  }
}

function faultIn(answer: string): string | undefined {
  try {
    return (JSON.parse(answer) as { readonly message?: string }).message
  } catch {
    // A reverse proxy in front of the site answered.
    return undefined
  }
}
