/** The start of the last bucket, in seconds: 20 years. Longer durations are in this bucket. */
const maxStart = 20 * 366 * 86_400

const bucketStarts = (): ReadonlyArray<number> => {
  const starts = [0]
  for (let next = 1; next <= maxStart; next = Math.max(next + 1, Math.floor(next * 1.1))) starts.push(next)
  return starts
}

/**
 * FROZEN. The starts of the buckets of durations, in seconds. Each bucket ends before the start of the next one. Up to
 * 20 seconds, a bucket has one value. After that, it is at most 10 % wide, so its middle differs from each of its values
 * by at most 5 %. Counters store these numbers.
 */
const starts = bucketStarts()

const indexOf = (seconds: number): number => {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= seconds) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the start of the bucket of a duration, in seconds. */
export const bucketOf = (seconds: number): number => starts[indexOf(seconds)] ?? 0

const middleOf = (start: number): number => {
  const end = (starts[indexOf(start) + 1] ?? start + 1) - 1
  return Math.round((start + end) / 2)
}

/** A number of durations in one bucket. */
export interface BucketCount {
  readonly bucket: number
  readonly count: number
}

/**
 * Returns the duration that a share of all durations does not exceed, by nearest rank: the middle of its bucket. `share`
 * is 0.5 for the median. Buckets may repeat and have any order. Returns null without durations.
 */
export const percentileOf = (buckets: ReadonlyArray<BucketCount>, share: number): number | null => {
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  let left = Math.ceil(total * share)
  for (const { bucket, count } of buckets.toSorted((a, b) => a.bucket - b.bucket)) {
    left -= count
    if (left <= 0 && count > 0) return middleOf(bucket)
  }
  return null
}
