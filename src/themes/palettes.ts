// The palettes that the settings of a theme offer: each has colours for light and for dark pages, which take the place of the
// theme's own. In each of them texts have a contrast of 7, and quiet texts and links 4.5 (WCAG 2.2, 1.4.3 and 1.4.6).

import { readableColour, type Scheme } from './readable-colour.ts'

export interface PaletteColours {
  /** The background of a page, and of boxes on it. */
  readonly paper: string
  readonly raised: string
  /** The colour of texts, of less important texts, and of lines between parts. */
  readonly ink: string
  readonly quiet: string
  readonly line: string
  /** The colour of links and buttons. */
  readonly link: string
}

export type Palette = Readonly<Record<Scheme, PaletteColours>>

/** The palettes by the values of the setting `palette`. Any other value, such as `own`, leaves the colours to the theme. */
export const palettes: Readonly<Record<string, Palette>> = {
  moss: {
    light: { paper: '#fafcf8', raised: '#eff4ea', ink: '#1d261c', quiet: '#566252', line: '#d9e2d3', link: '#2a6a35' },
    dark: { paper: '#121712', raised: '#1b221a', ink: '#e0e8dc', quiet: '#99a893', line: '#323d30', link: '#8fce93' },
  },
  sea: {
    light: { paper: '#f8fcfe', raised: '#eaf3f8', ink: '#14242e', quiet: '#4e6270', line: '#d0e0e9', link: '#0b5f8f' },
    dark: { paper: '#0e161c', raised: '#172229', ink: '#dde8ee', quiet: '#93a7b3', line: '#2b3c47', link: '#82c4ee' },
  },
  brick: {
    light: { paper: '#fffaf7', raised: '#f8eee8', ink: '#2d1f19', quiet: '#705a50', line: '#ecd9cf', link: '#a03818' },
    dark: { paper: '#191210', raised: '#251b17', ink: '#efe2dc', quiet: '#b39c92', line: '#43322b', link: '#f3a184' },
  },
  plum: {
    light: { paper: '#fefafd', raised: '#f6edf4', ink: '#2a1c28', quiet: '#6b5867', line: '#e8d8e4', link: '#8a2c74' },
    dark: { paper: '#171116', raised: '#221a21', ink: '#eee1eb', quiet: '#b09dac', line: '#40323d', link: '#eaa3d6' },
  },
  honey: {
    light: { paper: '#fffcf3', raised: '#f8f1dc', ink: '#292212', quiet: '#695e42', line: '#ebdfbf', link: '#7d5300' },
    dark: { paper: '#17140c', raised: '#221e13', ink: '#ece5d3', quiet: '#aca185', line: '#403923', link: '#e8bd5a' },
  },
  slate: {
    light: { paper: '#ffffff', raised: '#f3f4f5', ink: '#16191c', quiet: '#565d64', line: '#dcdfe2', link: '#2c3f52' },
    dark: { paper: '#121315', raised: '#1c1e21', ink: '#e6e8ea', quiet: '#9ca3aa', line: '#34383d', link: '#bccfe2' },
  },
}

/** The palette with this name; undefined for any other text. */
export const findPalette = (name: string): Palette | undefined => (Object.hasOwn(palettes, name) ? palettes[name] : undefined)

/**
 * The colours of a page as CSS declarations for `:root`: those of a palette, or the accent and the nearest colours to it in which
 * links can be read.
 * @param accent the owner's own colour, which counts without a palette; a text that is no hexadecimal colour is left out
 */
export function colourDeclarations(name: string, accent: string): string {
  const palette = findPalette(name)
  if (palette) {
    const { light, dark } = palette
    const pairs = (['paper', 'raised', 'ink', 'quiet', 'line'] as const).map(
      (part) => `--${part}:light-dark(${light[part]},${dark[part]});`,
    )
    return `--accent:${light.link};--link-light:${light.link};--link-dark:${dark.link};--plain-link:light-dark(${light.link},${dark.link});${pairs.join('')}`
  }
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(accent)) return ''
  return `--accent:${accent};--link-light:${readableColour(accent, 'light')};--link-dark:${readableColour(accent, 'dark')};`
}
