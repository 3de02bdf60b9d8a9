// The pictures of copied HTML whose bytes are on the clipboard: in the HTML itself, or as files beside it, as Word puts them. Each
// gets a number in place of its address, so that the server sees no bytes.

export interface HtmlWithPictures {
  readonly html: string
  /** The pictures, each with the address that stands for it. */
  readonly pictures: readonly { readonly mark: string; readonly file: File }[]
}

let last = 0

const addresses = /(\ssrc\s*=\s*)("data:image\/[^"]*"|'data:image\/[^']*'|"file:[^"]*"|'file:[^']*')/gi
const bytesInside = /^data:(image\/(?:png|jpeg|gif|webp|avif));base64,(.*)$/is

/** @param files pictures beside the HTML; they count if there are as many as pictures in files of the other program */
export function cutPictures(html: string, files: readonly File[]): HtmlWithPictures {
  const pictures: { mark: string; file: File }[] = []
  const inFiles = [...html.matchAll(addresses)].filter(([, , address = '']) => /^.file:/i.test(address)).length
  const beside = inFiles === files.length ? [...files] : []
  const cut = html.replace(addresses, (whole, before: string, quoted: string) => {
    const file = /^.file:/i.test(quoted) ? beside.shift() : fileOf(quoted.slice(1, -1))
    if (file === undefined) return /^.file:/i.test(quoted) ? whole : `${before}""`
    const mark = `clipboard:${++last}`
    pictures.push({ mark, file })
    return `${before}"${mark}"`
  })
  return { html: cut, pictures }
}

function fileOf(address: string): File | undefined {
  const [, type = '', text = ''] = bytesInside.exec(address) ?? []
  try {
    const bytes = Uint8Array.from(atob(text.replace(/\s+/g, '')), (character) => character.charCodeAt(0))
    const ending = type.slice('image/'.length).replace('jpeg', 'jpg')
    return bytes.length === 0 ? undefined : new File([bytes], `picture.${ending}`, { type })
  } catch {
    return undefined
  }
}
