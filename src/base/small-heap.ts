// The growth of V8's heap during long work. V8 lets garbage pile up until the heap is several times its live size, more so on
// machines with much memory: an import whose data are 60 MB would take 300 MB. The factor is one of the whole process.

import { setFlagsFromString } from 'node:v8'

/** Percent by which the heap may grow beyond its live size before it is collected; 0 lets V8 decide. */
const growBy = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`)

let running = 0

/** Runs long work during which the heap stays within one and a half times its live size. It costs a few percent of its time. */
export async function inSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  if (running++ === 0) growBy(50)
  try {
    return await work()
  } finally {
    if (--running === 0) growBy(0)
  }
}
