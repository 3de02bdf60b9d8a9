// The limits of a package. They apply to the bytes actually read, not to the declared sizes.

import { Failure } from '../base/failure.ts'

/** Each limit with the sentence for a package above it. */
export const packageLimits = {
  zipBytes: { most: 64 * 1024 * 1024, sentence: 'The zip is larger than 64 MiB.' },
  entries: { most: 5000, sentence: 'The package holds more than 5,000 files and folders.' },
  bytes: { most: 256 * 1024 * 1024, sentence: 'The package holds more than 256 MiB.' },
  manifestBytes: { most: 64 * 1024, sentence: 'plugin.json is larger than 64 KiB.' },
  signatureBytes: { most: 4096, sentence: 'signature.json is larger than 4 KiB.' },
  pathBytes: { most: 400, sentence: 'A path in the package is longer than 400 bytes.' },
  partBytes: { most: 200, sentence: 'A name in the package is longer than 200 bytes.' },
  depth: { most: 16, sentence: 'The package holds folders more than 16 deep.' },
} as const

/** The longest time for reading and unpacking a package. */
export const packageDeadlineMs = 30_000

/** @throws Failure `unprocessable` if the amount is above the limit */
export function checkPackageLimit(limit: keyof typeof packageLimits, amount: number): void {
  const { most, sentence } = packageLimits[limit]
  if (amount > most) throw new Failure('unprocessable', sentence, { limit: most })
}
