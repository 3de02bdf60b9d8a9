// In the browser, on the media library and on the page of an upload link: uploads files one by one, each with its progress, and
// with a small picture of an image. Files that are dropped onto the page are uploaded too. Without script the form sends all files
// at once.

import { make } from './element.ts'
import { word } from './words.ts'

const form = document.querySelector<HTMLFormElement>('form.upload')
const fields = [...(form?.querySelectorAll<HTMLInputElement>('input[type="file"]') ?? [])]
const list = document.querySelector<HTMLElement>('#upload-list')

/** The answer for one file: the sentence of its refusal, and the number of files that a link still takes. */
interface Answer {
  readonly message?: string
  readonly left?: number
}

if (form && fields.length > 0 && list) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void uploadAll(fields.flatMap((field) => [...(field.files ?? [])]))
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
    if (form.isConnected) void uploadAll(files)
  })

  const uploadAll = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return form.submit()
    list.className = 'uploads'
    list.setAttribute('role', 'status')
    list.replaceChildren()
    const button = form.querySelector('button')
    if (button) button.disabled = true
    let failed = 0
    let left: number | undefined
    for (const file of files) {
      const answer = await uploadOne(file, list)
      if (answer.message !== undefined) failed += 1
      left = answer.left ?? left
    }
    if (button) button.disabled = false
    finish(failed, left)
  }

  const finish = (failed: number, left: number | undefined): void => {
    const { done } = list.dataset
    if (failed === 0 && done !== undefined) return location.assign(done)
    if (left === 0) form.remove()
    else form.reset()
    if (failed === 0) list.append(make('strong', {}, word(left === 0 ? 'upload_full' : 'upload_arrived')))
    // The focus goes to the list, so that people see and hear what became of their files.
    list.tabIndex = -1
    list.focus()
  }

  /** Sends the form with one file. */
  const uploadOne = (file: File, list: HTMLElement): Promise<Answer> => {
    const text = make('span', {}, file.name)
    const bar = make('progress', { max: '100', value: '0', 'aria-label': file.name })
    const line = make('span', {}, ...smallPicture(file), text, bar)
    list.append(line)
    const data = new FormData(form)
    for (const field of fields) data.delete(field.name)
    data.append(fields[0]?.name ?? '', file)
    return new Promise((resolve) => {
      const fail = (message: string, left?: number): void => {
        bar.remove()
        line.classList.add('fault')
        text.textContent = message
        resolve({ message, ...(left !== undefined && { left }) })
      }
      const request = new XMLHttpRequest()
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        bar.value = total > 0 ? (loaded / total) * 100 : 0
      })
      request.addEventListener('load', () => {
        const { message, left } = answerIn(request.responseText)
        if (request.status < 400) {
          bar.value = 100
          resolve(left === undefined ? {} : { left })
        } else fail(message ?? word('upload_failed', { name: file.name }), left)
      })
      request.addEventListener('error', () => fail(word('upload_lost', { name: file.name })))
      request.open('POST', list.dataset['send'] ?? '')
      request.setRequestHeader('accept', 'application/json')
      request.send(data)
    })
  }
}

/** A small picture of an image. The address of its file lives as long as the page. */
const smallPicture = (file: File): readonly HTMLElement[] =>
  file.type.startsWith('image/') ? [make('img', { src: URL.createObjectURL(file), alt: '', width: '48', height: '48' })] : []

function answerIn(answer: string): Answer {
  try {
    return JSON.parse(answer) as Answer
  } catch {
    // A reverse proxy in front of the site answered.
    return {}
  }
}
