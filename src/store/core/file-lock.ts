// Shared and exclusive locks between the processes of one machine. Each lock is a file.

export { type FileLock, lockFile, type LockMode } from '../sqlite/file-lock.ts'
