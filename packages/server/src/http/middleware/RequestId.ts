import type { Randomness } from "@leadloom/core/internal/port/system/Ids"
import { Context } from "effect"

/** The characters of a request id that are safe in a header, a log line and a bug report. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/u

const newId = ({ bytes }: Randomness["Service"]): string => {
  const random = bytes(12)
  // A view, because a copy into a `Buffer` costs more than the rest.
  return `req_${Buffer.from(random.buffer, random.byteOffset, random.length).toString("hex")}`
}

/** Returns the caller's request id if it is safe, otherwise a new one. */
export const requestIdOf = (given: string | undefined, randomness: Randomness["Service"]): string =>
  given !== undefined && pattern.test(given) ? given : newId(randomness)

/** The id of the current request; null outside a request. */
export const CurrentRequestId = Context.Reference<string | null>("server/http/CurrentRequestId", {
  defaultValue: () => null
})
