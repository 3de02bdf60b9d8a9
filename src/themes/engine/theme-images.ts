// The filters that show images: `image_url`, `srcset` and `picture`. Any value but an image of the contract is an error.

import type { ThemeImage } from '../contract.ts'
import { escapeText, SafeMarkup, textOf } from './safe-markup.ts'
/** The types that browsers are offered, the best first. The `img` element has the fallback type. */
const modern: readonly string[] = ['image/avif', 'image/webp']

/** The address of the smallest size of at least this width; without a width, the address of the image itself. */
export function imageUrl(value: unknown, width?: unknown): string {
  if (value === null || value === undefined) return ''
  const image = imageOf(value, 'image_url')
  if (width === undefined) return image.url
  const wanted = Number(width)
  const usual = fallbackVariants(image)
  return (usual.find((variant) => variant.width >= wanted) ?? usual.at(-1))?.url ?? image.url
}

export function imageSet(value: unknown): string {
  if (value === null || value === undefined) return ''
  return setOf(fallbackVariants(imageOf(value, 'srcset')))
}

/**
 * A `picture` with all sizes of an image, its dimensions and its placeholder.
 * @param named `sizes`, `class`, `alt` and `loading`; `loading: 'eager'` for the first image of a page
 */
export function picture(value: unknown, named: ReadonlyMap<string, unknown>): SafeMarkup | string {
  if (value === null || value === undefined) return ''
  const image = imageOf(value, 'picture')
  const sizes = named.get('sizes')
  const sources = modern.flatMap((type) => {
    const variants = image.variants.filter((variant) => variant.type === type)
    return variants.length === 0 ? [] : [`<source${attributes({ type, srcset: setOf(variants), sizes })}>`]
  })
  const others = image.variants.filter(({ type }) => !modern.includes(type))
  const eager = named.get('loading') === 'eager'
  const img = `<img${attributes({
    class: named.get('class'),
    src: image.url,
    srcset: others.length > 0 ? setOf(others) : undefined,
    sizes: others.length > 0 ? sizes : undefined,
    width: image.width || undefined,
    height: image.height || undefined,
    alt: named.get('alt') ?? image.alt,
    loading: eager ? undefined : 'lazy',
    fetchpriority: eager ? 'high' : undefined,
    decoding: 'async',
    style: styleOf(image),
  })}>`
  return new SafeMarkup(sources.length === 0 ? img : `<picture>${sources.join('')}${img}</picture>`)
}

function styleOf({ placeholder, focus }: ThemeImage): string | undefined {
  const percent = (part: number): string => `${Math.round(Math.min(1, Math.max(0, part)) * 100)}%`
  const rules = [
    focus && `object-position:${percent(focus.x)} ${percent(focus.y)}`,
    placeholder && /^data:image\/[a-z]+;base64,[A-Za-z0-9+/=]+$/.test(placeholder)
      ? `background:url(${placeholder}) center/cover`
      : undefined,
  ].filter(Boolean)
  return rules.length === 0 ? undefined : rules.join(';')
}

const setOf = (variants: ThemeImage['variants']): string => variants.map(({ url, width }) => `${url} ${width}w`).join(', ')

/** The sizes in the image's most widely supported type. */
function fallbackVariants({ variants }: ThemeImage): ThemeImage['variants'] {
  const webp = variants.filter(({ type }) => type === 'image/webp')
  return webp.length > 0 ? webp : variants.filter(({ type }) => type !== 'image/avif')
}

const attributes = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => (value === undefined || value === null ? '' : ` ${name}="${escapeText(textOf(value))}"`))
    .join('')

function imageOf(value: unknown, filter: string): ThemeImage {
  if (typeof value === 'object' && value !== null && 'variants' in value && 'url' in value) return value as ThemeImage
  throw new Error(`the filter ${filter} needs an image`)
}
