/** A time zone in which it is about noon when the tests run: there it is never night, and people may be called. */
export const zoneOfNoon = (): string => {
  const offset = 12 - new Date().getUTCHours()
  return offset === 0 ? "Etc/GMT" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`
}
