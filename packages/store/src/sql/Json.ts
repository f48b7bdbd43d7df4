/** Returns the error for a JSON column with a value that this store did not write. */
const foreign = (text: string): Error => new Error(`Unexpected value in a JSON column: ${text.slice(0, 60)}`)

const none: ReadonlyArray<never> = []

/** Reads a JSON array that this store has written. Throws for any other value. */
export const readArray = <A>(column: string): ReadonlyArray<A> => {
  if (column === "[]") return none
  const value: unknown = JSON.parse(column)
  if (!Array.isArray(value)) throw foreign(column)
  return value
}

const isObject = <A extends object>(value: unknown): value is A =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads a JSON object that this store has written. Throws for any other value. */
export const readObject = <A extends object>(column: string): A => {
  const value: unknown = JSON.parse(column)
  if (!isObject<A>(value)) throw foreign(column)
  return value
}
