// A place on another machine that keeps sealed backups. `kinds.ts` is the table of the kinds of places, and each kind has a file.

import type { Outbound } from '../../outbound/outbound.ts'

/** Bytes that are sent to a target. They can be read several times, because an attempt may fail. */
export interface SentBytes {
  readonly bytes: number
  /** Reads from `start` up to, but not including, `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

/** A file in the folder of a target. */
export interface TargetFile {
  readonly name: string
  readonly bytes: number
}

/**
 * The operations of a target. Names are plain file names in its folder. Each operation throws a Failure `unreachable` with the
 * sentence of the server.
 */
export interface BackupTarget {
  /** The host, for sentences. */
  readonly host: string
  /** Stores a file. Its name is listed only once the target has all bytes. */
  put(name: string, source: SentBytes, signal: AbortSignal): Promise<void>
  list(signal: AbortSignal): Promise<readonly TargetFile[]>
  /** Reads a file. @throws Failure `not_found` if there is none of this name */
  get(name: string, sink: (part: Uint8Array) => Promise<void>, signal: AbortSignal): Promise<void>
  /** Removes a file. A missing file is no failure. */
  remove(name: string, signal: AbortSignal): Promise<void>
  /** Removes the remains of uploads of this name that broke off. */
  clean(name: string, signal: AbortSignal): Promise<void>
}

/** The settings of a target, without its secret. A kind uses some of them; the others are empty. */
export interface TargetSettings {
  readonly kind: TargetKind
  /** `https://s3.example.org`, `https://cloud.example.org/remote.php/dav/files/me` or `sftp://nas.example.org:22`. */
  readonly address: string
  readonly folder: string
  readonly user: string
  readonly region: string
  readonly bucket: string
  /** `path` for addresses such as `https://host/bucket/name`, `host` for `https://bucket.host/name`. */
  readonly bucket_in: 'path' | 'host'
  /** Lines of the form `ssh-ed25519 AAAA…`. */
  readonly host_key: string
  readonly key_file: string
  /** True if the address may lie in a private network. */
  readonly private_network: boolean
}

export const targetKinds = ['s3', 'sftp', 'webdav'] as const
export type TargetKind = (typeof targetKinds)[number]

/** The parts with which a target is opened. */
export interface TargetParts {
  readonly settings: TargetSettings
  /** The secret key or password; empty if the kind needs none. */
  readonly secret: string
  readonly outbound: Outbound
}
