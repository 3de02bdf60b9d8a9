// The growth of V8's heap during long work. V8 lets garbage pile up until the heap is several times its live size, more so on
// machines with much memory: an import whose data are 60 MB would take 300 MB. The factors are those of the whole process.

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Percent by which the heap may grow beyond its live size before it is collected; 0 lets V8 decide. */
const growBy = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`)

/** The factor by which the room for new objects grows under load, to 32 MB; 1 leaves it as it is. */
const growYoungBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** The room for new objects beyond which it does not grow: with less, more of them would be moved than die. */
const youngBytes = 8 * 1024 ** 2
const lookMs = 100

let running = 0
let timer: NodeJS.Timeout | undefined

/** Runs long work during which the heap stays within one and a half times its live size. It costs a few percent of its time. */
export async function inSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  if (running++ === 0) {
    growBy(50)
    timer = setInterval(() => growYoungBy(youngSize() < youngBytes ? 2 : 1), lookMs)
  }
  try {
    return await work()
  } finally {
    if (--running === 0) {
      clearInterval(timer)
      growYoungBy(2)
      growBy(0)
    }
  }
}

const youngSize = (): number => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0
