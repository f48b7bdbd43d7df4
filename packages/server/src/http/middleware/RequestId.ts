import type { Randomness } from "@leadloom/core/port/system/Ids"
import { Context } from "effect"

/** The characters of a request id that are safe in a header, a log line and a bug report. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/u

/** Returns the caller's request id if it is safe, otherwise a new one. */
export const requestIdOf = (given: string | undefined, { bytes }: Randomness["Service"]): string =>
  given !== undefined && pattern.test(given) ? given : `req_${Buffer.from(bytes(12)).toString("hex")}`

/** The id of the current request; null outside a request. */
export const CurrentRequestId = Context.Reference<string | null>("server/http/CurrentRequestId", {
  defaultValue: () => null
})
