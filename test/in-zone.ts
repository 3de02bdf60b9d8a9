// Another time zone for a while: node reads TZ anew whenever it is set.

/** Runs something with this process in a zone. */
export async function inZone<T>(zone: string, run: () => Promise<T>): Promise<T> {
  const before = process.env['TZ']
  process.env['TZ'] = zone
  try {
    return await run()
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
}
