// A passkey without a device: makes and answers as an authenticator does, with any part changed as the test wants.
//
// See Web Authentication Level 3 §6.1 (authenticator data), §6.5.1 (attested credential data), RFC 9052 §7 (COSE keys).

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Page } from './visitor.ts'

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** Where the passkey is used, and what it answers; each part is changed by itself. */
export interface Answering {
  readonly origin: string
  readonly rpId: string
  readonly challenge: string
  readonly counter?: number
}

export interface SoftPasskey {
  readonly id: string
  /** What `navigator.credentials.create` gives, as JSON. */
  create(about: Answering): string
  /** What `navigator.credentials.get` gives, as JSON. */
  get(about: Answering): string
}

export function makeSoftPasskey(): SoftPasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [keyX, keyY] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  const clientData = (type: string, { origin, challenge }: Answering) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = (flags: number, { rpId, counter = 0 }: Answering, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more])
  }
  const whole = (response: Readonly<Record<string, Buffer>>) =>
    JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
    })
  return {
    id,
    create(about) {
      const cose = Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), keyX, Buffer.from('225820', 'hex'), keyY])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, rawId.length]), rawId, cose])
      const data = authData(0x45, about, attested)
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x58, data.length]),
        data,
      ])
      return whole({ clientDataJSON: clientData('webauthn.create', about), attestationObject })
    },
    get(about) {
      const [clientDataJSON, authenticatorData] = [clientData('webauthn.get', about), authData(0x05, about)]
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey)
      return whole({ clientDataJSON, authenticatorData, signature })
    },
  }
}

/** The challenge that a page offers to a passkey. */
export const challengeOn = ({ text }: Page): string => /&quot;challenge&quot;:&quot;([\w-]+)/.exec(text)?.[1] ?? ''
