// The addresses of WordPress by number.

/** The address of a thing by its number, such as `/?p=12`. WordPress answers none for another id, such as a negative one. */
export const numberAddress = (name: 'p' | 'page_id' | 'attachment_id' | 'author', id: string): readonly string[] =>
  /^\d{1,20}$/.test(id) ? [`/?${name}=${id}`] : []
