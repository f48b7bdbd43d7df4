/** Returns a time zone in which it is about noon now, outside quiet hours, so that people may be called. */
export const zoneOfNoon = (): string => {
  const offset = 12 - new Date().getUTCHours()
  return offset === 0 ? "Etc/GMT" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`
}
