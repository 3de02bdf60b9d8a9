// The formats that can be imported: a placeholder until the readers are there.

import type { ImportFormat } from './import-format.ts'

export const importFormats: readonly ImportFormat[] = []
