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
 * Returns the command that backs up a Postgres database. The command contains no password, because every user of the
 * machine can read command lines. pg_dump asks for the password, or reads it from ~/.pgpass or PGPASSWORD.
 */
export const pgDumpCommand = (url: string, file: string): string => {
  const { hostname, pathname, port, username } = new URL(url)
  return [
    "pg_dump",
    "--format=custom",
    ...option("file", file),
    ...option("host", hostname),
    ...option("port", port),
    ...option("username", decoded(username)),
    ...option("dbname", decoded(pathname.slice(1)))
  ].join(" ")
}
