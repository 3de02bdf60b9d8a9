// Targets that speak WebDAV. A file is sent under a temporary name and then moved, because an upload that breaks off may leave a
// part of the file.

import { notFound } from '../../base/failure.ts'
import type { BackupTarget, TargetParts } from './target.ts'
import { createAskTarget } from './target-http.ts'
import { readXmlItems, xmlText } from './xml-items.ts'

/** The properties of a file that a list needs. */
const asked =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><getcontentlength/><resourcetype/></prop></propfind>'

export function openWebdav(parts: TargetParts): BackupTarget {
  const { settings, secret } = parts
  const authorization = `Basic ${Buffer.from(`${settings.user}:${secret}`).toString('base64')}`
  const ask = createAskTarget(parts, sentenceIn, async () => ({ authorization }))
  const folders = settings.folder.split('/').filter((part) => part !== '')
  const urlOf = (path: string): URL => {
    const url = new URL(settings.address)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
    return url
  }
  const folderUrl = urlOf(folders.map((part) => `${part}/`).join(''))
  const fileUrl = (name: string): URL => new URL(name, folderUrl)
  const headers = {}

  const find = async (depth: '0' | '1', signal: AbortSignal) => {
    const listing = { depth, 'content-type': 'application/xml' }
    return ask({ method: 'PROPFIND', url: folderUrl, headers: listing, body: asked, signal, accept: [207, 404] })
  }

  const makeFolder = async (signal: AbortSignal) => {
    if ((await find('0', signal)).status === 207) return
    for (const [at] of folders.entries()) {
      const url = urlOf(
        folders
          .slice(0, at + 1)
          .map((part) => `${part}/`)
          .join(''),
      )
      // 405 says that the folder exists.
      await ask({ method: 'MKCOL', url, headers, signal, accept: [201, 405] })
    }
  }

  const remove = async (name: string, signal: AbortSignal) =>
    void (await ask({ method: 'DELETE', url: fileUrl(name), headers, signal, accept: [200, 204, 404] }))

  return {
    host: folderUrl.host,
    remove,

    async put(name, of, signal) {
      await makeFolder(signal)
      const draft = draftOf(name)
      const binary = { 'content-type': 'application/octet-stream' }
      const part = { of, start: 0, end: of.bytes }
      try {
        await ask({ method: 'PUT', url: fileUrl(draft), headers: binary, part, signal, accept: [200, 201, 204] })
        const to = { destination: fileUrl(name).href, overwrite: 'T' }
        await ask({ method: 'MOVE', url: fileUrl(draft), headers: to, signal, accept: [200, 201, 204] })
      } catch (error) {
        await remove(draft, AbortSignal.timeout(30_000)).catch(() => undefined)
        throw error
      }
    },

    async list(signal) {
      const { status, body } = await find('1', signal)
      if (status === 404) return []
      return readXmlItems(Buffer.from(body).toString('utf8'), 'response').flatMap((item) => {
        const name = nameIn(item.get('href') ?? '', folderUrl)
        const isFolder = item.has('collection')
        return name === undefined || isFolder ? [] : [{ name, bytes: Number(item.get('getcontentlength')) }]
      })
    },

    async get(name, sink, signal) {
      if (!(await this.list(signal)).some((file) => file.name === name))
        throw notFound('backup', name, 'SVC_Backup.list-copies names those there are.')
      await ask({ method: 'GET', url: fileUrl(name), headers, sink, signal, accept: [200] })
    },

    clean: (name, signal) => remove(draftOf(name), signal),
  }
}

/** The name of an unfinished file. It is not the name of a backup. */
const draftOf = (name: string): string => `.part-${name}`

/** The name of a listed file; undefined for the folder itself and for other addresses. */
function nameIn(href: string, folder: URL): string | undefined {
  if (!URL.canParse(href, folder.href)) return undefined
  const { pathname } = new URL(href, folder)
  if (!pathname.startsWith(folder.pathname)) return undefined
  const name = pathname.slice(folder.pathname.length)
  return name === '' || name.includes('/') ? undefined : name
}

/** The sentence of SabreDAV, as Nextcloud and others give it. Pages of HTML have none. */
const sentenceIn = (text: string): string => xmlText(text, 'message') ?? ''
