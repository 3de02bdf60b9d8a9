// The signature of a request to S3, version 4.

import { createHash, createHmac } from 'node:crypto'

export interface SignedRequest {
  readonly method: string
  readonly url: URL
  /** Headers to sign in addition to `host`. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, in hex. */
  readonly bodySha256: string
}

export interface SigningKey {
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
}

const service = 's3'

/**
 * Returns the headers that sign a request.
 * @param now UTC milliseconds
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signRequest(
  { method, url, headers, bodySha256 }: SignedRequest,
  { accessKey, secretKey, region }: SigningKey,
  now: number,
): Readonly<Record<string, string>> {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const date = time.slice(0, 8)
  const added = { 'x-amz-content-sha256': bodySha256, 'x-amz-date': time }
  const signed = Object.entries({ ...headers, ...added, host: url.host }).sort(byName)
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    canonicalQuery(url),
    ...signed.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    bodySha256,
  ].join('\n')
  const scope = `${date}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
    (from, part) => hmac(from, part),
    `AWS4${secretKey}`,
  )
  const signature = hmac(key, text).toString('hex')
  return {
    ...added,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope},SignedHeaders=${names},Signature=${signature}`,
  }
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1)

function canonicalQuery({ searchParams }: URL): string {
  const all = [...searchParams].map(([name, value]) => [encode(name), encode(value)] as const)
  return all
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/** Encodes all characters but the unreserved ones (RFC 3986 §2.3). */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
