/** Wait before the next attempt at something outside, by how many there were: 5 s doubling to 15 min at most. */
export const backoffMillis = (attempts: number): number =>
  Math.min(5_000 * 2 ** Math.min(20, Math.max(0, attempts - 1)), 900_000)

/**
 * `Retry-After` (RFC 9110, section 10.2.3) in milliseconds from now (epoch milliseconds): seconds or a date; null when it
 * is absent or neither.
 */
export const retryAfterMillis = (header: string | null | undefined, now: number): number | null => {
  const text = header?.trim() ?? ""
  if (/^\d{1,9}$/u.test(text)) return Number(text) * 1_000
  const date = text === "" ? Number.NaN : Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
