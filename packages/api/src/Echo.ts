/** Issues that one error response lists. */
export const maxIssues = 20

/** Characters of a caller's input that an error response repeats in one place. */
export const maxEchoLength = 100

/** Characters of a text of ours in an error response, with what it repeats. */
export const maxMessageLength = 500

/** The beginning of a text, never half a character; an ellipsis stands for the rest. */
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

/** As many issues as one response lists; the last one says how many more there are. */
export const shortenIssues = (issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> => {
  const kept = issues.length > maxIssues ? issues.slice(0, maxIssues - 1) : issues
  const listed = kept.map(({ message, path }) => ({
    path: shorten(path, maxEchoLength),
    message: shorten(message, maxMessageLength)
  }))
  if (kept.length === issues.length) return listed
  return [...listed, { path: "", message: `${issues.length - kept.length} more issues are not listed.` }]
}
