import type { Randomness } from "@leadloom/core/internal/port/system/Ids"
import { Context } from "effect"

/** The characters of a request id that are safe in a header, a log line and a bug report. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/u

/** The random bytes of an id. */
const idBytes = 12

/** The number of ids for which random bytes are read at once. */
const idsAtOnce = 64

/**
 * Returns a function that returns the caller's request id if it is safe, and otherwise a new one. It encodes the random
 * bytes of many ids at once, because each call of the encoder has a fixed cost.
 */
export const requestIds = ({ bytes }: Randomness["Service"]): ((given: string | undefined) => string) => {
  let digits = ""
  let used = 0
  const newId = (): string => {
    if (used === digits.length) {
      digits = Buffer.from(bytes(idBytes * idsAtOnce)).toString("hex")
      used = 0
    }
    return `req_${digits.slice(used, (used += idBytes * 2))}`
  }
  return (given) => (given !== undefined && pattern.test(given) ? given : newId())
}

/** The id of the current request; null outside a request. */
export const CurrentRequestId = Context.Reference<string | null>("server/http/CurrentRequestId", {
  defaultValue: () => null
})
