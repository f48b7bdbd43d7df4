/**
 * The delays of a step of a sequence, or of a run of a rule, after its first, second, third and fourth consecutive defect,
 * in milliseconds. The fifth one ends the attempts.
 */
const retryMillis = [60_000, 300_000, 900_000, 3_600_000] as const

/** The number of consecutive defects that ends the attempts. */
export const maxDefects = retryMillis.length + 1

/** Returns the delay of the next attempt after a number of consecutive defects; null if no attempt follows. */
export const defectRetryMillis = (defects: number): number | null => retryMillis[defects - 1] ?? null
