// In the browser: the forms that a passkey fills in. In browsers without passkeys the forms stay hidden.

import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { word } from './words.ts'

const run = {
  add: (optionsJSON: unknown) =>
    startRegistration({ optionsJSON: optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON'] }),
  use: (optionsJSON: unknown) =>
    startAuthentication({ optionsJSON: optionsJSON as Parameters<typeof startAuthentication>[0]['optionsJSON'] }),
}

if (browserSupportsWebAuthn()) for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) prepare(form)

function prepare(form: HTMLFormElement): void {
  const { passkey, options = '{}' } = form.dataset
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const fault = form.querySelector<HTMLElement>('.fault')
    if (fault) fault.hidden = true
    run[passkey === 'add' ? 'add' : 'use'](JSON.parse(options)).then(
      (credential) => {
        const field = form.querySelector<HTMLInputElement>('[name=credential]')
        if (!field) return
        field.value = JSON.stringify(credential)
        form.submit()
      },
      (error: unknown) => {
        if (!fault) return
        fault.textContent = wordsOf(error)
        fault.hidden = false
      },
    )
  })
}

function wordsOf(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return word('passkey_known')
  if (name === 'NotAllowedError') return word('passkey_unused')
  return word('passkey_failed')
}
