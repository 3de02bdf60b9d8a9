// Values that are available now or later. An `await` costs a turn of the queue of microtasks even if the value is available, and
// a call that is answered from memory has a dozen steps. These functions pass such a value on at once.

/** The value itself if it is available, else a promise of it. */
export type Soon<T> = T | Promise<T>

/** Continues with a value, at once if it is available. An error of `goOn` is thrown, or rejects the promise. */
export function whenThere<T, U>(value: Soon<T>, goOn: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(goOn) : goOn(value)
}
