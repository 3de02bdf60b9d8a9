// Targets that speak the protocol of Amazon S3. A large file is sent in parts, and is listed only when all of them are joined.

import { createHash } from 'node:crypto'
import { Failure, notFound } from '../../base/failure.ts'
import { hashParts } from '../../base/hash-file.ts'
import { signRequest } from './sigv4.ts'
import type { BackupTarget, SentBytes, TargetFile, TargetParts } from './target.ts'
import { createAskTarget, type TargetRequest } from './target-http.ts'
import { readXmlItems, xmlText } from './xml-items.ts'

/** The size of a part. A part is read from the disk twice, for its hash and to send it, so memory doesn't depend on it. */
const usualPartBytes = 16 * 1024 ** 2
/** The most parts of an upload. */
const maxParts = 10_000
/** The most pages of a list, each with up to 1000 names. */
const maxPages = 100

export function openS3(parts: TargetParts): BackupTarget {
  const { settings, secret } = parts
  const { bucket, region, user, folder, bucket_in: bucketIn } = settings
  const signing = { accessKey: user, secretKey: secret, region }
  const ask = createAskTarget(parts, sentenceIn, async (request) => {
    const bodySha256 = await hashOf(request)
    return signRequest({ ...request, bodySha256 }, signing, Date.now())
  })
  const prefix = folder === '' ? '' : `${folder.replace(/^\//, '')}/`

  const urlOf = (key: string, query: Readonly<Record<string, string>> = {}): URL => {
    const url = new URL(settings.address)
    const before = url.pathname.replace(/\/$/, '')
    if (bucketIn === 'host') url.hostname = `${bucket}.${url.hostname}`
    url.pathname = `${before}${bucketIn === 'path' ? `/${bucket}` : ''}/${key}`
    url.search = new URLSearchParams(query).toString().replaceAll('+', '%20')
    return url
  }
  const headers = {}

  const abort = async (key: string, uploadId: string, signal: AbortSignal) =>
    void (await ask({ method: 'DELETE', url: urlOf(key, { uploadId }), headers, signal, accept: [204, 200, 404] }))

  const putWhole = async (key: string, of: SentBytes, signal: AbortSignal) =>
    void (await ask({ method: 'PUT', url: urlOf(key), headers, part: { of, start: 0, end: of.bytes }, signal, accept: [200] }))

  const putParts = async (key: string, of: SentBytes, signal: AbortSignal) => {
    const begun = await ask({ method: 'POST', url: urlOf(key, { uploads: '' }), headers, signal, accept: [200] })
    const uploadId = xmlText(textOf(begun.body), 'UploadId') ?? ''
    try {
      const size = Math.max(usualPartBytes, Math.ceil(of.bytes / maxParts))
      const tags: string[] = []
      for (let start = 0; start < of.bytes; start += size) {
        const url = urlOf(key, { partNumber: String(tags.length + 1), uploadId })
        const part = { of, start, end: Math.min(start + size, of.bytes) }
        const { headers: answered } = await ask({ method: 'PUT', url, headers, part, signal, accept: [200] })
        tags.push(String(answered['etag'] ?? ''))
      }
      const list = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`).join('')
      const body = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`
      const done = await ask({ method: 'POST', url: urlOf(key, { uploadId }), headers, body, signal, accept: [200] })
      // This request is answered with 200 before its outcome is known.
      const fault = readXmlItems(textOf(done.body), 'Error')[0]
      if (fault) throw new Failure('unreachable', `${urlOf(key).host} answered: ${sentenceIn(textOf(done.body))}.`)
    } catch (error) {
      await abort(key, uploadId, AbortSignal.timeout(30_000)).catch(() => undefined)
      throw error
    }
  }

  return {
    host: urlOf('').host,

    put: async (name, source, signal) =>
      source.bytes <= usualPartBytes ? putWhole(prefix + name, source, signal) : putParts(prefix + name, source, signal),

    async list(signal) {
      const files: TargetFile[] = []
      let from: string | undefined
      for (let page = 0; page < maxPages; page++) {
        const query = { 'list-type': '2', delimiter: '/', prefix, ...(from !== undefined && { 'continuation-token': from }) }
        const { body } = await ask({ method: 'GET', url: urlOf('', query), headers, signal, accept: [200] })
        const text = textOf(body)
        for (const item of readXmlItems(text, 'Contents'))
          files.push({ name: (item.get('Key') ?? '').slice(prefix.length), bytes: Number(item.get('Size')) })
        from = xmlText(text, 'IsTruncated') === 'true' ? xmlText(text, 'NextContinuationToken') : undefined
        if (from === undefined) return files
      }
      throw new Failure('unreachable', `The folder on ${urlOf('').host} has too many files: name a folder of its own.`)
    },

    async get(name, sink, signal) {
      const url = urlOf(prefix + name)
      const known = await ask({ method: 'HEAD', url, headers, signal, accept: [200, 404] })
      if (known.status === 404) throw notFound('backup', name, 'SVC_Backup.list-copies names those there are.')
      await ask({ method: 'GET', url, headers, sink, signal, accept: [200] })
    },

    remove: async (name, signal) =>
      void (await ask({ method: 'DELETE', url: urlOf(prefix + name), headers, signal, accept: [200, 204, 404] })),

    async clean(name, signal) {
      const url = urlOf('', { uploads: '', prefix: prefix + name })
      const { body } = await ask({ method: 'GET', url, headers, signal, accept: [200] })
      for (const item of readXmlItems(textOf(body), 'Upload'))
        if (item.get('Key') === prefix + name) await abort(prefix + name, item.get('UploadId') ?? '', signal)
    },
  }
}

const textOf = (body: Uint8Array): string => Buffer.from(body).toString('utf8')

async function hashOf({ body, part, signal }: TargetRequest): Promise<string> {
  if (part) return hashParts(part.of.read(part.start, part.end), signal)
  return createHash('sha256')
    .update(body ?? '')
    .digest('hex')
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** `AccessDenied: Access Denied` */
function sentenceIn(text: string): string {
  const [code, message] = [xmlText(text, 'Code'), xmlText(text, 'Message')]
  return [code, message].filter((part) => part !== undefined && part !== '').join(': ')
}
