// Locks that processes of one machine share or hold alone, each on a file of its own.

export { type FileLock, lockFile, type LockMode } from './sqlite/file-lock.ts'
