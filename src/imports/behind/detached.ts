// Copies of parts that are kept. A short text of a parser is a view of the piece of the file in which it stood, and keeps the whole
// piece in memory: the addresses of 100,000 posts would hold the file of a gigabyte.

/** Returns a copy of plain data whose texts are their own. */
export const detached = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
