/** The maximum number of issues in one error response. */
export const maxIssues = 20

/** The maximum length of a part of the request that an error response repeats, in characters. */
export const maxEchoLength = 100

/** The maximum length of an error message in characters, including content repeated from the request. */
export const maxMessageLength = 500

/** Shortens a text to `maximum` characters with an ellipsis at the end. Never splits a surrogate pair. */
export const shorten = (text: string, maximum = maxEchoLength): string => {
  if (text.length <= maximum) return text
  const last = text.charCodeAt(maximum - 2)
  const isSplit = last >= 0xd8_00 && last <= 0xdb_ff
  return `${text.slice(0, maximum - (isSplit ? 2 : 1))}…`
}

/** One invalid field of a request. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** Limits issues to `maxIssues`. If issues are omitted, the last entry states their number. */
export const shortenIssues = (issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> => {
  const kept = issues.length > maxIssues ? issues.slice(0, maxIssues - 1) : issues
  const listed = kept.map(({ message, path }) => ({
    path: shorten(path, maxEchoLength),
    message: shorten(message, maxMessageLength)
  }))
  if (kept.length === issues.length) return listed
  return [...listed, { path: "", message: `${issues.length - kept.length} further issues are not listed.` }]
}
