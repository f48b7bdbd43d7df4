/** Exit codes of the process. STABLE: scripts branch on these numbers. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  notAuthorised: 4,
  notFound: 5,
  conflict: 6,
  rateLimited: 7,
  /** Ctrl-C: 128 plus the number of SIGINT, the convention of shells. */
  interrupted: 130
} as const

/** Returns the exit code for the HTTP status of a failed call. Status 0 means that the server sent no response. */
export const exitCodeOf = (status: number): number => {
  switch (status) {
    case 0:
      return exitCodes.unreachable
    case 401:
    case 403:
      return exitCodes.notAuthorised
    case 404:
      return exitCodes.notFound
    case 409:
    case 412:
      return exitCodes.conflict
    case 429:
      return exitCodes.rateLimited
    default:
      return exitCodes.failed
  }
}
