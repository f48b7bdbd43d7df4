import { Data } from "effect"

/** The server cannot start. `line` tells the operator what is wrong and what to do, in one line. */
export class StartupFailed extends Data.TaggedError("StartupFailed")<{ readonly line: string }> {}

/** The code of a system error, for example `EACCES`; empty when there is none. */
export const systemCode = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** A place to listen at, and the variables that name it. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
  readonly variables: { readonly host: string; readonly port: string }
}

const lines: Readonly<Record<string, (place: ListenAddress) => string>> = {
  EADDRINUSE: ({ host, port, variables }) =>
    `Port ${port} on ${host} is taken. Stop the other program or set ${variables.port}.`,
  EACCES: ({ host, port, variables }) =>
    `Port ${port} on ${host} is not allowed for this user. Set ${variables.port} to 1024 or more.`,
  EADDRNOTAVAIL: ({ host, variables }) => `This machine has no address ${host}. Set ${variables.host}.`,
  ENOTFOUND: ({ host, variables }) => `The host name ${host} is not known. Set ${variables.host}.`
}

/** Why nobody can listen there, in one line. */
export const listenFailure = (place: ListenAddress, cause: unknown): string =>
  lines[systemCode(cause)]?.(place) ?? `Port ${place.port} on ${place.host} cannot be opened: ${String(cause)}`
