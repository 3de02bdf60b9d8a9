// Values that are there already or come later. An `await` costs a turn of the queue of microtasks even where there is nothing to wait for, and a call
// that is answered from memory has a dozen steps. They hand the value on at once instead.

/** The value itself if it is there, else a promise of it. */
export type Soon<T> = T | Promise<T>

/** Goes on with a value: at once if it is there. Whatever `goOn` throws is thrown, or rejects the promise. */
export function whenThere<T, U>(value: Soon<T>, goOn: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(goOn) : goOn(value)
}
