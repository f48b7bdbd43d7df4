import { domainOf, normalizeEmail } from "../address/Address.ts"

const address = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}\p{N}-]{2,63}/gu

/** Every email address in a text, normalised. */
export const addressesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(address), ([found]) => normalizeEmail(found.replace(/^[.'_%+-]+/u, "")))

/**
 * Why an address must not go out unseen. Only the domain is told: reasons are kept, and nobody who is erased may live on
 * in them.
 */
export const strangeAddresses = (text: string, known: ReadonlySet<string>): ReadonlyArray<string> =>
  addressesIn(text)
    .filter((email) => !known.has(email))
    .map((email) => `it names an email address that nobody in this conversation gave (at ${domainOf(email)})`)
