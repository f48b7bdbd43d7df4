/** Wait before the next attempt at something outside, by how many there were: 5 s doubling to 15 min at most. */
export const backoffMillis = (attempts: number): number =>
  Math.min(5_000 * 2 ** Math.min(20, Math.max(0, attempts - 1)), 900_000)
