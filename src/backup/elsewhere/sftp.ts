// Targets that are reached by SFTP, with the machine's `ssh`. A file is sent under a temporary name and then renamed.

import { Failure, invalid, notFound } from '../../base/failure.ts'
import { errorMessage } from '../../base/error-message.ts'
import { statusCode } from './sftp-packets.ts'
import { SftpFault, SftpSession } from './sftp-session.ts'
import { startSsh } from './ssh.ts'
import type { BackupTarget, TargetParts } from './target.ts'
import { privateHint, shortened } from './target-http.ts'

/** The time without an answer after which a session ends. */
const quietMs = 120_000

const keyForm = /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/]{40,2000}={0,3}$/

/** The public keys in a text, which may be the output of `ssh-keyscan`: a key on each line, perhaps after the name of the host. */
function keysIn(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const words = line.split(/ +/)
      const at = words.findIndex((word) => /^(?:ssh|ecdsa)-/.test(word))
      return words.slice(at, at + 2).join(' ')
    })
}

/** @throws Failure `invalid` for a text that isn't the public keys of a host */
export function checkHostKey(text: string): void {
  const keys = keysIn(text)
  if (keys.length > 0 && keys.length <= 10 && keys.every((key) => keyForm.test(key))) return
  const expected = 'lines such as `ssh-ed25519 AAAA…`, as ssh-keyscan prints them'
  throw invalid('host_key', `The key of the host must be ${expected}.`, expected)
}

/** @throws Failure `invalid` for a text that isn't an absolute path of plain characters */
export function checkKeyFile(path: string): void {
  if (/^\/[A-Za-z0-9/._@+-]{1,300}$/.test(path)) return
  const expected = 'the absolute path of a private key, such as /etc/postern/backup-key, without spaces or special characters'
  throw invalid('key_file', `The key file must be ${expected}.`, expected)
}

export function openSftp({ settings, outbound }: TargetParts): BackupTarget {
  const { user, folder, key_file: keyFile, host_key: hostKey, private_network: privateNetwork } = settings
  const { hostname, port, host } = new URL(settings.address)
  const pathOf = (name: string) => (folder === '' ? name : `${folder}/${name}`)

  /** Runs a part of the work in a session, and ends the session if it is silent. */
  const within = async <T>(signal: AbortSignal, run: (session: SftpSession, alive: () => void) => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    let stop: (() => void) | undefined
    let timer: NodeJS.Timeout | undefined
    let close: (() => Promise<void>) | undefined
    try {
      const address = await outbound.findAddress(hostname, { privateNetwork })
      const ssh = await startSsh({ address, port: Number(port || 22), user, keyFile, hostKeys: keysIn(hostKey) })
      close = () => ssh.close()
      const end = () => void ssh.process.kill('SIGKILL')
      stop = () => signal.removeEventListener('abort', end)
      signal.addEventListener('abort', end, { once: true })
      timer = setTimeout(end, quietMs)
      return await run(await SftpSession.begin(ssh), () => void timer?.refresh())
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Failure) throw error
      const said = shortened(errorMessage(error)).replace(/\.$/, '')
      throw new Failure('unreachable', `${host} refused: ${said}.${privateHint(said)}`, {}, { cause: error })
    } finally {
      clearTimeout(timer)
      stop?.()
      await close?.()
    }
  }

  const removeIn = async (session: SftpSession, name: string) => session.remove(pathOf(name)).catch(unlessNoFile)

  return {
    host,

    put: (name, source, signal) =>
      within(signal, async (session, alive) => {
        await makeFolders(session, folder)
        const draft = draftOf(name)
        try {
          await session.write(pathOf(draft), told(source.read(0, source.bytes), alive))
          // A rename doesn't replace a file.
          await removeIn(session, name)
          await session.rename(pathOf(draft), pathOf(name))
        } catch (error) {
          await removeIn(session, draft).catch(() => undefined)
          throw error
        }
      }),

    list: (signal) =>
      within(signal, async (session) => {
        const files = await session.list(folder === '' ? '.' : folder).catch((error: unknown) => unlessNoFile(error) ?? [])
        return files.filter(({ isFolder }) => !isFolder)
      }),

    get: (name, sink, signal) =>
      within(signal, async (session, alive) => {
        const size = await session.size(pathOf(name)).catch(unlessNoFile)
        if (size === undefined) throw notFound('backup', name, 'SVC_Backup.list-copies names those there are.')
        await session.read(pathOf(name), async (part) => {
          alive()
          await sink(part)
        })
      }),

    remove: (name, signal) => within(signal, (session) => removeIn(session, name)),
    clean: (name, signal) => within(signal, (session) => removeIn(session, draftOf(name))),
  }
}

/** The name of an unfinished file. It is not the name of a backup. */
const draftOf = (name: string): string => `.part-${name}`

function unlessNoFile(error: unknown): undefined {
  if (error instanceof SftpFault && error.code === statusCode.noFile) return undefined
  throw error
}

/** Makes the folders of a path that don't exist. */
async function makeFolders(session: SftpSession, folder: string): Promise<void> {
  const parts = folder.split('/')
  for (const [at] of parts.entries()) {
    const path = parts.slice(0, at + 1).join('/')
    if (path === '') continue
    const exists = await session.size(path).catch(unlessNoFile)
    if (exists === undefined) await session.makeFolder(path)
  }
}

async function* told(parts: AsyncIterable<Uint8Array>, onPart: () => void): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    yield part
    onPart()
  }
}
