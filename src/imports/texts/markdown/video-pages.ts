// The pages of videos whose ids a text names, each in a paragraph of its own.

export const youtubePage = (id: string): string | undefined =>
  /^[\w-]{11}$/.test(id) ? alone(`https://www.youtube.com/watch?v=${id}`) : undefined

export const vimeoPage = (id: string): string | undefined =>
  /^\d{1,15}$/.test(id) ? alone(`https://vimeo.com/${id}`) : undefined

const alone = (address: string): string => `\n\n${address}\n\n`
