// A small file of fixed slots, through which the processes of a machine share numbers. Each slot has one writer. Reads and writes
// are synchronous: from the page cache they take less than a microsecond, and asynchronous ones would take a hundred times as long.

import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'

/** An open file of slots. */
export interface SlotFile {
  /** Reads bytes from a position. Bytes that were never written are zero; after `close` all are. */
  read(into: Uint8Array, at: number): void
  /** Writes bytes at a position. After `close` it does nothing. */
  write(from: Uint8Array, at: number): void
  close(): void
}

/** Opens or creates the file. A new file has only zeros. @throws Error of the file system */
export function openSlotFile(path: string, bytes: number): SlotFile {
  const fd = openSync(path, openFlags, 0o600)
  try {
    // The file is never shortened: a process with another number of processes may have made it.
    if (fstatSync(fd).size < bytes) ftruncateSync(fd, bytes)
  } catch (error) {
    closeSync(fd)
    throw error
  }
  return over(fd)
}

/** Opens the file if it exists. @throws Error of the file system, such as `ENOENT` */
export function openExistingSlotFile(path: string): SlotFile {
  return over(openSync(path, 'r+'))
}

/** Read and write, created if missing. `w+` would empty a file that others use. */
const openFlags = constants.O_RDWR | constants.O_CREAT

function over(fd: number): SlotFile {
  let isOpen = true
  return {
    read(into, at) {
      const read = isOpen ? readSync(fd, into, 0, into.byteLength, at) : 0
      if (read < into.byteLength) into.fill(0, read)
    },
    write(from, at) {
      // Another file may have the number of a closed descriptor by now.
      if (isOpen) writeSync(fd, from, 0, from.byteLength, at)
    },
    close() {
      if (isOpen) closeSync(fd)
      isOpen = false
    },
  }
}
