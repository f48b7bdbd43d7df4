const numberOf = (text: string, last: number): number => (text === "*" ? last : Number(text))

/** Parses a sequence set such as `1,3:5,7:*` (RFC 3501, section 9). `last` is the value of `*`. */
export const rangesOf = (set: string, last: number): ReadonlyArray<readonly [number, number]> =>
  set.split(",").map((part) => {
    const [from = "", to = from] = part.split(":")
    const ends = [numberOf(from, last), numberOf(to, last)]
    return [Math.min(...ends), Math.max(...ends)]
  })

/** Returns the position of the first number that is not lower, in an ascending list. */
export const positionOf = (numbers: ReadonlyArray<number>, value: number): number => {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the UIDs of a set, in ascending order. `uids` are the UIDs of the selected folder in ascending order. */
export const selectUids = (uids: ReadonlyArray<number>, set: string, byUid: boolean): ReadonlyArray<number> => {
  const last = byUid ? (uids.at(-1) ?? 0) : uids.length
  const found = new Set<number>()
  for (const [from, to] of rangesOf(set, last)) {
    const start = byUid ? positionOf(uids, from) : Math.max(from - 1, 0)
    const end = byUid ? positionOf(uids, to + 1) : to
    for (const uid of uids.slice(start, end)) found.add(uid)
  }
  return [...found].toSorted((one, other) => one - other)
}

/** Formats UIDs as a set with ranges. */
export const formatSet = (uids: ReadonlyArray<number>): string => {
  const ranges: Array<[number, number]> = []
  for (const uid of uids) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === uid - 1) last[1] = uid
    else ranges.push([uid, uid])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}:${to}`)).join(",")
}
