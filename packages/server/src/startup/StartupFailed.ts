import { Data } from "effect"

/** The server cannot start. `line` tells the operator what is wrong and what to do, in one line. */
export class StartupFailed extends Data.TaggedError("StartupFailed")<{ readonly line: string }> {}

/** The code of a system error, for example `EACCES`; empty when there is none. */
export const systemCode = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : ""
