// Counts the elements that a drawing's references draw repeatedly: `use`, patterns, masks, clip paths, filters and markers.

import { Failure } from '../base/failure.ts'

/** The parts of an element on which its cost depends. */
export interface Element {
  readonly name: string
  /** The indexes of the elements in it. */
  readonly children: number[]
  /** The ids of elements that are drawn in its place, or once for the whole of it. */
  readonly uses: string[]
  /** The ids of elements that are drawn once for each shape within it, because shapes inherit paint. */
  readonly paints: string[]
  /** The ids of elements that are drawn at each corner of each path within it. */
  readonly markers: string[]
  /** The most corners that a path can have. */
  corners: number
}

/** The costs of filters that work on every pixel, in elements. A browser takes a tenth of a second or more for one of them. */
const costs: Readonly<Record<string, number>> = {
  feMorphology: 2000,
  feTurbulence: 1000,
  feConvolveMatrix: 1000,
  feDiffuseLighting: 1000,
  feSpecularLighting: 1000,
  feGaussianBlur: 300,
  feDropShadow: 300,
}

const costOf = ({ name }: Element): number => costs[name.slice(name.indexOf(':') + 1)] ?? 1

/**
 * Adds up the drawn elements. Each element is counted once, after everything that it contains and refers to.
 * @throws Failure `unprocessable`
 */
export function checkExpansion(
  elements: readonly Element[],
  ids: ReadonlyMap<string, number>,
  limits: { readonly elements: number; readonly expansion: number },
): void {
  /** The number of elements that are drawn for an element, itself included; 0 until it is known. */
  const drawn = new Float64Array(elements.length)
  const corners = new Float64Array(elements.length)
  const begun = new Uint8Array(elements.length)
  const { sum, targetsOf } = lookUp(elements, ids)
  // The last element is counted first, so that most elements are counted after their children.
  const waiting = elements.map((_, index) => index)
  for (let index = waiting.at(-1); index !== undefined; index = waiting.at(-1)) {
    const element = elements[index]
    if (!element || drawn[index] !== 0) {
      waiting.pop()
      continue
    }
    const uses = targetsOf(element.uses)
    const paints = targetsOf(element.paints).filter((one) => !isGradient(elements[one]))
    const markers = targetsOf(element.markers)
    const before = waiting.length
    for (const part of [element.children, uses, paints, markers]) for (const one of part) if (drawn[one] === 0) waiting.push(one)
    if (waiting.length > before) {
      if (begun[index] === 1) throw tooMuch('A part of this SVG refers to itself.')
      begun[index] = 1
      continue
    }
    const shapes = costOf(element) + sum(element.children, drawn) + sum(uses, drawn)
    const places = element.corners + sum(element.children, corners) + sum(uses, corners)
    const total = shapes + shapes * sum(paints, drawn) + (shapes + places) * sum(markers, drawn)
    if (total > limits.elements + limits.expansion) throw expanded(limits.expansion)
    corners[index] = places
    drawn[index] = total
  }
  const inside = new Set(elements.flatMap(({ children }) => children))
  const whole = drawn.reduce((total, one, index) => (inside.has(index) ? total : total + one), 0)
  if (whole - elements.length > limits.expansion) throw expanded(limits.expansion)
}

const none: readonly number[] = []

function lookUp(elements: readonly Element[], ids: ReadonlyMap<string, number>) {
  return {
    targetsOf: (names: readonly string[]): readonly number[] =>
      names.length === 0 ? none : names.flatMap((name) => ids.get(name) ?? none),
    sum(indexes: readonly number[], of: Float64Array): number {
      let total = 0
      for (const index of indexes) total += of[index] ?? 0
      return total
    },
  }
}

/** True for a gradient, which is evaluated once for all its uses. */
const isGradient = (element: Element | undefined): boolean => element?.name.endsWith('Gradient') === true

export const tooMuch = (sentence: string): Failure => new Failure('unprocessable', `${sentence} Simplify it, and send it again.`)

const expanded = (limit: number): Failure =>
  tooMuch(
    `The references of this SVG ("use", patterns, masks, markers and filters) draw more than ${limit} elements again. Filters such as a blur count as several hundred.`,
  )
