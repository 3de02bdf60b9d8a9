// A QR code as inline SVG. It has no style of its own, so the policy of the admin allows it.

import { html, type Html } from '../../doors/shared/html.ts'
import { createLate } from '../../base/late.ts'

const loadQrcode = createLate(() => import('qrcode'))

/** The smallest margin that scanners need, in modules (ISO/IEC 18004). */
const margin = 4

/** Draws a QR code. @param label describes the picture for screen readers */
export async function qrCode(text: string, label: string): Promise<Html> {
  const { default: qrcode } = await loadQrcode()
  const { modules } = qrcode.create(text, { errorCorrectionLevel: 'M' })
  const { size } = modules
  const dark = Array.from({ length: size * size }, (_, at) => at).filter((at) => modules.data[at])
  const path = dark.map((at) => `M${margin + (at % size)} ${margin + Math.floor(at / size)}h1v1h-1z`).join('')
  const edge = size + 2 * margin
  return html`<svg class="qr" viewBox="0 0 ${edge} ${edge}" role="img" aria-label="${label}" shape-rendering="crispEdges">
    <rect width="${edge}" height="${edge}" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`
}
