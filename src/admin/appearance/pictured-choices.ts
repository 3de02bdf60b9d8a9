// Settings of a theme that are chosen by pictures: palettes are drawn, and pairs of fonts are written in themselves.

import { attribute, html, type Html, raw } from '../../doors/shared/html.ts'
import { fontFamilies, findFontPair } from '../../themes/font-families.ts'
import { findPalette, type Palette, type PaletteColours } from '../../themes/palettes.ts'
import { readableColour } from '../../themes/readable-colour.ts'
import { type Field, faultOf, refusedId } from '../parts/fields.ts'

interface Option {
  readonly value: string
  readonly label: string
}

/** A setting whose choices have pictures. */
interface Pictured {
  /** The choice that stands for the settings in `instead`, with their ids. Changing one of those chooses it. */
  readonly own: string
  readonly instead: readonly string[]
  /** @param accent the owner's own colour */
  readonly picture: (value: string, accent: string) => Html
}

const pictured: Readonly<Record<string, Pictured>> = {
  palette: {
    own: 'own',
    instead: ['accent'],
    picture: (value, accent) => drawing(findPalette(value) ?? ownPalette(accent)),
  },
  fonts: {
    own: 'system',
    instead: ['text_font', 'heading_font'],
    picture: sample,
  },
}

/** The choices of a setting as pictures; undefined for a setting without them. @param accent the owner's own colour */
export function picturedField(
  field: Field & { readonly options: readonly Option[] },
  { id, accent }: { readonly id: string; readonly accent: string },
): Html | undefined {
  const found = Object.hasOwn(pictured, id) ? pictured[id] : undefined
  const { name, label, value, help, options } = field
  if (!found || !options.some((option) => option.value === found.own)) return undefined
  const instead = found.instead.map((one) => `setting-${one}`).join(' ')
  const choice = ({ value: own, label: given }: Option, place: number): Html => {
    const more = [own === value && raw('checked '), place === 0 && refusedId(field)]
    const settings = own === found.own && attribute('data-instead', instead)
    return html`<label class="choice pictured">
      <input type="radio" name="${name}" value="${own}" ${settings} ${more} />
      ${found.picture(own, accent)} <span>${given}</span>
    </label>`
  }
  return html`<fieldset class="choices">
    <legend>${label}</legend>
    <div>${options.map(choice)}</div>
    ${help !== undefined && html`<p class="help">${help}</p>`} ${faultOf(field)}
  </fieldset>`
}

/** The owner's colour on the backgrounds of the base. */
function ownPalette(accent: string): Palette {
  const [light, dark] = [readableColour(accent, 'light'), readableColour(accent, 'dark')]
  return {
    light: { paper: '#fdfcfa', raised: '#f4f2ed', ink: '#23211e', quiet: '#6a655d', line: '#e2ded6', link: light },
    dark: { paper: '#171614', raised: '#211f1c', ink: '#e6e2da', quiet: '#a39c90', line: '#3a362f', link: dark },
  }
}

/** A small page, on the left in the light colours and on the right in the dark ones. */
function drawing({ light, dark }: Palette): Html {
  const page = ({ paper, raised, ink, quiet, line, link }: PaletteColours, x: number): Html =>
    html`<g transform="translate(${x} 0)">
      <rect width="48" height="56" fill="${paper}" />
      <rect x="7" y="9" width="26" height="5" rx="1" fill="${ink}" />
      <rect x="7" y="18" width="34" height="2.5" fill="${quiet}" />
      <rect x="7" y="23" width="30" height="2.5" fill="${quiet}" />
      <rect x="7" y="30" width="34" height="18" rx="2" fill="${raised}" stroke="${line}" />
      <rect x="11" y="36" width="18" height="7" rx="2" fill="${link}" />
    </g>`
  return html`<svg viewBox="0 0 96 56" width="96" height="56" aria-hidden="true" focusable="false">
    ${page(light, 0)} ${page(dark, 48)}
  </svg>`
}

/** The sample of the fonts of the device, which have no names that everybody knows. */
const letters = 'A b c'

/** The names of two families, the first as a heading and the second as a text. */
function sample(value: string): Html {
  const pair = findFontPair(value)
  if (!pair) return html`<span class="sample" aria-hidden="true"><b>${letters}</b><i>${letters}</i></span>`
  const { headings, text } = pair
  return html`<span class="sample" aria-hidden="true"
    ><b class="font-${headings}">${fontFamilies[headings].name}</b><i class="font-${text}">${fontFamilies[text].name}</i></span
  >`
}
