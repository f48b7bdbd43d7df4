/** An entry of an agenda. Entries of the same time are in the order of their ids, as workers claim due work. */
export interface Planned {
  readonly at: number
  readonly id: string
}

const isBefore = (one: Planned, other: Planned): boolean =>
  one.at === other.at ? one.id < other.id : one.at < other.at

/** Returns an empty agenda: a queue of entries that returns the earliest one first. It is a binary heap. */
export const makeAgenda = <A extends Planned>() => {
  const heap: Array<A> = []
  const place = (index: number, entry: A) => {
    heap[index] = entry
  }
  const add = (entry: A): void => {
    let index = heap.length
    for (;;) {
      const parent = (index - 1) >> 1
      const above = heap[parent]
      if (index === 0 || above === undefined || !isBefore(entry, above)) break
      place(index, above)
      index = parent
    }
    place(index, entry)
  }
  const sink = (entry: A): void => {
    let index = 0
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]]
      const isRight = left !== undefined && right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (child === undefined || !isBefore(child, entry)) break
      place(index, child)
      index = 2 * index + (isRight ? 2 : 1)
    }
    place(index, entry)
  }
  /** Removes and returns the earliest entry; null if there is none. */
  const next = (): A | null => {
    const [first = null] = heap
    const last = heap.pop()
    if (last !== undefined && heap.length > 0) sink(last)
    return first
  }
  return { add, next }
}
