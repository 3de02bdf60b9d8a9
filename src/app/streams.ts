// The output of a service.

/** `out` receives log lines, `err` receives messages for people. */
export interface Streams {
  out(text: string): void
  err(text: string): void
}
