// The order of rows that refer to the one above them.

interface Row {
  readonly id: string
  readonly parent_id: string | null
}

/** Yields the rows in their order, but each after the one above it. */
export function* parentsFirst<R extends Row>(rows: readonly R[]): Iterable<R> {
  const left = new Map(rows.map((row) => [row.id, row]))
  function* visit(row: R | undefined): Iterable<R> {
    if (row === undefined || !left.delete(row.id)) return
    yield* visit(left.get(row.parent_id ?? ''))
    yield row
  }
  for (const row of rows) yield* visit(row)
}
