import { createHash } from "node:crypto"

/** The time at which the demo begins in the examples: after the newest sample email. */
const exampleStart = Date.parse("2026-03-02T18:10:00.000Z")
const weekMillis = 7 * 86_400_000

/** Returns the start of a run: the same time of a later week as the start of the examples. */
export const nextMonday = (now: number): number =>
  exampleStart + Math.ceil((now - exampleStart) / weekMillis) * weekMillis

const origin = "https://leads.example.com"
const receiverHost = "hooks.partner.example"
/** An address for documentation (RFC 5737). */
const callerAddress = "203.0.113.20"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** Returns 21 characters that look like the rest of an id. The same place of an id always gives the same characters. */
const rest = (seed: string): string =>
  Array.from(createHash("sha256").update(seed).digest().subarray(0, 21), (byte) => alphabet[byte % 32]).join("")

/** Replaces the ids of a run by ids that depend on their order of appearance only. */
const steadyIds = (text: string): string => {
  const known = new Map<string, string>()
  return text.replaceAll(/\b([a-z]{2,6})_[0-9a-z]{26}\b/gu, (id, prefix: string) => {
    const name = known.get(id) ?? `${prefix}_06bxr${rest(`${prefix}${known.size}`)}`
    known.set(id, name)
    return name
  })
}

/** Moves the times of the run to the day of the sample messages. */
const steadyTimes = (text: string, began: number): string => {
  const shift = exampleStart - began
  const isOfRun = (time: number): boolean => time >= began - 60_000
  return text
    .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/gu, (iso) => {
      const time = Date.parse(iso)
      return isOfRun(time) ? new Date(time + shift).toISOString() : iso
    })
    .replaceAll(/(?<=: )1[78]\d{11}\b/gu, (millis) =>
      isOfRun(Number(millis)) ? String(Number(millis) + shift) : millis
    )
    .replaceAll(new RegExp(`"${new Date(began).toISOString().slice(0, 7)}"`, "gu"), '"2026-03"')
    .replaceAll(new RegExp(`"${new Date(began).toISOString().slice(0, 10)}"`, "gu"), '"2026-03-02"')
}

/** Replaces secrets by zeros, so that nobody mistakes an example for a key. */
const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/\b(ll[a-z]_[0-9a-z]{8}_?)[0-9A-Za-z_-]{16,}/gu, (_, head: string) => `${head}${"0".repeat(32)}`)
    .replaceAll(/\b(whsec_)[0-9A-Za-z+/=]{20,}/gu, (_, head: string) => `${head}${"0".repeat(32)}`)
    .replaceAll(/"token": "[\w-]+\.[\w-]+"/gu, '"token": "eyJ0ZW5hbnQiOiJkZW1vIn0.c2lnbmF0dXJl"')
    .replaceAll(/"(next_cursor|cursor)": "[^"]+"/gu, '"$1": "WyIyMDI2LTAzLTAyIl0"')
    .replaceAll(
      /"download_url": "\/api\/v1\/public\/attachments\/[^"]+"/gu,
      '"download_url": "/api/v1/public/attachments/eyJ0b2tlbiI6MX0.c2lnbmF0dXJl"'
    )
    .replaceAll(
      /"proxy_url": "[^"]*\/api\/v1\/public\/images\/[^"]+"/gu,
      '"proxy_url": "/api/v1/public/images/eyJ0b2tlbiI6MX0.c2lnbmF0dXJl"'
    )
    .replaceAll(/"challenge": "[^"]+"/gu, '"challenge": "WyJkZW1vIl0.c2lnbmF0dXJl"')

/** A list with more characters of JSON is cut to its first entries, because a reader needs one or two of them. */
const maxListLength = 2_500

const shortened = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const isLong = value.length > 2 && JSON.stringify(value).length > maxListLength
    return (isLong ? value.slice(0, 2) : value).map(shortened)
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]))
}

/** Formats examples with the same names on every run: ids, times, hosts and secrets. */
export const tidied = (examples: unknown, began: number, url: string, host: string): string => {
  const text = JSON.stringify(shortened(examples), null, 2)
    .replaceAll(url, origin)
    .replaceAll(`http://${host}`, `https://${receiverHost}`)
    .replaceAll("127.0.0.1", callerAddress)
  return `${withoutSecrets(steadyTimes(steadyIds(text), began))}\n`
}
