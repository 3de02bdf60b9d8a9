// The young generation of V8 while the service starts. Much of what a start makes stays alive, for which V8 doubles the young generation several
// times and never shrinks it again: 12 MB that a service at rest doesn't use.

import { setFlagsFromString } from 'node:v8'

const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** Keeps the young generation at its first size until `letGrow`. Call it before the program is loaded. */
export const keepSmall = (): void => growBy(1)

/** Lets load grow the young generation, as V8 does by itself. */
export const letGrow = (): void => growBy(2)
