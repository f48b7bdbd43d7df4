import { systemCode } from "./StartupFailed.ts"

/** A place to listen at, and the variables that name it. */
export interface Place {
  readonly host: string
  readonly port: number
  readonly variables: { readonly host: string; readonly port: string }
}

const lines: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ host, port, variables }) =>
    `Port ${port} on ${host} is taken. Stop the other program or set ${variables.port}.`,
  EACCES: ({ host, port, variables }) =>
    `Port ${port} on ${host} is not allowed for this user. Set ${variables.port} to 1024 or more.`,
  EADDRNOTAVAIL: ({ host, variables }) => `This machine has no address ${host}. Set ${variables.host}.`,
  ENOTFOUND: ({ host, variables }) => `The host name ${host} is not known. Set ${variables.host}.`
}

/** Why nobody can listen there, in one line. */
export const listenFailure = (place: Place, cause: unknown): string =>
  lines[systemCode(cause)]?.(place) ?? `Port ${place.port} on ${place.host} cannot be opened: ${String(cause)}`
