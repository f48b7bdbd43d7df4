/** The faults of a simulation, by the hour. */
import { begin, hourMillis, makeRandom } from "./Plan.ts"

/** What is broken in one hour. */
export interface Fault {
  /** The server that is killed while it works; null: none. */
  readonly killed: number | null
  /** Whether all servers are down in this hour. */
  readonly isDown: boolean
  /** Whether the database is restarted in this hour. */
  readonly restartsDatabase: boolean
  readonly isMailUp: boolean
  readonly areTextsUp: boolean
  /** The server with a wrong clock, and its difference in milliseconds; null: none. */
  readonly skewed: { readonly server: number; readonly millis: number } | null
}

/** The differences of a wrong clock, in hours. */
const skews = [1, -1, 24, -24, 0.1, -6]

/** A fault that begins every `period` hours, first in the hour `first`, and lasts some hours. */
const holds = (hour: number, period: number, first: number, length: number): boolean =>
  hour >= first && (hour - first) % period < length

/** Returns the faults of each hour. The end of a simulation has none, so that everything can complete. */
export const makeFaults = (hours: number, servers: number, seed: number, quietHours: number) => {
  const random = makeRandom(seed)
  const kills = new Set<number>()
  // Most work is done between 08:00 UTC and 20:00 UTC.
  for (let day = 0; day * 24 < hours; day++) if (day % 3 !== 2) kills.add(day * 24 + 8 + Math.floor(random() * 13))
  const none: Fault = {
    killed: null,
    isDown: false,
    restartsDatabase: false,
    isMailUp: true,
    areTextsUp: true,
    skewed: null
  }
  return (hour: number): Fault => {
    if (hour > hours - quietHours) return none
    const skewIndex = Math.floor((hour - 20) / 60)
    const isSkewed = holds(hour, 60, 20, 3)
    return {
      killed: kills.has(hour) ? Math.floor(hour / 24) % servers : null,
      isDown: holds(hour, 310, 39, 4),
      restartsDatabase: holds(hour, 130, 33, 1),
      isMailUp: !holds(hour, 110, 15, 6),
      areTextsUp: !holds(hour, 97, 10, 4),
      skewed: isSkewed
        ? { server: (skewIndex + 1) % servers, millis: (skews[skewIndex % skews.length] ?? 0) * hourMillis }
        : null
    }
  }
}

/** Returns how far the clock of a server may have been ahead when it wrote a time, in milliseconds. */
export const aheadAt = (faultOf: (hour: number) => Fault, at: number): number => {
  let ahead = 0
  // A clock differs by at most a day.
  for (let hour = Math.floor((at - begin) / hourMillis) - 25; hour <= (at - begin) / hourMillis; hour++) {
    const millis = faultOf(hour).skewed?.millis ?? 0
    const shown = begin + hour * hourMillis + millis
    if (millis > 0 && shown <= at && at < shown + hourMillis) ahead = Math.max(ahead, millis)
  }
  return ahead
}
