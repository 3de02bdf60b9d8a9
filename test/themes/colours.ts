// Colours of a style sheet as numbers: what `light-dark()`, `oklch(from …)` and hexadecimal colours come to, and the contrast of two of them (WCAG 2.2).

import { readableColour } from '../../src/themes/readable-colour.ts'

export type Scheme = 'light' | 'dark'
type Triple = readonly [number, number, number]

/** The custom properties of `:root` that are colours, for one scheme. Later declarations win, as in a browser that knows `oklch(from …)`. */
export function coloursOf(css: string, scheme: Scheme, accent: string): ReadonlyMap<string, Triple> {
  const found = new Map<string, Triple>()
  for (const [, name = '', light = '', dark = ''] of css.matchAll(
    /--([\w-]+): light-dark\((#\w+|oklch\([^;]*?\)\s*?), (#\w+|oklch\([^;]*\))\);/g,
  )) {
    const value = scheme === 'light' ? light : dark
    found.set(name, value.startsWith('#') ? linearOf(value) : readable(value, accent))
  }
  // The head of a page has the nearest colour; the style has one for heads that don't.
  const older = new RegExp(`--link-${scheme}: (oklch\\([^;]*\\));`).exec(css)?.[1]
  const near = linearOf(readableColour(accent, scheme))
  if (near) found.set('link', near)
  if (older !== undefined) found.set('older link', readable(older, accent))
  return found
}

/** `oklch(from var(--accent) min(l, 0.46) c h)` and `oklch(from var(--accent) max(l, 0.78) min(c, 0.13) h)`. */
function readable(value: string, accent: string): Triple {
  const most = /min\(l, ([\d.]+)\)/.exec(value)?.[1]
  const least = /max\(l, ([\d.]+)\)/.exec(value)?.[1]
  const chroma = /min\(c, ([\d.]+)\)/.exec(value)?.[1]
  const [l, a, b] = oklabOf(linearOf(accent))
  const c = Math.hypot(a, b)
  const factor = c === 0 ? 1 : Math.min(c, Number(chroma ?? c)) / c
  return fromOklab([Math.max(Math.min(l, Number(most ?? 1)), Number(least ?? 0)), a * factor, b * factor])
}

/** The contrast ratio, from 1 to 21. */
export function contrast(one: Triple, other: Triple): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const luminance = ([r, g, b]: Triple): number => 0.2126 * r + 0.7152 * g + 0.0722 * b

function linearOf(hex: string): Triple {
  const channel = (from: number): number => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

/** After Björn Ottosson, https://bottosson.github.io/posts/oklab/ */
function oklabOf([r, g, b]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromOklab([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const inside = (value: number): number => Math.min(1, Math.max(0, value))
  return [
    inside(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    inside(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    inside(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}
