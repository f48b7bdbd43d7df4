/**
 * The parser of the Date header (RFC 5322 section 3.3, with the obsolete forms of 4.3). It is lenient and does not use
 * a clock. It accepts comments, a missing weekday, missing seconds, years of two or three digits (also as `0102`), zone
 * names, `asctime` order and ISO 8601.
 */

/** A year outside this range is the result of a wrong clock or a forgery. */
const firstYear = 1980
const lastYear = 2099

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/**
 * The offsets of zone names in minutes east of UTC: names of RFC 5322 section 4.3, and other names that mail clients
 * write.
 */
const zones: Readonly<Record<string, number>> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  wet: 0,
  west: 60,
  bst: 60,
  cet: 60,
  met: 60,
  cest: 120,
  mest: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  jst: 540,
  kst: 540
}

/** Expands a year (RFC 5322 section 4.3): 00–49 become 20xx. 50–99, and years of three digits, are added to 1900. */
const fullYear = (digits: string): number => {
  const year = Number(digits)
  if (year >= 1000) return year
  return digits.length === 2 && year < 50 ? 2000 + year : 1900 + year
}

/**
 * Returns the offset of a zone in minutes east of UTC. An unknown name counts as UTC (RFC 5322 section 4.3). Returns
 * null for an impossible offset.
 */
const zoneOffset = (zone: string): number | null => {
  const numeric = /^([+-])(\d{1,2}):?(\d{2})$/u.exec(zone)
  if (numeric === null) return zones[zone.toLowerCase()] ?? 0
  const minutes = Number(numeric[2]) * 60 + Number(numeric[3])
  if (minutes > 14 * 60) return null
  return numeric[1] === "-" ? -minutes : minutes
}

const instant = (year: number, month: number, day: number, clock: ReadonlyArray<number>, offset: number | null) => {
  const [hour = 0, minute = 0, second = 0] = clock
  if (offset === null || year < firstYear || year > lastYear || month < 0 || day < 1) return null
  if (hour > 23 || minute > 59 || second > 60) return null
  const date = new Date(Date.UTC(year, month, day, hour, minute, Math.min(second, 59)))
  return date.getUTCDate() === day ? date.getTime() - offset * 60_000 : null
}

const clockOf = (text: string): ReadonlyArray<number> => text.split(/[:.]/u).map(Number)

const rfc5322 =
  /\b(\d{1,2})[\s-]+([a-z]{3})[a-z]*\.?[\s,-]+(\d{2,4})[\s,]+(\d{1,2}[:.]\d{1,2}(?:[:.]\d{1,2})?)\s*(\S+)?/iu
const asctime = /\b([a-z]{3})[a-z]*\s+(\d{1,2})\s+(\d{1,2}:\d{2}(?::\d{2})?)\s+(?:([a-z]{1,4})\s+)?(\d{4})\b/iu
const iso = /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?/iu

/** Parses a Date header to epoch milliseconds. Returns null for an unreadable or implausible date. */
export const parseMailDate = (value: string): number | null => {
  const text = value.slice(0, 200).replace(/\([^()]*\)/gu, " ")
  const found = rfc5322.exec(text)
  if (found !== null) {
    const [, day = "", month = "", year = "", clock = "", zone = ""] = found
    const index = months.indexOf(month.toLowerCase())
    return instant(fullYear(year), index, Number(day), clockOf(clock), zoneOffset(zone))
  }
  const unix = asctime.exec(text)
  if (unix !== null) {
    const [, month = "", day = "", clock = "", zone = "", year = ""] = unix
    return instant(Number(year), months.indexOf(month.toLowerCase()), Number(day), clockOf(clock), zoneOffset(zone))
  }
  const standard = iso.exec(text)
  if (standard === null) return null
  const [, year = "", month = "", day = "", clock = "00:00", zone = "Z"] = standard
  return instant(Number(year), Number(month) - 1, Number(day), clockOf(clock), zoneOffset(zone))
}
