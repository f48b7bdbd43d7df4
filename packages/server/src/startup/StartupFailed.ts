import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"

/** The server cannot start. `line` states the reason and the next step in one line. */
export class StartupFailed extends TaggedError("StartupFailed")<{ readonly line: string }> {}

/** Returns the code of a system error, for example `EACCES`; empty if there is none. */
export const systemCode = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** An address of a listener, and the variables that set it. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
  readonly variables: { readonly host: string; readonly port: string }
}

const lines: Readonly<Record<string, (place: ListenAddress) => string>> = {
  EADDRINUSE: ({ host, port, variables }) =>
    `Port ${port} on ${host} is in use. Stop the other program or set ${variables.port}.`,
  EACCES: ({ host, port, variables }) =>
    `This user may not listen on port ${port} of ${host}. Set ${variables.port} to 1024 or more.`,
  EADDRNOTAVAIL: ({ host, variables }) => `This machine does not have the address ${host}. Set ${variables.host}.`,
  ENOTFOUND: ({ host, variables }) => `The host name ${host} is unknown. Set ${variables.host}.`
}

/** Returns the reason why a listener failed, in one line. */
export const listenFailure = (place: ListenAddress, cause: unknown): string =>
  lines[systemCode(cause)]?.(place) ?? `Failed to listen on port ${place.port} of ${place.host}: ${String(cause)}`
