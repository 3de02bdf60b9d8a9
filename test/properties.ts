// Property tests look at the same cases at each `npm test`, so that a red run is the change's own doing; `npm run test:deep` takes
// new ones each time, and what it finds becomes a named example.

import fastCheck from 'fast-check'
import { isDeep } from './deep-run.ts'

if (!isDeep) fastCheck.configureGlobal({ seed: 20_261_121 })

/** The most cases of a property in a usual run: more of the same cases each time would find what the first ones found. */
const usualRuns = 200

export type { Arbitrary } from 'fast-check'

type Asserted = Parameters<typeof fastCheck.assert>

/** fast-check, whose properties have all the runs that they ask for in a deep run alone. */
export const fc: typeof fastCheck = isDeep
  ? fastCheck
  : {
      ...fastCheck,
      assert: ((property: Asserted[0], { numRuns = 100, ...parameters }: NonNullable<Asserted[1]> = {}) =>
        fastCheck.assert(property, { ...parameters, numRuns: Math.min(numRuns, usualRuns) })) as typeof fastCheck.assert,
    }

const beforeSurrogates = 0xd800
const surrogates = 0x800

/**
 * Any code point but a surrogate, as a unit of strings. It generates what fast-check's `unit: 'binary'` generates. That builds a table of a million
 * code points first, which takes a second in each file that uses it.
 */
export const codePoint = fastCheck.nat(0x10_ffff - surrogates).map(
  (place) => String.fromCodePoint(place < beforeSurrogates ? place : place + surrogates),
  (text) => {
    const point = typeof text === 'string' ? (text.codePointAt(0) ?? 0) : 0
    if (text !== String.fromCodePoint(point) || (point >= beforeSurrogates && point < beforeSurrogates + surrogates))
      throw new Error('This is not a code point.')
    return point < beforeSurrogates ? point : point - surrogates
  },
)
