// The nearest colour to a given one in which text can be read: its hue stays, and its lightness changes as little as the contrast
// asks (WCAG 2.2, 1.4.3). The lightness is that of OKLCH, after Björn Ottosson, https://bottosson.github.io/posts/oklab/

type Triple = readonly [number, number, number]

export type Scheme = 'light' | 'dark'

/** The backgrounds that leave the least contrast, of all themes that come with Postern. */
const papers: Readonly<Record<Scheme, string>> = { light: '#f2f0eb', dark: '#26242b' }

const minContrast = 4.5

/** @returns `#rrggbb`; a text that is no hexadecimal colour comes back as it is */
export function readableColour(colour: string, scheme: Scheme): string {
  const given = linearOf(colour)
  const paper = linearOf(papers[scheme])
  if (!given || !paper || contrast(given, paper) >= minContrast) return colour
  const [lightness, a, b] = oklabOf(given)
  // Halving finds the place between the given lightness and black or white at which the contrast is reached.
  let [near, far] = [lightness, scheme === 'light' ? 0 : 1]
  for (let step = 0; step < 20; step++) {
    const middle = (near + far) / 2
    const isEnough = contrast(linearOf(hexOf(inside(middle, a, b))) ?? given, paper) >= minContrast
    if (isEnough) far = middle
    else near = middle
  }
  return hexOf(inside(far, a, b))
}

/** The colour with the most of its saturation that a screen can show. */
function inside(lightness: number, a: number, b: number): Triple {
  for (let part = 1; part > 0; part -= 0.02) {
    const colour = fromOklab([lightness, a * part, b * part])
    if (colour.every((channel) => channel >= -0.0001 && channel <= 1.0001)) return colour
  }
  return fromOklab([lightness, 0, 0])
}

/** The contrast ratio, from 1 to 21. */
export function contrast(one: Triple, other: Triple): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((first, second) => first - second)
  return (light + 0.05) / (dark + 0.05)
}

const luminance = ([r, g, b]: Triple): number => 0.2126 * r + 0.7152 * g + 0.0722 * b

/** The channels of `#rgb` or `#rrggbb` in linear light; undefined for another text. */
export function linearOf(colour: string): Triple | undefined {
  const [, short, long] = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(colour.trim()) ?? []
  const digits = long ?? short?.replace(/./g, '$&$&')
  if (digits === undefined) return undefined
  const channel = (from: number): number => {
    const value = Number.parseInt(digits.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(0), channel(2), channel(4)]
}

function hexOf(colour: Triple): string {
  const digits = colour.map((value) => {
    const bounded = Math.min(1, Math.max(0, value))
    const encoded = bounded <= 0.0031308 ? bounded * 12.92 : 1.055 * bounded ** (1 / 2.4) - 0.055
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${digits.join('')}`
}

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
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
