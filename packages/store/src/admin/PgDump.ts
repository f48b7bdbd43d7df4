/** A word as a shell takes it. */
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
 * The command that backs up a Postgres database. pg_dump asks for the password, or takes it from ~/.pgpass or
 * PGPASSWORD: on a command line everybody on the machine could read it.
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
