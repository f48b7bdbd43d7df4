/**
 * Returns the delay before the next attempt at an external request, in milliseconds. It starts at 5 s and doubles with
 * each attempt, up to 15 min.
 */
export const backoffMillis = (attempts: number): number =>
  Math.min(5_000 * 2 ** Math.min(20, Math.max(0, attempts - 1)), 900_000)

/**
 * Converts the header `Retry-After` (RFC 9110, section 10.2.3), in seconds or as a date, to milliseconds from `now`
 * (epoch milliseconds). Returns null when the header is absent or invalid.
 */
export const retryAfterMillis = (header: string | null | undefined, now: number): number | null => {
  const text = header?.trim() ?? ""
  if (/^\d{1,9}$/u.test(text)) return Number(text) * 1_000
  const date = text === "" ? Number.NaN : Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
