// A small S3 on loopback. It takes a request only if its signature and the hash of its body are right, both computed anew from the bytes
// that came.

import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TargetSettings } from '../../../src/backup/elsewhere/target.ts'

export interface S3Server extends AsyncDisposable {
  readonly settings: TargetSettings
  readonly secret: string
  /** What is stored, by key. */
  readonly objects: Map<string, Buffer>
  /** Unfinished uploads, by id. */
  readonly uploads: Map<string, { readonly key: string; readonly parts: Map<number, Buffer> }>
  /** Requests that came, as `PUT /bucket/key`. */
  readonly asked: string[]
  /** Answers a request in another way; false where it does not. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
}

const accessKey = 'AKIATEST'
const secret = 'the+secret/key of S3'
const region = 'eu-test-1'
const bucket = 'backups'

export async function openS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const uploads: S3Server['uploads'] = new Map()
  const asked: string[] = []
  let lastUpload = 0

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method} ${request.url}`)
    if (at.instead?.(request, response)) return
    const body = await buffer(request)
    const fault = faultOf(request, body)
    if (fault)
      return send(response, 403, `<?xml version="1.0"?><Error><Code>${fault}</Code><Message>Said by S3.</Message></Error>`)
    const [path = '', search = ''] = (request.url ?? '').split('?')
    const query = new URLSearchParams(search)
    if (!path.startsWith(`/${bucket}/`)) return send(response, 404, '<Error><Code>NoSuchBucket</Code></Error>')
    const key = decodeURIComponent(path.slice(bucket.length + 2))
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (request.method === 'GET' && key === '' && query.has('uploads')) {
      const open = [...uploads].filter(([, one]) => one.key.startsWith(query.get('prefix') ?? ''))
      return send(
        response,
        200,
        open.map(([id, one]) => `<Upload><Key>${one.key}</Key><UploadId>${id}</UploadId></Upload>`).join(''),
      )
    }
    if (request.method === 'GET' && key === '') return send(response, 200, listOf(query))
    if (request.method === 'POST' && query.has('uploads')) {
      uploads.set(String(++lastUpload), { key, parts: new Map() })
      return send(response, 200, `<R xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><UploadId>${lastUpload}</UploadId></R>`)
    }
    if (request.method === 'PUT' && upload) {
      upload.parts.set(Number(query.get('partNumber')), body)
      return send(response, 200, '', { etag: `"${md5(body)}"` })
    }
    if (request.method === 'POST' && upload) {
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;(\w+)&quot;/g)]
      const parts = named.map(([, number, tag]) => ({ tag, bytes: upload.parts.get(Number(number)) ?? Buffer.alloc(0) }))
      const wrong = parts.some(
        ({ tag, bytes }, at) => md5(bytes) !== tag || (at < parts.length - 1 && bytes.length < 5 * 1024 ** 2),
      )
      if (wrong || parts.length !== upload.parts.size)
        return send(response, 200, '<Error><Code>InvalidPart</Code><Message>Not the parts.</Message></Error>')
      objects.set(upload.key, Buffer.concat(parts.map(({ bytes }) => bytes)))
      uploads.delete(query.get('uploadId') ?? '')
      return send(response, 200, '<CompleteMultipartUploadResult/>')
    }
    if (request.method === 'DELETE') {
      if (query.has('uploadId')) uploads.delete(query.get('uploadId') ?? '')
      else objects.delete(key)
      return send(response, 204, '')
    }
    if (request.method === 'PUT') {
      objects.set(key, body)
      return send(response, 200, '')
    }
    const found = objects.get(key)
    if (!found) return send(response, 404, '<Error><Code>NoSuchKey</Code></Error>')
    response.writeHead(200, { 'content-length': found.length }).end(request.method === 'HEAD' ? undefined : found)
  }

  /** Two names on a page, so that every list has several. */
  const listOf = (query: URLSearchParams): string => {
    const prefix = query.get('prefix') ?? ''
    const all = [...objects.keys()].filter((key) => key.startsWith(prefix) && !key.slice(prefix.length).includes('/')).sort()
    const from = Number(query.get('continuation-token') ?? 0)
    const page = all.slice(from, from + 2)
    const more = from + 2 < all.length
    const items = page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`).join('')
    const next = more ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
    return `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><IsTruncated>${more}</IsTruncated>${next}${items}</ListBucketResult>`
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const at: S3Server = {
    settings: {
      kind: 's3',
      address: `http://127.0.0.1:${port}`,
      folder: 'of/example.org',
      user: accessKey,
      region,
      bucket,
      bucket_in: 'path',
      host_key: '',
      key_file: '',
      private_network: true,
    },
    secret,
    objects,
    uploads,
    asked,
    instead: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return at
}

function send(response: ServerResponse, status: number, text: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(text)
}

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The code of what is wrong with the signature; undefined for a good one. */
function faultOf({ method, url = '', headers }: IncomingMessage, body: Buffer): string | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request,\s?SignedHeaders=([^,]+),\s?Signature=(\w{64})$/
  const [, who, date = '', where, names = '', signature] = form.exec(headers.authorization ?? '') ?? []
  if (who !== accessKey) return 'InvalidAccessKeyId'
  const time = String(headers['x-amz-date'])
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - at) < 15 * 60_000) || !time.startsWith(date)) return 'RequestTimeTooSkewed'
  if (sha256(body) !== headers['x-amz-content-sha256']) return 'XAmzContentSHA256Mismatch'
  if (!names.split(';').includes('host') || !names.includes('x-amz-content-sha256')) return 'SignatureDoesNotMatch'
  const [path = '', search = ''] = url.split('?')
  const query = search.split('&').sort().join('&')
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`)
  const canonical = [method, path, query, ...lines, '', names, sha256(body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, `${date}/${where}/s3/aws4_request`, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), 's3'), 'aws4_request')
  return where === region && hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}
