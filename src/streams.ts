// Where a service writes.

/** `out` gets log lines, `err` gets messages for people. */
export interface Streams {
  out(text: string): void
  err(text: string): void
}
