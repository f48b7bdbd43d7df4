import { timeFactsIn, type TimeFacts } from "./TimeFacts.ts"

/** Minutes of a day. */
export const dayMinutes = 1_440

const minuteMillis = 60_000
/** `sun` to `sat`. */
export const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

/** A place on the tenant's wall: the date as `YYYY-MM-DD`, and the minute of that day, 0 to 1439. */
export interface WallTime {
  readonly date: string
  readonly minuteOfDay: number
}

const asIfUtc = ({ date, minuteOfDay }: WallTime): number =>
  Date.parse(`${date}T00:00:00Z`) + minuteOfDay * minuteMillis

/** The date that many days later. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMinutes * minuteMillis).toISOString().slice(0, 10)

/** Whether there is such a day. */
export const isDate = (date: string): boolean =>
  !Number.isNaN(Date.parse(`${date}T00:00:00Z`)) && addDays(date, 0) === date

/** `sun` to `sat` of a date. */
export const weekdayOf = (date: string): string => weekdayNames[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ""

/** Minutes of a clock text, `09:30`; null when it is none. */
export const minutesOf = (clock: string): number | null => {
  const [, hours = "", minutes = ""] = /^([01]?\d|2[0-3]):([0-5]\d)$/u.exec(clock) ?? []
  return hours === "" ? null : Number(hours) * 60 + Number(minutes)
}

/** A wall of one IANA time zone, read in both directions. */
export interface WallClock {
  readonly read: (millis: number) => TimeFacts
  /**
   * The moment at which the wall shows a time. Of an hour that comes twice the first; an hour that is left out is an hour
   * later.
   */
  readonly moment: (time: WallTime) => number
  /** Every moment at which the wall shows a time, in order: none of an hour that is left out, two of one that comes twice. */
  readonly moments: (time: WallTime) => ReadonlyArray<number>
}

/** The wall of a time zone; of one that nobody knows, that of UTC. */
export const wallClock = (zone: string): WallClock => {
  const read = timeFactsIn(zone) ?? timeFactsIn("UTC")
  if (read === null) throw new Error("There is no UTC.")
  const shownAt = (millis: number): number => asIfUtc(read(millis))
  const offsetsAround = (wanted: number): ReadonlyArray<number> =>
    // Offsets are read a day around the moment, so that whichever side of a change it is on, its own is among them.
    [-1, 1].map((side) => {
      const near = wanted + side * dayMinutes * minuteMillis
      return shownAt(near) - near
    })
  const moments = (time: WallTime): ReadonlyArray<number> => {
    const wanted = asIfUtc(time)
    const found = new Set(offsetsAround(wanted).map((offset) => wanted - offset))
    return [...found].filter((millis) => shownAt(millis) === wanted).toSorted((one, other) => one - other)
  }
  return {
    read,
    moments,
    moment: (time) => {
      const wanted = asIfUtc(time)
      return moments(time)[0] ?? wanted - Math.min(...offsetsAround(wanted))
    }
  }
}
