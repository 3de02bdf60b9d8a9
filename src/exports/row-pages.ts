// The rows of a table in pages, so that an export holds few of them at once.

/** Yields pages of rows until one is empty. @param read the rows after the last one of a page; undefined for the first page */
export async function* rowPages<Row>(read: (last: Row | undefined) => Promise<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  for (let rows = await read(undefined); rows.length > 0; rows = await read(rows.at(-1))) yield rows
}
