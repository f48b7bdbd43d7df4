/** A tenant of the simulated day: a business in its time zone. */
export interface Place {
  readonly tenantId: string
  readonly name: string
  readonly domain: string
  readonly preset: string
  readonly zone: string
  readonly country: string
  readonly replyMode: "draft" | "auto"
  /** The wait window in seconds: how long a message waits for further messages of the same contact. */
  readonly replyWait: number
  /** The tenant's number at the provider and the telephone number of its agent, E.164. */
  readonly number: string
  readonly agentPhone: string
  /**
   * Returns the E.164 number of the contact with this index. Uses numbers that the country reserves for fiction, if it
   * has such numbers.
   */
  readonly phoneOf: (index: number) => string
}

const padded = (number: number, length: number): string => String(number).padStart(length, "0")

/** The area codes of California. In each of them, the numbers 555-0100 to 555-0199 are reserved for fiction. */
const californian = [213, 310, 323, 408, 415, 510, 619, 626, 650, 707, 714, 760, 805, 818, 831, 858, 909, 916, 925, 949]

/** Every twelfth contact of the first tenant has a number in New York, in another time zone. */
const american = (index: number): string => {
  const area = index % 12 === 7 ? 212 : (californian[Math.floor(index / 100) % californian.length] ?? 213)
  return `+1${area}55501${padded(index % 100, 2)}`
}

/** Three businesses in time zones whose working hours hardly overlap. */
export const places: readonly [Place, Place, Place] = [
  {
    tenantId: "larkspur",
    name: "Larkspur Roofing",
    domain: "larkspur.example.com",
    preset: "home_services",
    zone: "America/Los_Angeles",
    country: "US",
    replyMode: "auto",
    replyWait: 300,
    number: "+12135550001",
    agentPhone: "+12135550002",
    phoneOf: american
  },
  {
    tenantId: "havelblick",
    name: "Havelblick Immobilien",
    domain: "havelblick.example.org",
    preset: "real_estate",
    zone: "Europe/Berlin",
    country: "DE",
    replyMode: "draft",
    replyWait: 0,
    number: "+493023124001",
    agentPhone: "+493023124002",
    phoneOf: (index) => `+493023125${padded(index % 1_000, 3)}`
  },
  {
    tenantId: "neem",
    name: "Neem Dental",
    domain: "neem.example.net",
    preset: "dental",
    zone: "Asia/Kolkata",
    country: "IN",
    replyMode: "auto",
    replyWait: 60,
    number: "+912255540001",
    agentPhone: "+912255540002",
    phoneOf: (index) => `+9122555${padded(index % 10_000, 5)}`
  }
]

/** The hours in which texts are allowed, in minutes of the contact's local day (47 CFR 64.1200(c)(1)). */
const [dayBegins, dayEnds] = [8 * 60, 21 * 60]

/** Returns the minute of the local day in a time zone. */
export const minuteIn = (zone: string, time: number): number => {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  }).formatToParts(time)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0)
  return of("hour") * 60 + of("minute")
}

/** Reports whether a time is within quiet hours in a time zone. */
export const isQuiet = (zone: string, time: number): boolean => {
  const minute = minuteIn(zone, time)
  return minute < dayBegins || minute >= dayEnds
}

/** Returns the time zone of a contact, derived from its phone number. */
export const zoneOf = ({ zone }: Place, phone: string): string =>
  phone.startsWith("+1212") ? "America/New_York" : zone
