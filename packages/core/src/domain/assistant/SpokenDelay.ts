const minuteMillis = 60_000

const amount = String.raw`(\d{1,3}|an?|half an?)`
const hourUnit = "(?:hours?|hrs?|h)"
const minuteUnit = "(?:minutes?|mins?)"

/** Spoken delays: a pattern, and the function that computes the delay in minutes from its matches. */
const delays: ReadonlyArray<readonly [RegExp, (first: string, second: string) => number]> = [
  [new RegExp(`^${amount} ${minuteUnit}$`, "u"), (count) => numberOf(count)],
  [new RegExp(`^${amount} ${hourUnit}$`, "u"), (count) => numberOf(count) * 60],
  [new RegExp(`^${amount} ${hourUnit} and a half$`, "u"), (count) => numberOf(count) * 60 + 30],
  [new RegExp(`^${amount} and a half ${hourUnit}$`, "u"), (count) => numberOf(count) * 60 + 30],
  [/^(?:an? )?quarter of an hour$/u, () => 15],
  [/^(?:3|three) quarters of an hour$/u, () => 45],
  [
    new RegExp(`^${amount} ${hourUnit}(?: and)? ${amount} ${minuteUnit}$`, "u"),
    (hours, minutes) => numberOf(hours) * 60 + numberOf(minutes)
  ]
]

const numberOf = (count: string): number => {
  if (count.startsWith("half")) return 0.5
  return count.startsWith("a") ? 1 : Number(count)
}

/** Parses a delay such as `in half an hour` or `2 hours from now`. Returns milliseconds; null for any other text. */
export const readDelay = (text: string): number | null => {
  const [, ahead, from] = /^in (?:about |around |exactly )?(.+)$|^(.+) from now$/u.exec(text) ?? []
  const said = ahead ?? from
  if (said === undefined) return null
  for (const [pattern, minutes] of delays) {
    const [found, first = "", second = ""] = pattern.exec(said) ?? []
    if (found !== undefined) return minutes(first, second) * minuteMillis
  }
  return null
}
