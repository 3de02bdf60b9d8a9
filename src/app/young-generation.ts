// The young generation of V8 while the service starts. Many objects of a start stay alive. V8 would therefore double the young
// generation several times and never shrink it again: 12 MB that a service at rest doesn't use.

import { setFlagsFromString } from 'node:v8'

const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** Limits the young generation to its first size until `letGrow`. Call it before the program is loaded. */
export const keepSmall = (): void => growBy(1)

/** Allows the young generation to grow with the load, as V8 does by default. */
export const letGrow = (): void => growBy(2)
