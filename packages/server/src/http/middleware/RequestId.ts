import type { Randomness } from "@leadloom/core/port/system/Ids"
import { Context } from "effect"

/** What is safe to repeat in a header, a log line and a bug report. */
const pattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/u

/** The caller's own request id where it is a plain one, else a new one. */
export const requestIdOf = (given: string | undefined, { bytes }: Randomness["Service"]): string =>
  given !== undefined && pattern.test(given) ? given : `req_${Buffer.from(bytes(12)).toString("hex")}`

/** The id of the request that is being answered; null outside of one. */
export const CurrentRequestId = Context.Reference<string | null>("server/http/CurrentRequestId", {
  defaultValue: () => null
})
