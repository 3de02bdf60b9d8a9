// An authenticator app of a test: reads its key off the page that offers it, and knows the code of each time.

import assert from 'node:assert/strict'
import { hotp, totpStep } from '../../src/identity/totp.ts'
import type { Page, Visitor } from './visitor.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export interface Authenticator {
  /** The code of a step from now: 0 for the present one. */
  code(step?: number): string
  readonly recovery: readonly string[]
}

/** Adds an app to the account of a visitor who is signed in. */
export async function addAuthenticator(visitor: Visitor): Promise<Authenticator> {
  const page = await visitor.open('/admin/account/authenticator')
  const secret = secretOn(page)
  const code = (step = 0) => hotp(secret, totpStep(Date.now()) + step)
  // The code of the step before: those of the present one and the next are left for signing in.
  const added = await visitor.submit(page.form('/admin/account/authenticator'), { first: code(-1) })
  assert.equal(added.status, 200, added.text)
  return { code, recovery: recoveryOn(added) }
}

/** The recovery codes that a page shows. */
export const recoveryOn = ({ text }: Page): readonly string[] => text.match(/\b(?:[a-z0-9]{4}-){3}[a-z0-9]{4}\b/g) ?? []

function secretOn({ text }: Page): Buffer {
  const [, typed = ''] = /data-copy="the key">([A-Z2-7 ]+)</.exec(text) ?? []
  const bits = [...typed.replaceAll(' ', '')].map((char) => alphabet.indexOf(char).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
