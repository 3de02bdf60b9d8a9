// The output of a service.

/** `out` gets log lines, `err` gets messages for people. */
export interface Streams {
  out(text: string): void
  err(text: string): void
}
