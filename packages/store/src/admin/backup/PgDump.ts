/** Quotes a word for a shell. */
const word = (text: string): string =>
  /^[\w./:@%+=-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const option = (name: string, value: string): ReadonlyArray<string> =>
  value === "" ? [] : [`--${name}=${word(value)}`]

/**
 * Returns the options with the address of a database. They contain no password, because every user of the machine can
 * read command lines. The tools of Postgres ask for the password, or read it from ~/.pgpass or PGPASSWORD.
 */
const address = (url: string): ReadonlyArray<string> => {
  const { hostname, pathname, port, username } = new URL(url)
  return [
    ...option("host", hostname),
    ...option("port", port),
    ...option("username", decoded(username)),
    ...option("dbname", decoded(pathname.slice(1)))
  ]
}

/** Returns the command that backs up a Postgres database. */
export const pgDumpCommand = (url: string, file: string): string =>
  ["pg_dump", "--format=custom", ...option("file", file), ...address(url)].join(" ")

/**
 * Returns the command that restores the output of `pgDumpCommand` into an empty database. The command changes nothing
 * if it fails.
 */
export const pgRestoreCommand = (url: string, file: string): string =>
  ["pg_restore", "--single-transaction", "--no-owner", ...address(url), word(file)].join(" ")
