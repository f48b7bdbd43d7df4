import type { Place } from "./Place.ts"
import { minuteIn, zoneOf } from "./Place.ts"
import type { Random } from "./Random.ts"
import { wordsFor, firstNames, lastNames } from "./Words.ts"

/** The route by which an action reaches the server. */
export type Way = "mail" | "sms" | "call" | "chat" | "form" | "event" | "assistant" | "request"

/** A contact of the simulated day. */
export interface Person {
  readonly place: Place
  readonly name: string
  readonly email: string
  readonly phone: string
}

/** One action of a contact. */
export interface SimulatedAction {
  /** The time of the action in epoch milliseconds. */
  readonly at: number
  readonly person: Person
  readonly way: Way
  /** A unique reference of the action. The text contains it. An action without text uses it as the provider's id. */
  readonly ref: string
  readonly words: string
  /** The number of times that the action is delivered. The server must store it once. */
  readonly copies: number
  /** Whether the mail is an automatic reply. */
  readonly auto: boolean
  /** The reference of the mail that this mail answers; null for a new thread. */
  readonly answers: string | null
}

const dayMillis = 86_400_000
/** The possible routes. A repeated entry makes its route more likely. */
const ways: readonly [Way, ...ReadonlyArray<Way>] = [
  "mail",
  ...(["mail", "mail", "mail", "sms", "sms", "sms", "chat", "chat", "form", "form", "call"] as const),
  ...(["event", "assistant", "request"] as const)
]

/** Returns a reference that consists of letters, so that the server does not interpret it as a number. */
const refOf = (number: number): string =>
  [...String(number).padStart(6, "0")].map((digit) => "bcdfghjklm"[Number(digit)]).join("")

/** Chooses the minute of the local day: mostly working hours, sometimes evening or night. */
const minuteOf = (random: Random): number => {
  const when = random.next()
  if (when < 0.8) return random.between(8 * 60, 18 * 60)
  return when < 0.95 ? random.between(18 * 60, 23 * 60 + 45) : random.between(0, 8 * 60)
}

const personOf = (place: Place, index: number, random: Random): Person => {
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)]
  const email = `${first}.${last}.${index}@mail${index % 7}.example`.toLowerCase()
  return { place, name: `${first} ${last}`, email, phone: place.phoneOf(index) }
}

interface Planned {
  readonly acts: Array<SimulatedAction>
  number: number
}

/** Lets some contacts send STOP after their first text. Some of these contacts send START later. */
const planConsentChanges = (planned: Planned, first: SimulatedAction, end: number, random: Random): void => {
  if (first.way !== "sms" || !random.chance(0.12)) return
  const stop = first.at + random.between(20, 120) * 60_000
  const consentChange = { person: first.person, way: "sms", copies: 1, auto: false, answers: null } as const
  planned.acts.push({ ...consentChange, at: Math.min(stop, end), ref: refOf(planned.number++), words: "STOP" })
  if (!random.chance(0.4)) return
  const start = stop + random.between(60, 240) * 60_000
  planned.acts.push({ ...consentChange, at: Math.min(start, end), ref: refOf(planned.number++), words: "START" })
}

const planPerson = (planned: Planned, person: Person, begin: number, random: Random): void => {
  const end = begin + dayMillis - 60_000
  const offset = minuteIn(zoneOf(person.place, person.phone), begin)
  let way = random.pick(ways)
  let lastMail: string | null = null
  const count = random.pick([1, 1, 1, 2, 2, 3])
  const minutes = Array.from({ length: count }, () => (minuteOf(random) - offset + 1_440) % 1_440)
  for (const [index, minute] of minutes.toSorted((one, other) => one - other).entries()) {
    if (index > 0 && random.chance(0.35)) way = random.pick(ways)
    const ref = refOf(planned.number++)
    const act: SimulatedAction = {
      at: begin + minute * 60_000,
      person,
      way,
      ref,
      words: wordsFor(random, ref),
      copies: random.chance(0.06) && way !== "call" ? 2 : 1,
      auto: way === "mail" && lastMail !== null && random.chance(0.15),
      answers: way === "mail" && random.chance(0.7) ? lastMail : null
    }
    planned.acts.push(act)
    if (way === "mail") lastMail = ref
    planConsentChanges(planned, act, end, random)
  }
}

/**
 * Plans the actions of all contacts, in order of time. The same state of the random generator results in the same plan.
 * `begin` is the start of the day in UTC.
 */
export const planDay = (
  all: readonly [Place, ...ReadonlyArray<Place>],
  contacts: number,
  begin: number,
  random: Random
): ReadonlyArray<SimulatedAction> => {
  const planned: Planned = { acts: [], number: 0 }
  for (let index = 0; index < contacts; index++) {
    const place = all[index % all.length] ?? all[0]
    planPerson(planned, personOf(place, Math.floor(index / all.length), random), begin, random)
  }
  return planned.acts.toSorted((one, other) => one.at - other.at)
}
