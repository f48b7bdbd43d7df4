import { InvalidArgumentError } from "commander"

/** The maximum number of suggested zones. */
const maxSuggestions = 3

const isKnown = (zone: string): boolean => {
  try {
    return /^[A-Za-z]/u.test(zone) && new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== ""
  } catch {
    return false
  }
}

/** Returns known zones whose name contains the given text, for example `Europe/Berlin` for `berlin`. */
const similarZones = (given: string): ReadonlyArray<string> => {
  const wanted = given.toLowerCase().replaceAll(" ", "_")
  return Intl.supportedValuesOf("timeZone")
    .filter((zone) => wanted !== "" && zone.toLowerCase().includes(wanted))
    .slice(0, maxSuggestions)
}

/** Parses an option whose value is an IANA time zone. */
export const timeZone = (given: string): string => {
  if (isKnown(given)) return given
  const similar = similarZones(given)
  throw new InvalidArgumentError(
    similar.length === 0 ? "Use an IANA name such as Europe/Berlin." : `Did you mean ${similar.join(" or ")}?`
  )
}
