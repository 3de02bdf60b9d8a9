// One SFTP session over a running `ssh`: requests and their answers. Several reads and writes are under way at a time, so that the
// speed doesn't depend on the distance of the server.

import { once } from 'node:events'
import { counted, frame, openMode, packet, PacketCutter, PacketReader, statusCode, uint32, uint64 } from './sftp-packets.ts'
import type { Ssh } from './ssh.ts'
import type { TargetFile } from './target.ts'

/** The bytes of one read or write. All servers take 32 KiB. */
const partBytes = 32 * 1024
/** The reads or writes under way, which together are the most memory of a transfer. */
const maxUnderWay = 32

/** A status that is a failure. */
export class SftpFault extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'SftpFault'
    this.code = code
  }
}

interface Answer {
  readonly kind: number
  readonly reader: PacketReader
}

interface Waiting {
  resolve(answer: Answer): void
  reject(error: Error): void
}

export class SftpSession {
  readonly #ssh: Ssh
  readonly #cutter = new PacketCutter()
  readonly #waiting = new Map<number, Waiting>()
  #version: Waiting | undefined
  #broken: Error | undefined
  #lastId = 0

  private constructor(ssh: Ssh) {
    this.#ssh = ssh
    ssh.process.stdout.on('data', (part: Buffer) => this.#take(part))
    void ssh.ended.then((said) => this.#break(new Error(said)))
  }

  /** Begins a session. @throws Error with the last line of `ssh`, if there is none */
  static async begin(ssh: Ssh): Promise<SftpSession> {
    const session = new SftpSession(ssh)
    const greeted = new Promise<Answer>((resolve, reject) => (session.#version = { resolve, reject }))
    ssh.process.stdin.write(frame(packet.init, uint32(3)))
    await greeted
    return session
  }

  async list(folder: string): Promise<readonly (TargetFile & { readonly isFolder: boolean })[]> {
    const handle = await this.#handle(packet.opendir, counted(folder))
    const files: (TargetFile & { readonly isFolder: boolean })[] = []
    for (;;) {
      const { kind, reader } = await this.#ask(packet.readdir, counted(handle))
      if (kind === packet.status && this.#status(reader, statusCode.end)) break
      for (let left = reader.uint32(); left > 0; left--) {
        const name = reader.text()
        reader.bytes()
        const { size: bytes, isFolder } = reader.attributes()
        files.push({ name, bytes, isFolder })
      }
    }
    await this.#close(handle)
    return files
  }

  /** The size of a file. @throws SftpFault */
  async size(path: string): Promise<number> {
    const { kind, reader } = await this.#ask(packet.stat, counted(path))
    if (kind === packet.status) this.#status(reader)
    return reader.attributes().size
  }

  async makeFolder(path: string): Promise<void> {
    await this.#do(packet.mkdir, counted(path), uint32(0))
  }

  async remove(path: string): Promise<void> {
    await this.#do(packet.remove, counted(path))
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#do(packet.rename, counted(from), counted(to))
  }

  /** Writes a new file, or replaces one. */
  async write(path: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
    const handle = await this.#handle(packet.open, counted(path), uint32(openMode.write), uint32(0x4), uint32(0o600))
    const underWay = new Set<Promise<void>>()
    let failed: unknown
    let at = 0
    for await (const part of parts) {
      for (let from = 0; from < part.length; from += partBytes) {
        const bytes = part.subarray(from, from + partBytes)
        const written = this.#do(packet.write, counted(handle), uint64(at), counted(bytes))
          .catch((error: unknown) => void (failed ??= error))
          .finally(() => underWay.delete(written))
        underWay.add(written)
        at += bytes.length
        if (this.#ssh.process.stdin.writableNeedDrain)
          await Promise.race([once(this.#ssh.process.stdin, 'drain'), this.#ssh.ended])
        if (underWay.size >= maxUnderWay) await Promise.race(underWay)
      }
      if (failed !== undefined) break
    }
    await Promise.all(underWay)
    if (failed !== undefined) throw failed
    await this.#close(handle)
  }

  /** Reads a file, in the order of its bytes. */
  async read(path: string, sink: (part: Uint8Array) => Promise<void>): Promise<void> {
    const bytes = await this.size(path)
    const handle = await this.#handle(packet.open, counted(path), uint32(openMode.read), uint32(0))
    const underWay: Promise<Buffer>[] = []
    let asked = 0
    while (asked < bytes || underWay.length > 0) {
      while (asked < bytes && underWay.length < maxUnderWay) {
        const length = Math.min(partBytes, bytes - asked)
        const part = this.#readPart(handle, asked, length)
        // The error is thrown when the part is awaited. Until then it must not count as unhandled.
        part.catch(() => undefined)
        underWay.push(part)
        asked += length
      }
      await sink((await underWay.shift()) ?? Buffer.alloc(0))
    }
    await this.#close(handle)
  }

  close(): Promise<void> {
    return this.#ssh.close()
  }

  /** Reads a part, asking again where the server returns fewer bytes. */
  async #readPart(handle: Buffer, from: number, length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let done = 0; done < length;) {
      const { kind, reader } = await this.#ask(packet.read, counted(handle), uint64(from + done), uint32(length - done))
      if (kind === packet.status) this.#status(reader)
      const part = reader.bytes()
      if (part.length === 0) throw new Error('the server sent no bytes')
      parts.push(part)
      done += part.length
    }
    return Buffer.concat(parts)
  }

  async #handle(kind: number, ...parts: readonly Buffer[]): Promise<Buffer> {
    const answer = await this.#ask(kind, ...parts)
    if (answer.kind === packet.status) this.#status(answer.reader)
    return Buffer.from(answer.reader.bytes())
  }

  async #close(handle: Buffer): Promise<void> {
    await this.#do(packet.close, counted(handle))
  }

  async #do(kind: number, ...parts: readonly Buffer[]): Promise<void> {
    this.#status((await this.#ask(kind, ...parts)).reader, statusCode.ok)
  }

  /** Reads a status. @returns true for the expected code @throws SftpFault for any other, with the sentence of the server */
  #status(reader: PacketReader, expected?: number): boolean {
    const code = reader.uint32()
    if (code === expected) return true
    throw new SftpFault(code, reader.text() || `status ${code}`)
  }

  #ask(kind: number, ...parts: readonly Buffer[]): Promise<Answer> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      if (this.#broken) return reject(this.#broken)
      this.#waiting.set(id, { resolve, reject })
      this.#ssh.process.stdin.write(frame(kind, uint32(id), ...parts))
    })
  }

  #take(part: Buffer): void {
    try {
      for (const bytes of this.#cutter.add(part)) this.#answer(new PacketReader(bytes))
    } catch (cause) {
      this.#ssh.process.kill('SIGKILL')
      this.#break(new Error('the server does not speak SFTP', { cause }))
    }
  }

  #answer(reader: PacketReader): void {
    const kind = reader.byte()
    const id = reader.uint32()
    if (kind === packet.version) return this.#version?.resolve({ kind, reader })
    this.#waiting.get(id)?.resolve({ kind, reader })
    this.#waiting.delete(id)
  }

  #break(error: Error): void {
    this.#broken ??= error
    this.#version?.reject(this.#broken)
    for (const one of this.#waiting.values()) one.reject(this.#broken)
    this.#waiting.clear()
  }
}
